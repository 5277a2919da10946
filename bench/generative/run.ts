/**
 * Time and memory of an image model, by graph, in one process and on its CPU:
 *
 *     node bench/generative/run.ts [--model FOLDER] [--side 64] [--steps 4] [--pictures 3]
 *
 * The folder has `text_encoder.onnx`, `transformer.onnx`, `vae_encoder.onnx`, `vae_decoder.onnx`, `tokenizer.json` and
 * `pipeline.json` (services/inference/generative/klein-pipeline.ts). Without it: the tiny model of random weights of the specs,
 * whose graphs take 64 pixels; it says what the pipeline itself takes. The first picture loads the graphs and is not counted.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { GraphRunner } from "@packshot/inference/generative/graph-runner.ts";
import { paintByKlein } from "@packshot/inference/generative/klein-pipeline.ts";
import { promptTokenizer } from "@packshot/inference/generative/prompt-tokens.ts";
import { silenceRuntime } from "@packshot/platform/config/silence-runtime.ts";
import { readReferences, referencesFolder } from "../../testing/generative/references.ts";

silenceRuntime();
// It loads onnxruntime.
const { openOnnxGraphs } = await import("@packshot/inference/generative/onnx-graphs.ts");

const { values: flags } = parseArgs({
  options: {
    model: { type: "string" },
    side: { type: "string", default: "64" },
    steps: { type: "string", default: "4" },
    pictures: { type: "string", default: "3" },
  },
});
const folder = flags.model ?? `${referencesFolder}klein`;
const readJson = (name: string) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const config = flags.model === undefined ? readReferences("klein.json").pipeline : readJson("pipeline.json");
const graphs = openOnnxGraphs(folder, { logSeverityLevel: 3, intraOpNumThreads: 1 });

interface Spent {
  runs: number;
  elapsedMs: number;
  processorMs: number;
}
const spent = new Map<string, Spent>();

async function measured<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const sum = spent.get(name) ?? { runs: 0, elapsedMs: 0, processorMs: 0 };
  sum.runs += 1;
  sum.elapsedMs += performance.now() - startedAtMs;
  sum.processorMs += (user + system) / 1_000;
  spent.set(name, sum);
  return result;
}

const timed: GraphRunner = {
  run: (graph, inputs, signal) => measured(graph, () => graphs.run(graph, inputs, signal)),
};
const side = Number(flags.side);
const model = { config, graphs: timed, tokenizer: promptTokenizer(readJson("tokenizer.json"), "<|endoftext|>") };
const reference = new Uint8Array(3 * side * side).fill(127);
const fill = new Uint8Array(side * side).fill(255, 0, (side * side) / 2);
const paint = (seed: number) =>
  paintByKlein(model, {
    prompt: "a marble table in soft morning light",
    seed,
    width: side,
    height: side,
    steps: Number(flags.steps),
    references: [{ width: side, height: side, rgb: reference }],
    fill,
    signal: new AbortController().signal,
  });

await paint(0);
spent.clear();
const pictures = Number(flags.pictures);
for (let seed = 1; seed <= pictures; seed++) await measured("whole picture", () => paint(seed));
await graphs.release();

console.log(`${folder}: ${pictures} pictures of ${side}², ${flags.steps} steps, with a reference and a mask`);
for (const [name, { runs, elapsedMs, processorMs }] of spent) {
  const each = [elapsedMs, processorMs].map((ms) => (ms / runs).toFixed(2));
  console.log(`${name.padEnd(16)}${runs} runs, ${each[0]} ms each, ${each[1]} ms of processor time`);
}
console.log(`memory: at most ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
