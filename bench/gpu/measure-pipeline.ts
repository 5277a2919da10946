/** Times of an image model's graphs, one picture after the other in this process, and of pictures that a model server is asked for at once. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GraphRunner } from "@packshot/inference/generative/graph-runner.ts";
import { openPainter } from "@packshot/inference/generative/open-painter.ts";
import { startModelServer } from "@packshot/inference/model-server/model-server.ts";
import { type SessionPlace, sessionOptions } from "@packshot/inference/model-server/session-options.ts";
import { pipelineFileName, pipelineGraphs, readPipelineFile } from "@packshot/models/pipeline-file.ts";
import { silenceRuntime } from "@packshot/platform/config/silence-runtime.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { connectModelClient } from "../../testing/models/connect-model-client.ts";
import type { Row } from "../inference/report.ts";
import { round1, round3 } from "../inference/report.ts";
import { median } from "../measuring/statistics.ts";

silenceRuntime();
// It loads onnxruntime.
const { openOnnxGraphs } = await import("@packshot/inference/generative/onnx-graphs.ts");

const prompt = "a marble table in soft morning light";

/** Bytes that every process on the first GPU uses; undefined: there is no GPU, or it does not say. */
function usedGpuBytes(): number | undefined {
  try {
    const query = ["--query-gpu=memory.used", "--format=csv,noheader,nounits"];
    const printed = execFileSync("nvidia-smi", query, {
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const mebibytes = Number.parseInt(printed, 10);
    return Number.isNaN(mebibytes) ? undefined : mebibytes * 2 ** 20;
  } catch {
    return undefined;
  }
}

/** As the memory columns of a row, in megabytes. */
export function memoryRow(): Row {
  const gpu = usedGpuBytes();
  return {
    "most memory of the process, MB": Math.round(process.resourceUsage().maxRSS / 1_024),
    "memory in use on the GPU, MB": gpu === undefined ? "no GPU" : Math.round(gpu / 1e6),
  };
}

interface Spent {
  readonly elapsedMs: number;
  readonly processorMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Spent> {
  const startedAtMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { elapsedMs: performance.now() - startedAtMs, processorMs: (user + system) / 1_000 };
}

export interface MeasuredPipeline {
  /** A row for each graph that is loaded. */
  load(): Promise<Row[]>;
  /** Medians of so many pictures of a side, after one that is not counted. */
  paint(side: number, pictures: number): Promise<Row>;
  release(): Promise<void>;
}

/** @param folder of the model's version, with its `pipeline.json` */
export function openPipeline(folder: string, place: SessionPlace): MeasuredPipeline {
  const file = readPipelineFile(join(folder, pipelineFileName));
  const graphs = openOnnxGraphs(folder, sessionOptions(place));
  const json = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8"));
  const paint = openPainter(file, json);
  const spent = new Map<string, Spent[]>();
  const runner: GraphRunner = {
    async run(graph, inputs, signal) {
      let answer: Awaited<ReturnType<GraphRunner["run"]>> | undefined;
      const each = await timed(async () => {
        answer = await graphs.run(graph, inputs, signal);
      });
      spent.set(graph, [...(spent.get(graph) ?? []), each]);
      return answer!;
    },
  };

  function paintOne(side: number, seed: number): Promise<Spent> {
    const rgb = new Uint8Array(3 * side * side).fill(127);
    const fill = new Uint8Array(side * side).fill(255, 0, (side * side) / 2);
    const { signal } = new AbortController();
    const references = [{ width: side, height: side, rgb }];
    const request = { prompt, seed, width: side, height: side, steps: file.steps, references, fill, signal };
    return timed(() => paint(runner, request));
  }

  return {
    async load() {
      const rows: Row[] = [];
      for (const graph of pipelineGraphs[file.pipeline]) {
        const { elapsedMs } = await timed(() => graphs.load([graph]));
        rows.push({ graph, "load, ms": Math.round(elapsedMs), ...memoryRow() });
      }
      return rows;
    },
    async paint(side, pictures) {
      await paintOne(side, 0);
      spent.clear();
      const whole: Spent[] = [];
      for (let seed = 1; seed <= pictures; seed++) whole.push(await paintOne(side, seed));
      const middle = (graph: string) => round1(median(spent.get(graph)!.map(({ elapsedMs }) => elapsedMs)));
      return {
        side,
        "text, ms": middle("text_encoder"),
        "reference, ms": middle("vae_encoder"),
        "step, ms": middle(file.pipeline === "flux2-klein" ? "transformer" : "unet"),
        "decode, ms": middle("vae_decoder"),
        [`picture of ${file.steps} steps, ms`]: round1(median(whole.map(({ elapsedMs }) => elapsedMs))),
        "its processor time, ms": round1(median(whole.map(({ processorMs }) => processorMs))),
        ...memoryRow(),
      };
    },
    release: () => graphs.release(),
  };
}

export interface Asked {
  /** A model repository with the model. */
  readonly modelDir: string;
  readonly name: string;
  readonly place: SessionPlace;
  readonly side: number;
  /** How many pictures are asked for together, by turns. */
  readonly atOnce: readonly number[];
  /** Pictures for each of them. */
  readonly pictures: number;
}

/** What the image model has run, which is the only model of the server. */
async function stepsRun(registry: Registry): Promise<{ readonly steps: number; readonly pictures: number }> {
  const { values } = await registry.getSingleMetric("packshot_inference_batch_size")!.get();
  const named = values as readonly { readonly metricName?: string; readonly value: number }[];
  const of = (end: string) => named.find(({ metricName }) => metricName?.endsWith(end))?.value ?? 0;
  return { steps: of("_count"), pictures: of("_sum") };
}

/** Pictures a second through a model server, whose prompt is kept after the first. */
export async function askAtOnce({ modelDir, name, place, side, atOnce, pictures }: Asked): Promise<Row[]> {
  const registry = new Registry();
  const server = await startModelServer({
    host: "127.0.0.1",
    grpcPort: 0,
    httpPort: 0,
    modelDirs: [modelDir],
    executionProviders: place.providers,
    threads: place.threads,
    logger: createLogger({ name: "bench", level: "silent" }),
    metricsRegistry: registry,
  });
  const client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
  const painter = client.painter(name);
  const reference = new Uint8Array(3 * side * side).fill(127);
  const fill = new Uint8Array(side * side).fill(255, 0, (side * side) / 2);
  let seed = 0;
  const paint = () =>
    painter.paint({
      prompt,
      seed: seed++,
      strength: 1,
      width: side,
      height: side,
      reference,
      fill,
      tenant: "bench",
      deadlineAtMs: Date.now() + 600_000,
      signal: new AbortController().signal,
      onStep() {},
    });
  try {
    await paint();
    const rows: Row[] = [];
    for (const count of atOnce) {
      let left = Math.max(pictures, count);
      const total = left;
      const one = async () => {
        while (left-- > 0) await paint();
      };
      const before = await stepsRun(registry);
      const { elapsedMs, processorMs } = await timed(() => Promise.all(Array.from({ length: count }, one)));
      const after = await stepsRun(registry);
      rows.push({
        side,
        "asked at once": count,
        pictures: total,
        "pictures/s": round3((1_000 * total) / elapsedMs),
        "processor ms a picture": round1(processorMs / total),
        "pictures a step": round3((after.pictures - before.pictures) / (after.steps - before.steps)),
      });
    }
    return rows;
  } finally {
    client.close();
    await server.stop();
  }
}
