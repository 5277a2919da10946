/**
 * The model server on a GPU, against raw onnxruntime-node on the same GPU with the same graph; README.md says what each
 * table is.
 *
 *     sh bench/gpu/install-cuda-provider.sh        # once: onnxruntime-node's CUDA library
 *     node bench/gpu/run.ts [--side 1024] [--seconds 10] [--rounds 5] [--instances 2] [--model birefnet-general-lite] [--markdown FILE]
 *
 * Without --model it measures a network of random weights (12 convolutions of 64 channels, half floats), with it pulled
 * weights from PACKSHOT_MODEL_DIR. Exits with 1 and says what is missing where no GPU runs the model.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { doctor } from "@packshot/models/doctor.ts";
import { parseManifest } from "@packshot/models/manifest.ts";
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { servedModel } from "@packshot/models/served-model.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";
import { fairness, idle, type Measuring, overload, ratio, threadsOf } from "../inference/measures.ts";
import { type BenchModel, writeModel } from "../inference/models.ts";
import { startServer } from "../inference/processes.ts";
import { createReport } from "../inference/report.ts";

const { values: flags } = parseArgs({
  options: {
    side: { type: "string", default: "1024" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
    instances: { type: "string", default: "2" },
    model: { type: "string" },
    markdown: { type: "string" },
  },
});
const side = Number(flags.side);
const bundledDir = fileURLToPath(new URL("../../models", import.meta.url));
const report = createReport();

const findings = await doctor({ bundledDir, executionProviders: ["cuda"] });
for (const { check, state, message } of findings) report.say(`${state.padEnd(8)}${check}: ${message}`);
if (findings.some(({ check, state }) => state === "fault" && /gpu|cuda/.test(check))) {
  report.say("nothing was measured: bench/gpu/README.md says what a machine needs");
  process.exit(1);
}

/**
 * The network to measure: in `folder` as the server reads it, and as the server makes it on a GPU, for the raw runs.
 */
function writeMeasured(folder: string): BenchModel {
  const pulled = flags.model && join(process.env.PACKSHOT_MODEL_DIR ?? bundledDir, flags.model, "1", "model.onnx");
  if (pulled && !existsSync(pulled)) throw new Error(`${pulled} is not here: packshot models pull ${flags.model}`);
  const standIn = () => tinySegmenter({ width: side, height: side, channels: 3, depth: 12, hidden: 64 });
  const core = pulled ? readFileSync(pulled) : encodeModel(standIn());
  const model = writeModel(folder, "gpu", side, core, flags.model);
  const manifest = parseManifest(readFileSync(join(folder, "gpu", "packshot.json"), "utf8"), "gpu");
  const half = join(folder, "gpu-half.bin");
  writeFileSync(half, servedModel(readFileSync(model.file), manifest, { halfPrecision: true }).bytes);
  return { ...model, file: half };
}

const folder = mkdtempSync(join(tmpdir(), "packshot-gpu-"));
try {
  const model = writeMeasured(folder);
  const server = await startServer(folder, 1, {
    PACKSHOT_EXECUTION_PROVIDERS: "cuda",
    PACKSHOT_REQUIRE_GPU: "1",
    PACKSHOT_LOG_LEVEL: "info",
    PACKSHOT_MODEL_INSTANCES: flags.instances,
  });
  try {
    const windowMs = Number(flags.seconds) * 1_000;
    const rounds = Number(flags.rounds);
    const measuring: Measuring = { put: report.put, windowMs, rounds, threads: 1, provider: "cuda" };
    // Enough at once that a batch of this size waits while another runs.
    for (const batch of [1, 4, 8, 16]) await ratio(server, model, measuring, { batch, concurrency: 2 * batch });
    await idle(server, model, measuring, 200);
    await threadsOf(server, model, measuring);
    await overload(server, model, measuring);
    await fairness(server, model, measuring, 0.1);
  } finally {
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (flags.markdown) {
  const about = `${flags.instances} instances of ${flags.model ?? "12 convolutions of 64 channels, random weights"}, half floats, ${side}².`;
  writeFileSync(flags.markdown, report.markdown(about));
}
