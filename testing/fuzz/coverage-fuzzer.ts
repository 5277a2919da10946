/**
 * Fuzzing that is guided by coverage: an input that reaches code which none before it reached is kept, and changed further. The
 * same seed and runs try the same inputs, as far as the target does the same with the same bytes. (@jazzer.js/core 4.0.0, the one kept fuzzer
 * on npm, brings binaries that need a younger C library than the systems that we support have.)
 */
import { createRandom } from "@packshot/domain/random.ts";
import { type CodeCoverage, startCoverage } from "./code-coverage.ts";
import { mutate } from "./mutate.ts";

export interface FuzzTarget {
  readonly name: string;
  /** What is right, of every kind. */
  readonly seeds: () => Promise<readonly Uint8Array[]>;
  /** What the format is made of. */
  readonly words?: readonly string[];
  readonly bytesMax?: number;
  /** Throws what is a fault. Does the same for the same bytes. */
  readonly run: (bytes: Buffer) => void | Promise<void>;
}

export interface Finding {
  readonly input: Buffer;
  readonly error: unknown;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly runsMax: number;
  /** false: inputs are made of the seeds alone. */
  readonly isGuided?: boolean;
  readonly isEnough?: () => boolean;
  /** Told before each input is tried. */
  readonly onInput?: (input: Buffer) => void;
}

export interface FuzzResult {
  /** One of each kind: faults with the same words at the same place are one. */
  readonly findings: readonly Finding[];
  readonly runs: number;
  /** Seeds, and inputs that were kept. */
  readonly kept: number;
  readonly functions: number;
}

const inputsPerQuestion = 32;
/** What runs with every input and is no target. */
const isOwn = (url: string) => /\/testing\/fuzz\/(?:coverage-fuzzer|code-coverage|mutate|targets)\.ts/.test(url);
/** The longest input. */
export const bytesMaxDefault = 16 * 1024;

export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, runsMax, isGuided = true, isEnough = () => false, onInput = () => {} } = options;
  const { bytesMax = bytesMaxDefault } = target;
  // Before the target runs for the first time.
  const coverage = startCoverage((url) => !isOwn(url));
  const random = createRandom(seed);
  const words = (target.words ?? []).map((word) => Buffer.from(word, "latin1"));
  const corpus: Uint8Array[] = [...(await target.seeds())];
  const findings = new Map<string, Finding>();
  let runs = 0;

  async function tryInput(input: Buffer): Promise<void> {
    onInput(input);
    try {
      // A copy: what changes its input would change what is kept.
      await target.run(Buffer.from(input));
    } catch (error) {
      const kind = kindOf(error);
      if (!findings.has(kind)) findings.set(kind, { input, error });
    }
  }

  const inputOf = () => {
    const base = pickLate(corpus, random.next());
    const other = pickLate(corpus, random.next());
    return mutate(base, random, { words, other, bytesMax });
  };

  for (const one of corpus) await tryInput(Buffer.from(one));
  coverage.hasNew(true);
  while (runs < runsMax && !isEnough()) {
    const inputs = Array.from({ length: Math.min(inputsPerQuestion, runsMax - runs) }, inputOf);
    for (const input of inputs) await tryInput(input);
    runs += inputs.length;
    if (isGuided && coverage.hasNew(false)) corpus.push(...(await those(inputs, tryInput, coverage)));
  }
  return { findings: [...findings.values()], runs, kept: corpus.length, functions: coverage.functions() };
}

/** The inputs that reach new code, tried once more, one by one. */
async function those(
  inputs: readonly Buffer[],
  tryInput: (input: Buffer) => Promise<void>,
  coverage: CodeCoverage,
): Promise<Buffer[]> {
  const found: Buffer[] = [];
  coverage.skip();
  for (const input of inputs) {
    await tryInput(input);
    if (coverage.hasNew(true)) found.push(input);
  }
  return found;
}

/** Half of the time one of the eight that came last: what is new leads on. */
function pickLate(corpus: readonly Uint8Array[], random: number): Uint8Array {
  const from = random < 0.5 ? Math.max(0, corpus.length - 8) : 0;
  const share = (random * 2) % 1;
  return corpus[from + Math.floor(share * (corpus.length - from))]!;
}

/** Its words without what is of the input, and where it was thrown. */
function kindOf(error: unknown): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const where = stack?.split("\n").find((line) => /^\s+at /.test(line)) ?? "";
  return `${message.replaceAll(/\d+|"[^"]*"/g, "#").slice(0, 80)} ${where}`;
}
