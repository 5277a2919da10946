/** Runs k6: a program of its own, that `make bench-load` brings. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LoadSettings, ScenarioName } from "./load-settings.ts";
import { type Point, readPoints } from "./points.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const local = fileURLToPath(new URL("../../.tools/k6", import.meta.url));
/** The one that `scripts/setup.mjs` built comes first: it is never too old. */
const program = existsSync(local) ? local : "k6";
/** Exit status of k6 when a threshold was crossed: the run itself went through. */
const thresholdsCrossed = 99;
/** File names in `k6/`. */
const scripts: Readonly<Record<ScenarioName, string>> = {
  smoke: "smoke",
  ramp: "ramp",
  constant: "steady",
  spike: "spike",
  "newcomer-alone": "noisy-tenant",
  "noisy-tenant": "noisy-tenant",
  soak: "steady",
};
const killAfterMs = 10_000;

/** One metric of k6's summary, with its values by name ("p(95)", "count", "rate") and its thresholds. */
export interface Metric {
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

export interface K6Result {
  readonly startedMs: number;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly points: readonly Point[];
}

export interface K6Run {
  readonly settings: LoadSettings;
  /** For its settings, which hold keys, and its results. */
  readonly folder: string;
  /** k6 is ended when it takes longer. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** As "k6 v1.8.1". Throws where there is none. */
export function k6Version(): string {
  const { stdout } = spawnSync(program, ["version"], { encoding: "utf8" });
  const version = /^k6 v[\d.]+/.exec(stdout ?? "")?.[0];
  if (version === undefined) throw new Error('k6 is missing: run "node scripts/setup.mjs k6"');
  return version;
}

/** Rejects when k6 does not run, or not to its end. Crossed thresholds are in the result. */
export async function runK6({ settings, folder, limitMs, signal, onLine }: K6Run): Promise<K6Result> {
  const file = (ending: string) => join(folder, `${settings.scenario}-${ending}.json`);
  writeFileSync(file("settings"), JSON.stringify(settings), { mode: 0o600 });
  const script = join(here, "k6", `${scripts[settings.scenario]}.ts`);
  const output = [`--out=json=${file("points")}`, "--no-usage-report", "--quiet", "--no-color", "--address="];
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    K6_AUTO_EXTENSION_RESOLUTION: "false",
    LOAD_SETTINGS: file("settings"),
    LOAD_SUMMARY: file("summary"),
  };
  const startedMs = Date.now();
  await execute(["run", ...output, script], environment, { limitMs, signal, onLine });
  const { metrics } = JSON.parse(readFileSync(file("summary"), "utf8")) as Pick<K6Result, "metrics">;
  return { startedMs, metrics, points: await readPoints(file("points")) };
}

/** SIGINT ends k6 in order; SIGKILL follows. */
async function execute(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { limitMs, signal, onLine }: Pick<K6Run, "limitMs" | "signal" | "onLine">,
): Promise<void> {
  const child = spawn(program, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => text.trim().split("\n").forEach(onLine));
  }
  let reason: string | undefined;
  const end = (why: string) => {
    reason ??= why;
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGKILL"), killAfterMs).unref();
  };
  const limit = setTimeout(() => end(`k6 took longer than ${limitMs / 1000} s`), limitMs);
  const onAbort = () => end("stopped");
  signal.addEventListener("abort", onAbort);
  try {
    const how = await new Promise<number | string>((resolve) => {
      child.once("error", ({ message }) => resolve(message));
      child.once("close", (code, cause) => resolve(code ?? String(cause)));
    });
    if (reason !== undefined) throw new Error(reason);
    if (how !== 0 && how !== thresholdsCrossed) throw new Error(`k6 ended with ${how}`);
  } finally {
    clearTimeout(limit);
    signal.removeEventListener("abort", onAbort);
  }
}
