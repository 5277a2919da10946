/**
 * The model server against raw onnxruntime, under overload, and with a tenant that floods:
 *
 *     node bench/inference/run.ts [--seconds 12] [--rounds 5] [--threads 2] [--markdown FILE] [--only ratio,threads,idle,overload,fairness,peers]
 *
 * Raw and served windows alternate and medians are compared, so that other work on the machine slows both alike.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fairness, idle, type Measuring, overload, ratio, threadsOf } from "./measures.ts";
import { writeBenchModels } from "./models.ts";
import { comparePeers } from "./peers.ts";
import { startServer } from "./processes.ts";
import { createReport } from "./report.ts";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "12" },
    rounds: { type: "string", default: "5" },
    threads: { type: "string", default: "2" },
    markdown: { type: "string" },
    only: { type: "string", default: "ratio,threads,idle,overload,fairness,peers" },
  },
});
const windowMs = Number(flags.seconds) * 1_000;
const rounds = Number(flags.rounds);
const threads = Number(flags.threads);
const shared = process.env.PACKSHOT_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));

const report = createReport();
const measuring: Measuring = { put: report.put, windowMs, rounds, threads };

const folder = mkdtempSync(join(tmpdir(), "packshot-bench-"));
const wanted = new Set(flags.only.split(","));
const { u2netp, light } = writeBenchModels(folder, shared);
const server = await startServer(folder, threads);
try {
  const models = u2netp ? [u2netp, light] : [light];
  if (wanted.has("ratio")) for (const model of models) await ratio(server, model, measuring);
  if (wanted.has("threads")) for (const model of models) await threadsOf(server, model, measuring);
  if (wanted.has("idle")) for (const model of models) await idle(server, model, measuring, model === light ? 300 : 60);
  if (wanted.has("overload")) for (const model of models) await overload(server, model, measuring);
  // The smaller tenant sends more to a slow model, because a p99 needs hundreds of requests.
  if (wanted.has("fairness"))
    for (const model of models) await fairness(server, model, measuring, model === light ? 0.1 : 0.25);
  if (wanted.has("peers") && u2netp) {
    const published = join(shared, "models", "u2netp.onnx");
    const rows = await comparePeers({
      server,
      model: u2netp,
      published,
      threads,
      windowMs,
      rounds: Math.min(rounds, 3),
      say: report.say,
    });
    report.put("peers", ...rows);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
if (flags.markdown) {
  const about = `${threads} threads a session; windows of ${flags.seconds} s, ${rounds} rounds.`;
  writeFileSync(flags.markdown, report.markdown(about));
}
