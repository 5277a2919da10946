/** Measurements of a model server, on a CPU (`run.ts`) or a GPU (`../gpu/run.ts`). */
import { mean, median, quantile } from "../measuring/statistics.ts";
import { type Measured, pooledP99 } from "./load.ts";
import type { BenchModel } from "./models.ts";
import { type MeasuredServer, serverTarget, startRaw } from "./processes.ts";
import { type Report, round1, round2, round3 } from "./report.ts";
import { threadTimes } from "./thread-times.ts";

export interface Measuring {
  readonly put: Report["put"];
  readonly windowMs: number;
  readonly rounds: number;
  /** Threads of one session, the server's and the raw one. */
  readonly threads: number;
  /** Only for raw runs. */
  readonly provider?: "cpu" | "cuda";
  /** Load before single requests and before a flood; default 10 s. */
  readonly warmUpMs?: number;
}

/** Images/s served ÷ raw, at concurrency 8. */
export async function ratio(
  server: MeasuredServer,
  model: BenchModel,
  { put, rounds, windowMs, threads, provider }: Measuring,
  { batch, concurrency }: { batch: number; concurrency: number } = { batch: 1, concurrency: 8 },
): Promise<void> {
  const raw = await startRaw(model, batch, threads, provider);
  const target = serverTarget(server.address, model);
  await target.closed(concurrency, 1_500);
  const rawRates: number[] = [];
  const servedRates: number[] = [];
  const rawCpu: number[] = [];
  const servedCpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ms, cpuMs } = await raw.run({ windowMs });
    rawRates.push((1_000 * batch) / mean(ms));
    rawCpu.push(cpuMs / (batch * ms.length));
    const cpuBefore = server.cpuMs();
    const served = await target.closed(concurrency, windowMs);
    servedRates.push(served.perSecond);
    // Up to eight requests have used processor time at the end of the window: they are answered, and counted here.
    servedCpu.push((server.cpuMs() - cpuBefore) / (served.answered + served.afterWindow));
  }
  const pairs = servedRates.map((rate, at) => rate / rawRates[at]!);
  put(`served ÷ raw`, {
    model: model.name,
    concurrency,
    "raw batch": batch,
    "raw images/s": round1(median(rawRates)),
    "served images/s": round1(median(servedRates)),
    "ratio (median of pairs)": round3(median(pairs)),
    "raw CPU ms/image": round1(median(rawCpu)),
    "served CPU ms/image": round1(median(servedCpu)),
    "lowest and highest pair": `${round3(Math.min(...pairs))} – ${round3(Math.max(...pairs))}`,
  });
  target.close();
  await raw.stop();
}

const defaultWarmUpMs = 10_000;

/** The cost of one request on top of its run on an idle server: single requests and single runs alternate. */
export async function idle(
  server: MeasuredServer,
  model: BenchModel,
  { put, threads, provider, warmUpMs = defaultWarmUpMs }: Measuring,
  count: number,
): Promise<void> {
  const raw = await startRaw(model, 1, threads, provider);
  const target = serverTarget(server.address, model);
  // In a server that has just started, compilers still work while a single request is answered.
  await target.closed(8, warmUpMs);
  const rawMs: number[] = [];
  const servedMs: number[] = [];
  for (let at = 0; at < count; at += 1) {
    rawMs.push(...(await raw.run({ runs: 1 })).ms);
    servedMs.push(await target.once());
  }
  const differences = servedMs.map((ms, at) => ms - rawMs[at]!);
  put("one request with nothing else going on", {
    model: model.name,
    requests: count,
    "raw p50 ms": round1(median(rawMs)),
    "served p50 ms": round1(median(servedMs)),
    "difference of p50 ms": round1(median(servedMs) - median(rawMs)),
    "p50 of differences ms": round1(median(differences)),
    "p99 served ms": round1(
      quantile(
        [...servedMs].sort((a, b) => a - b),
        0.99,
      ),
    ),
  });
  target.close();
  await raw.stop();
}

/** At twice its capacity, throughput must not fall, no answer may be late and memory must not grow. */
export async function overload(server: MeasuredServer, model: BenchModel, { put, windowMs }: Measuring): Promise<void> {
  const target = serverTarget(server.address, model);
  const shorter = windowMs;
  const before = await target.closed(8, shorter);
  const patienceMs = 20 * (8_000 / before.perSecond / 8);
  const memoryBefore = server.residentMib();
  const over = await target.open({
    tenant: "bench",
    perSecond: 2 * before.perSecond,
    windowMs: 3 * windowMs,
    patienceMs,
    seed: 7,
  });
  const memoryAfter = server.residentMib();
  const after = await target.closed(8, shorter);
  const peak = (before.perSecond + after.perSecond) / 2;
  put("twice the capacity", {
    model: model.name,
    "peak images/s (before, after)": `${round1(before.perSecond)}, ${round1(after.perSecond)}`,
    "in time/s at 2×": round1(over.perSecond),
    "share of the peak": round3(over.perSecond / peak),
    refused: over.refused,
    "answered late": over.late,
    "deadline ms": Math.round(patienceMs),
    "memory MiB before, after": `${Math.round(memoryBefore)}, ${Math.round(memoryAfter)}`,
  });
  target.close();
}

