/**
 * The model server against raw onnxruntime, under overload, and with a tenant that floods:
 *
 *     node bench/inference/run.ts [--seconds 12] [--rounds 5] [--threads 2] [--markdown FILE] [--only ratio,idle,overload,fairness,peers]
 *
 * Raw and served windows alternate and medians are compared, so that the machine's other work weighs on both alike.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hardware, loadNow } from "./hardware.ts";
import { closedLoop, median, openLoop, quantile } from "./load.ts";
import { type BenchModel, writeBenchModels } from "./models.ts";
import { comparePeers } from "./peers.ts";
import { type ServerProcess, serverTarget, startRaw, startServer } from "./processes.ts";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "12" },
    rounds: { type: "string", default: "5" },
    threads: { type: "string", default: "2" },
    markdown: { type: "string" },
    only: { type: "string", default: "ratio,idle,overload,fairness,peers" },
  },
});
const windowMs = Number(flags.seconds) * 1_000;
const rounds = Number(flags.rounds);
const threads = Number(flags.threads);
const shared = process.env.PACKSHOT_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));

type Row = Record<string, string | number>;
const report: { hardware: string; loadBefore: string; tables: Record<string, Row[]> } = {
  hardware: hardware(),
  loadBefore: loadNow(),
  tables: {},
};
const say = (text: string): void => void process.stdout.write(`${text}\n`);

function put(table: string, row: Row): void {
  report.tables[table] = [...(report.tables[table] ?? []), row];
  say(`${table}: ${JSON.stringify(row)}`);
}

const round1 = (value: number): number => Math.round(value * 10) / 10;
const round3 = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Images/s served ÷ raw, at concurrency 8. */
async function ratio(server: ServerProcess, model: BenchModel): Promise<void> {
  const raw = await startRaw(model.file, model.side, 1, threads);
  const target = await serverTarget(server.address, model.name, model.side);
  await closedLoop(target, 8, 1_500);
  const rawRates: number[] = [];
  const servedRates: number[] = [];
  const rawCpu: number[] = [];
  const servedCpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ms, cpuMs } = await raw.run({ windowMs });
    rawRates.push((1_000 * ms.length) / ms.reduce((a, b) => a + b, 0));
    rawCpu.push(cpuMs / ms.length);
    const cpuBefore = server.cpuMs();
    const served = await closedLoop(target, 8, windowMs);
    servedRates.push(served.perSecond);
    // The window's end cuts off up to eight requests that are paid for: they are answered, and counted here.
    servedCpu.push((server.cpuMs() - cpuBefore) / (served.answered + served.afterWindow));
  }
  const pairs = servedRates.map((rate, at) => rate / rawRates[at]!);
  put("served ÷ raw, concurrency 8", {
    model: model.name,
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

/** What one request costs beyond its run, with nothing else going on: single requests and single runs alternate. */
async function idle(server: ServerProcess, model: BenchModel, count: number): Promise<void> {
  const raw = await startRaw(model.file, model.side, 1, threads);
  const target = await serverTarget(server.address, model.name, model.side);
  for (let warm = 0; warm < 5; warm += 1) await target.send("bench", Date.now() + 60_000);
  const rawMs: number[] = [];
  const servedMs: number[] = [];
  for (let at = 0; at < count; at += 1) {
    rawMs.push(...(await raw.run({ runs: 1 })).ms);
    const startedAt = performance.now();
    await target.send("bench", Date.now() + 60_000);
    servedMs.push(performance.now() - startedAt);
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

/** Twice what it can do: work done in time must not fall, nobody is answered late, memory stays. */
async function overload(server: ServerProcess, model: BenchModel, seconds: number): Promise<void> {
  const target = await serverTarget(server.address, model.name, model.side);
  const shorter = (seconds * 1_000) / 3;
  const before = await closedLoop(target, 8, shorter);
  const patienceMs = 20 * (8_000 / before.perSecond / 8);
  const memoryBefore = server.residentMib();
  const over = await openLoop(target, {
    tenant: "bench",
    perSecond: 2 * before.perSecond,
    windowMs: seconds * 1_000,
    patienceMs,
    seed: 7,
  });
  const memoryAfter = server.residentMib();
  const after = await closedLoop(target, 8, shorter);
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

/** One tenant sends ten times what the other sends, together more than can be done. */
async function fairness(server: ServerProcess, model: BenchModel, seconds: number): Promise<void> {
  const target = await serverTarget(server.address, model.name, model.side);
  const peak = (await closedLoop(target, 8, 4_000)).perSecond;
  const modest = { tenant: "modest", perSecond: peak / 10, windowMs: seconds * 1_000, patienceMs: 120_000 };
  const alone = await openLoop(target, { ...modest, seed: 1 });
  const [together, flood] = await Promise.all([
    openLoop(target, { ...modest, seed: 1 }),
    openLoop(target, { ...modest, tenant: "flood", perSecond: peak, patienceMs: 4_000, seed: 2 }),
  ]);
  put("a tenant floods 10 : 1", {
    model: model.name,
    "modest requests": together.answered,
    "modest refused": together.refused,
    "modest p99 ms alone": round1(alone.p99Ms),
    "modest p99 ms beside the flood": round1(together.p99Ms),
    "one run ms": round1(1_000 / peak),
    "flood answered/s": round1(flood.perSecond),
    "flood p99 ms": round1(flood.p99Ms),
  });
  target.close();
}

/** The tables as they stand in bench/results. */
function markdown(): string {
  const about = `${report.hardware}. ${threads} threads a session; windows of ${flags.seconds} s, ${rounds} rounds; load average ${report.loadBefore} before, ${loadNow()} after.`;
  const tables = Object.entries(report.tables).map(([title, rows]) => {
    const columns = Object.keys(rows[0]!);
    const lines = [
      columns,
      columns.map(() => "---"),
      ...rows.map((row) => columns.map((column) => String(row[column]))),
    ];
    return `## ${title}\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
  });
  return `# Inference\n\n${about}\n\n${tables.join("\n")}`;
}

const folder = mkdtempSync(join(tmpdir(), "packshot-bench-"));
const wanted = new Set(flags.only.split(","));
say(`${report.hardware}; load ${report.loadBefore}`);
const { u2netp, light } = writeBenchModels(folder, shared);
const server = await startServer(folder, threads);
try {
  const models = u2netp ? [u2netp, light] : [light];
  if (wanted.has("ratio")) for (const model of models) await ratio(server, model);
  if (wanted.has("idle")) for (const model of models) await idle(server, model, model === light ? 300 : 30);
  if (wanted.has("overload")) for (const model of models) await overload(server, model, 3 * Number(flags.seconds));
  if (wanted.has("fairness")) await fairness(server, light, 3 * Number(flags.seconds));
  if (wanted.has("peers") && u2netp) {
    const published = join(shared, "models", "u2netp.onnx");
    for (const row of await comparePeers({
      server,
      model: u2netp,
      published,
      threads,
      windowMs,
      rounds: Math.min(rounds, 3),
      say,
    }))
      put("peers", row);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
say(`load ${loadNow()}`);
if (flags.markdown) writeFileSync(flags.markdown, markdown());
