/**
 * Which code of this thread has run, by V8's own block coverage: the inspector's, which needs no instrumented source and follows
 * packages, too. It costs a millisecond to ask, so that some inputs are tried between two questions.
 */
import { type Profiler, Session } from "node:inspector";

export interface CodeCoverage {
  /** Forgets what ran since the last question, as what belongs to no input. */
  skip(): void;
  /** Whether code ran since the last question that never had; `note` remembers it. */
  hasNew(note: boolean): boolean;
  /** Functions of which some code has run. */
  functions(): number;
}

let session: Session | undefined;

/** It stays on: what V8 compiles before it is on, or after it was, has no blocks to count. */
function sessionOfThread(): Session {
  if (session !== undefined) return session;
  session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  return session;
}

function takeScripts(): Profiler.ScriptCoverage[] {
  let scripts: Profiler.ScriptCoverage[] = [];
  let failure: Error | null = null;
  // On the same thread the answer is there before the question returns.
  sessionOfThread().post("Profiler.takePreciseCoverage", (error, answer) => {
    failure = error;
    scripts = answer?.result ?? [];
  });
  if (failure !== null) throw failure;
  return scripts;
}

/** @param isCounted which scripts count, by their addresses */
export function startCoverage(isCounted: (url: string) => boolean): CodeCoverage {
  /** A byte for each character of each function: 1, it has run. */
  const covered = new Map<string, Uint8Array>();
  /** Answers that said nothing new: most of them. */
  const known = new Set<string>();
  const take = () => takeScripts().filter(({ url }) => url !== "" && !url.startsWith("node:") && isCounted(url));
  take();

  function isNew(url: string, { ranges }: Profiler.FunctionCoverage, note: boolean): boolean {
    const [whole] = ranges;
    if (whole === undefined || whole.count === 0) return false;
    const answer = `${url} ${ranges.map(({ startOffset, endOffset, count }) => `${startOffset}-${endOffset}:${count}`)}`;
    if (known.has(answer)) return false;
    const name = `${url}:${whole.startOffset}`;
    const ran = new Uint8Array(whole.endOffset - whole.startOffset);
    // Outer ranges come before those within them.
    for (const { startOffset, endOffset, count } of ranges)
      ran.fill(Math.min(1, count), startOffset - whole.startOffset, endOffset - whole.startOffset);
    const before = covered.get(name) ?? new Uint8Array(ran.length);
    const found = ran.some((value, at) => value > before[at]!);
    if (found && !note) return true;
    known.add(answer);
    if (found)
      covered.set(
        name,
        ran.map((value, at) => Math.max(value, before[at]!)),
      );
    return found;
  }

  return {
    skip: () => void take(),
    hasNew(note) {
      let found = false;
      for (const { url, functions } of take())
        for (const one of functions) {
          if (isNew(url, one, note)) found = true;
        }
      return found;
    },
    functions: () => covered.size,
  };
}
