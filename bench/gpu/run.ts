/**
 * The model server on a GPU, against raw onnxruntime-node on the same GPU with the same graph; README.md says what each
 * table is.
 *
 *     sh bench/gpu/install-cuda-provider.sh        # once: onnxruntime-node's CUDA library
 *     node bench/gpu/run.ts [--side 1024] [--seconds 10] [--rounds 5] [--instances 2] [--model birefnet-general-lite]
 *       [--only ratio,idle,threads,overload,fairness] [--batches 1,4,8,16] [--requests 200] [--markdown FILE]
 *
 * Without --model it measures a network of random weights (12 convolutions of 64 channels, half floats), with it a bundled
 * model or pulled weights from PACKSHOT_MODEL_DIR. The markdown file is written after each table, so that a run that is cut
 * off leaves those it has. Exits with 1 and says what is missing where no GPU runs the model.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { doctor } from "@packshot/models/doctor.ts";
import { type ModelManifest, parseManifest } from "@packshot/models/manifest.ts";
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { servedModel } from "@packshot/models/served-model.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";
import { fairness, idle, type Measuring, overload, ratio, threadsOf } from "../inference/measures.ts";
import { type BenchModel, writeModel } from "../inference/models.ts";
import { type MeasuredServer, startServer } from "../inference/processes.ts";
import { createReport } from "../inference/report.ts";

const { values: flags } = parseArgs({
  options: {
    side: { type: "string" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
    instances: { type: "string", default: "2" },
    model: { type: "string" },
    only: { type: "string", default: "ratio,idle,threads,overload,fairness" },
    batches: { type: "string", default: "1,4,8,16" },
    requests: { type: "string", default: "200" },
    markdown: { type: "string" },
  },
});
const bundledDir = fileURLToPath(new URL("../../models", import.meta.url));
const report = createReport();
const startedAtMs = performance.now();

const findings = await doctor({ bundledDir, executionProviders: ["cuda"] });
for (const { check, state, message } of findings) report.say(`${state.padEnd(8)}${check}: ${message}`);
if (findings.some(({ check, state }) => state === "fault" && /gpu|cuda/.test(check))) {
  report.say("nothing was measured: bench/gpu/README.md says what a machine needs");
  process.exit(1);
}

interface Measured {
  readonly model: BenchModel;
  readonly about: string;
}

/**
 * The network to measure: in `folder` as the server reads it, and as the server makes it on a GPU, for the raw runs.
 */
function writeMeasured(folder: string): Measured {
  const file = flags.model && weightsOf(flags.model);
  const side = Number(flags.side ?? (flags.model ? manifestOf(join(bundledDir, flags.model)).pre.width : 1024));
  const standIn = () => tinySegmenter({ width: side, height: side, channels: 3, depth: 12, hidden: 64 });
  const model = writeModel(folder, "gpu", side, file ? readFileSync(file) : encodeModel(standIn()), flags.model);
  const home = join(folder, "gpu");
  const config = parseModelConfig(readFileSync(join(home, "config.pbtxt"), "utf8"), "config.pbtxt");
  const halfPrecision = config.parameters["packshot.gpu_precision"] === "fp16";
  const raw = join(folder, "gpu-raw.bin");
  writeFileSync(raw, servedModel(readFileSync(model.file), manifestOf(home), { halfPrecision }).bytes);
  const network = flags.model ?? "12 convolutions of 64 channels, random weights";
  return {
    model: { ...model, file: raw },
    about: `${flags.instances} instances of ${network}, ${halfPrecision ? "half floats" : "as its file has it"}, ${side}².`,
  };
}

function weightsOf(name: string): string {
  const folders = [process.env.PACKSHOT_MODEL_DIR, bundledDir].filter((each) => each !== undefined);
  const file = folders.map((each) => join(each, name, "1", "model.onnx")).find(existsSync);
  if (file === undefined) throw new Error(`the weights of ${name} are not here: packshot models pull ${name}`);
  return file;
}

function manifestOf(home: string): ModelManifest {
  return parseManifest(readFileSync(join(home, "packshot.json"), "utf8"), basename(home));
}

/** Measures what --only names, one after the other, and says when each begins. */
async function measureAll(server: MeasuredServer, { model, about }: Measured): Promise<void> {
  const windowMs = Number(flags.seconds) * 1_000;
  const rounds = Number(flags.rounds);
  const warmUpMs = Math.min(10_000, 2 * windowMs);
  const measuring: Measuring = { put: report.put, windowMs, rounds, threads: 1, provider: "cuda", warmUpMs };
  // Enough at once that a batch of this size waits while another runs.
  const ratios = flags.batches
    .split(",")
    .map(Number)
    .map((batch) => ({
      name: "ratio",
      title: `served ÷ raw, batch ${batch}`,
      measure: () => ratio(server, model, measuring, { batch, concurrency: 2 * batch }),
    }));
  const others = [
    { name: "idle", title: "single requests", measure: () => idle(server, model, measuring, Number(flags.requests)) },
    { name: "threads", title: "threads", measure: () => threadsOf(server, model, measuring) },
    { name: "overload", title: "twice the capacity", measure: () => overload(server, model, measuring) },
    { name: "fairness", title: "a flood", measure: () => fairness(server, model, measuring, 0.1) },
  ];
  const wanted = [...ratios, ...others].filter(({ name }) => flags.only.split(",").includes(name));
  for (const [at, { title, measure }] of wanted.entries()) {
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
    report.say(`${seconds} s: ${at + 1} of ${wanted.length}, ${title}`);
    await measure();
    if (flags.markdown) writeFileSync(flags.markdown, report.markdown(about));
  }
}

const folder = mkdtempSync(join(tmpdir(), "packshot-gpu-"));
try {
  const measured = writeMeasured(folder);
  const server = await startServer(folder, 1, {
    PACKSHOT_EXECUTION_PROVIDERS: "cuda",
    PACKSHOT_REQUIRE_GPU: "1",
    PACKSHOT_LOG_LEVEL: "info",
    PACKSHOT_MODEL_INSTANCES: flags.instances,
  });
  try {
    await measureAll(server, measured);
  } finally {
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}