/**
 * One tenant sends ten times as much as the other, together more than the server can do.
 *
 * @param share of the server's capacity that the smaller tenant sends
 */
export async function fairness(
  server: MeasuredServer,
  model: BenchModel,
  { put, rounds, windowMs, threads, provider, warmUpMs = defaultWarmUpMs }: Measuring,
  share: number,
): Promise<void> {
  const target = serverTarget(server.address, model);
  const peak = (await target.closed(8, warmUpMs)).perSecond;
  const modest = { tenant: "modest", perSecond: share * peak, windowMs: 3 * windowMs, patienceMs: 120_000 };
  const flooding = { tenant: "flood", perSecond: 10 * modest.perSecond, windowMs: modest.windowMs, patienceMs: 4_000 };
  const alone: Measured[] = [];
  const together: Measured[] = [];
  const flood: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    alone.push(await target.open({ ...modest, seed: round }));
    const [beside, flooded] = await Promise.all([
      target.open({ ...modest, seed: round }),
      target.open({ ...flooding, seed: 1_000 + round }),
    ]);
    together.push(beside);
    flood.push(flooded);
  }
  const largest = largestBatch(await server.metrics(), model.name);
  // Shows how much the machine itself varies: the same batch on an idle server.
  const raw = await startRaw(model, largest.rows, threads, provider);
  const rawMs = (await raw.run({ windowMs })).ms.toSorted((a, b) => a - b);
  await raw.stop();
  const total = (key: "answered" | "refused", windows: readonly Measured[]) =>
    windows.reduce((sum, each) => sum + each[key], 0);
  put("a tenant floods 10 : 1", {
    model: model.name,
    "modest requests": total("answered", together),
    "modest refused": total("refused", together),
    "modest p99 ms alone": round1(pooledP99(alone)),
    "largest batch": largest.rows,
    "its run ms": round1(largest.ms),
    "modest p99 ms beside the flood": round1(pooledP99(together)),
    "bound ms": round1(pooledP99(alone) + largest.ms),
    "that batch raw, nothing else going on: runs, mean, p99 ms": `${rawMs.length}, ${round1(mean(rawMs))}, ${round1(quantile(rawMs, 0.99))}`,
    "flood sent/s": round1(flooding.perSecond),
    "flood answered/s": round1(median(flood.map((each) => each.perSecond))),
    "flood refused": total("refused", flood),
  });
  target.close();
}

/** The largest bucket that ran since the server started, and its mean time. */
function largestBatch(metrics: string, model: string): { rows: number; ms: number } {
  const values = (kind: "sum" | "count"): Map<number, number> => {
    const line = new RegExp(`^packshot_inference_run_duration_seconds_${kind}{([^}]*)} (.+)$`, "gm");
    const found = [...metrics.matchAll(line)].filter(([, labels]) => labels!.includes(`model="${model}"`));
    return new Map(found.map(([, labels, value]) => [Number(/bucket="(\d+)"/.exec(labels!)![1]), Number(value)]));
  };
  const counts = values("count");
  const rows = Math.max(...counts.keys());
  return { rows, ms: (1_000 * values("sum").get(rows)!) / counts.get(rows)! };
}

/** Where the server's processor time goes, by thread, at concurrency 8. */
export async function threadsOf(
  server: MeasuredServer,
  model: BenchModel,
  { put, windowMs }: Measuring,
): Promise<void> {
  const target = serverTarget(server.address, model);
  await target.closed(8, 1_500);
  const since = threadTimes(server.pid);
  const served = await target.closed(8, 2 * windowMs);
  const images = served.answered + served.afterWindow;
  const rows = since().map(({ thread, cpuMs, waitMs }) => ({
    model: model.name,
    images,
    thread,
    "CPU ms/image": round2(cpuMs / images),
    "ready but waiting ms/image": round2(waitMs / images),
  }));
  put("processor time of the server by thread, concurrency 8", ...rows.filter((row) => row["CPU ms/image"] >= 0.05));
  target.close();
}
