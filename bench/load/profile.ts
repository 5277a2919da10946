/** Where the JavaScript of a stack's processes spends its time, from the profiles that `node --cpu-prof` writes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface ProfileLine {
  /** "api", "worker" … */
  readonly process: string;
  readonly function: string;
  /** `file:line` in the repository; empty for what V8 itself does. */
  readonly place: string;
  readonly selfMs: number;
  /** Share of the time that the process' threads were not idle. */
  readonly share: number;
}

/** In microseconds of the machine's monotonic clock, as `process.hrtime` and V8's profiles have it. */
export interface Span {
  readonly fromUs: number;
  readonly toUs: number;
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const root = new URL("../..", import.meta.url).href;
const idle = "(idle)";
const native = "(program)";

/** For NODE_OPTIONS of the processes: each of their threads writes its profile there when it ends. */
export function profileOptions(folder: string): string {
  return `--cpu-prof --cpu-prof-dir=${folder}`;
}

export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The dearest functions of each of these processes, by the time in themselves. */
export function dearestLines(
  folder: string,
  processes: readonly string[],
  span: Span,
  linesMax: number,
): ProfileLine[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
  const byPid = Map.groupBy(files, (name) => name.split(".")[3]!);
  const lines = [...byPid.values()].flatMap((names) => {
    const profiles = names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as CpuProfile);
    return linesOf(profiles, span);
  });
  return processes.flatMap((wanted) => {
    const own = lines.filter(({ process }) => process === wanted);
    return own.toSorted((a, b) => b.selfMs - a.selfMs).slice(0, linesMax);
  });
}

/** All threads of one process. */
function linesOf(profiles: readonly CpuProfile[], span: Span): ProfileLine[] {
  const selfUs = new Map<string, number>();
  for (const profile of profiles) addSelfTimes(profile, span, selfUs);
  const frames = profiles.flatMap(({ nodes }) => nodes.map(({ callFrame }) => callFrame));
  const main = frames.map(({ url }) => /([\w-]+)-main\.ts$/.exec(url)?.[1]).find((name) => name !== undefined);
  const busyUs = [...selfUs.values()].reduce((sum, us) => sum + us, 0);
  return [...selfUs].map(([key, us]) => {
    const [name, place] = key.split("\n") as [string, string];
    return { process: main ?? "", function: name, place, selfMs: us / 1000, share: us / busyUs };
  });
}

/** What native code does outside of any function, and waiting, is left out. */
function addSelfTimes(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  span: Span,
  selfUs: Map<string, number>,
): void {
  const keys = new Map(nodes.map(({ id, callFrame }) => [id, keyOf(callFrame)]));
  let atUs = startTime;
  for (const [n, id] of samples.entries()) {
    const lastedUs = timeDeltas[n + 1] ?? 0;
    atUs += timeDeltas[n]!;
    const key = keys.get(id);
    if (key === undefined || atUs < span.fromUs || atUs >= span.toUs) continue;
    selfUs.set(key, (selfUs.get(key) ?? 0) + lastedUs);
  }
}

/** undefined for what is not counted. */
function keyOf({ functionName, url, lineNumber }: CallFrame): string | undefined {
  if ([idle, native, "(root)"].includes(functionName)) return undefined;
  const file = url.startsWith(root) ? url.slice(root.length) : url.startsWith("file:") ? fileURLToPath(url) : url;
  return `${functionName || "(anonymous)"}\n${file === "" ? "" : `${file}:${lineNumber + 1}`}`;
}
