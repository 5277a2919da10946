/** Runs one scenario after the other, each with what those before it have found. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { type EndedJob, endFaults } from "./ended-job.ts";
import { type K6Result, runK6 } from "./k6-program.ts";
import { findKnee, type Knee, type RampStep, rampSteps } from "./knee.ts";
import type { LoadSettings, ScenarioName } from "./load-settings.ts";
import type { MemorySample } from "./memory-slope.ts";
import { watchMemory } from "./process-memory.ts";
import type { LoadTarget } from "./target.ts";

/** In this order. */
export const scenarioNames: readonly ScenarioName[] = [
  ...(["smoke", "ramp", "constant", "spike", "newcomer-alone", "noisy-tenant", "soak"] as const),
];
/** What a job may take beside the length of its scenario, on a machine that is busy otherwise. */
const followExtraMs = 60_000;
/** For k6's own start and end. */
const k6ExtraMs = 60_000;
const webhookLimitMs = 60_000;
const memorySamples = 600;

export interface LoadOptions {
  readonly scenarios: readonly ScenarioName[];
  /** The files' name, without their endings. */
  readonly resultsName: string;
  readonly tool: string;
  readonly photos: readonly string[];
  readonly seconds: number;
  readonly soakSeconds: number;
  readonly concurrencies: readonly number[];
  /** undefined has the ramp find it. */
  readonly kneePerSecond?: number | undefined;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface ScenarioResult extends K6Result {
  readonly name: ScenarioName;
  readonly seconds: number;
  /** Jobs of all accounts; undefined without a collector. */
  readonly ended?: readonly EndedJob[];
  readonly othersShare: number | undefined;
  readonly memory: ReadonlyMap<string, readonly MemorySample[]>;
  /** Beside crossed thresholds: what went wrong. */
  readonly faults: readonly string[];
}

export interface LoadResults {
  readonly scenarios: readonly ScenarioResult[];
  readonly steps: readonly RampStep[];
  readonly knee: Knee | { readonly perSecond: number } | undefined;
}

/** The scenarios in their order, and what they need before them: the knee, and the newcomer's latency alone. */
export function withThoseBefore(wanted: readonly string[], isKneeGiven: boolean): readonly ScenarioName[] {
  const needs = new Set<string>(wanted);
  if (wanted.includes("noisy-tenant")) needs.add("newcomer-alone");
  if (!isKneeGiven && scenarioNames.some((name) => wanted.includes(name) && needsKnee(name))) needs.add("ramp");
  return scenarioNames.filter((name) => needs.has(name));
}

/** The longest that all may take together. */
export function limitMs({ scenarios, seconds, soakSeconds }: LoadOptions): number {
  return scenarios.reduce((sum, name) => sum + scenarioLimitMs(name === "soak" ? soakSeconds : seconds), 0);
}

function scenarioLimitMs(seconds: number): number {
  return 1000 * seconds + followMs(seconds) + k6ExtraMs;
}

function followMs(seconds: number): number {
  return 1000 * seconds + followExtraMs;
}

export async function runScenarios(target: LoadTarget, options: LoadOptions): Promise<LoadResults> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-k6-"));
  const done: ScenarioResult[] = [];
  let steps: RampStep[] = [];
  let knee: LoadResults["knee"] = options.kneePerSecond ? { perSecond: options.kneePerSecond } : undefined;
  try {
    for (const scenario of options.scenarios) {
      const isSoak = scenario === "soak";
      const seconds = isSoak ? options.soakSeconds : options.seconds;
      const settings: LoadSettings = {
        scenario,
        seconds,
        apiUrl: target.apiUrl,
        collectorUrl: target.collectorUrl,
        main: target.main,
        ...(target.fairness && { fairness: target.fairness }),
        tool: options.tool,
        photos: options.photos,
        concurrencies: options.concurrencies,
        kneePerSecond: knee?.perSecond ?? 0,
        latencyLimitMs: latencyLimitMs(scenario, done, steps),
        followMs: followMs(seconds),
      };
      if (needsKnee(scenario) && knee === undefined) throw new Error(`the ramp found no knee for ${scenario}`);
      options.say(`${scenario}: ${seconds} s …`);
      done.push(await runScenario(target, settings, folder, options));
      if (scenario !== "ramp") continue;
      const { points, startedMs } = done.at(-1)!;
      steps = rampSteps(points, startedMs, options);
      knee ??= findKnee(steps);
      options.say(`ramp: the knee is at ${knee?.perSecond.toFixed(2)} jobs/s`);
    }
    return { scenarios: done, steps, knee };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function needsKnee(scenario: ScenarioName): boolean {
  return ["constant", "spike", "noisy-tenant", "soak"].includes(scenario);
}

/** A queue that grows passes ten times the latency of an idle deployment within seconds. */
const idleLatencies = 10;
const latencyLimitMsMin = 2_000;
const newcomerLatencies = 2;

function latencyLimitMs(scenario: ScenarioName, done: readonly ScenarioResult[], steps: readonly RampStep[]): number {
  if (scenario === "noisy-tenant") {
    const alone = done.find(({ name }) => name === "newcomer-alone")!;
    return Math.round(newcomerLatencies * alone.metrics["completed_ms{tenant:newcomer}"]!.values["p(99)"]!);
  }
  const idleMs = steps[0]?.p50Ms ?? done.find(({ name }) => name === "smoke")?.metrics.completed_ms?.values.med ?? 0;
  return Math.round(Math.max(latencyLimitMsMin, idleLatencies * idleMs));
}

async function runScenario(
  target: LoadTarget,
  settings: LoadSettings,
  folder: string,
  { signal, say }: LoadOptions,
): Promise<ScenarioResult> {
  const { scenario: name, seconds } = settings;
  const faults: string[] = [];
  const endedBefore = target.webhooks()?.ended.length ?? 0;
  const others = watchOtherLoad();
  const watch = target.isOwn ? watchMemory(Math.max(500, (1000 * seconds) / memorySamples)) : undefined;
  try {
    const result = await runK6({ settings, folder, limitMs: scenarioLimitMs(seconds), signal, onLine: say });
    const accepted = result.metrics.jobs_accepted?.values.count ?? 0;
    await target.drain(settings.followMs, signal);
    const missing = await missingWebhooks(target, endedBefore + accepted, signal);
    if (missing > 0) faults.push(`${missing} jobs have ended without a webhook`);
    const webhooks = target.webhooks();
    if (webhooks && webhooks.rejected > 0) faults.push(`${webhooks.rejected} webhooks were not signed as they should`);
    const ended = webhooks?.ended.slice(endedBefore);
    // The flood's jobs, which k6 does not follow, fail unseen otherwise.
    faults.push(...endFaults(ended ?? []));
    return {
      ...result,
      name,
      seconds,
      faults,
      othersShare: others(),
      memory: watch?.stop() ?? new Map(),
      ...(ended && { ended }),
    };
  } finally {
    watch?.stop();
  }
}

/** How many of `expected` webhooks are missing in the end; events follow the jobs' ends within seconds. */
async function missingWebhooks(target: LoadTarget, expected: number, signal: AbortSignal): Promise<number> {
  const limitMs = Date.now() + webhookLimitMs;
  const missing = () => expected - (target.webhooks()?.ended.length ?? expected);
  while (missing() > 0 && Date.now() < limitMs) await delay(100, undefined, { signal });
  return Math.max(0, missing());
}
