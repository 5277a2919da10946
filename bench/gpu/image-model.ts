/**
 * An image model's figures: load, milliseconds for text, step and decoding, pictures a second, memory. README.md says what each table is.
 *
 *     node bench/gpu/image-model.ts --model NAME [--model-dir data/models] [--provider cuda] [--sides 512,768,1024]
 *       [--at-once 1,2,4,8] [--pictures 3] [--markdown FILE]
 *
 * Without --model it measures the stand-in on the CPU, which says what the code between the graphs takes and nothing of a model; --batch 8
 * gives its steps that many pictures, and --slow 1000 multiplies two matrices of so many rows for each picture of a step.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SessionPlace } from "@packshot/inference/model-server/session-options.ts";
import { explainCudaError } from "@packshot/models/cuda-check.ts";
import { pipelineFileName, readPipelineFile } from "@packshot/models/pipeline-file.ts";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { createReport } from "../inference/report.ts";
import { askAtOnce, memoryRow, openPipeline } from "./measure-pipeline.ts";

const { values: flags } = parseArgs({
  options: {
    model: { type: "string" },
    "model-dir": { type: "string", default: "data/models" },
    provider: { type: "string" },
    sides: { type: "string", default: "512,768,1024" },
    "at-once": { type: "string", default: "1,2,4,8" },
    pictures: { type: "string", default: "3" },
    batch: { type: "string", default: "1" },
    slow: { type: "string", default: "0" },
    markdown: { type: "string" },
  },
});
const numbers = (list: string): number[] => list.split(",").map(Number);
const name = flags.model ?? "stand-in";
const provider = flags.provider ?? (flags.model === undefined ? "cpu" : "cuda");
if (provider !== "cpu" && provider !== "cuda") throw new Error(`--provider ${provider} is neither cpu nor cuda`);
const place: SessionPlace = { providers: [provider], deviceId: 0, threads: availableParallelism() };
const report = createReport();

function newestVersion(home: string): string {
  const versions = existsSync(home) ? readdirSync(home).filter((each) => /^[1-9][0-9]*$/.test(each)) : [];
  const newest = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1);
  if (newest === undefined) throw new Error(`${home} has no image model: docs/guides/models.md says how it gets there`);
  return join(home, newest);
}

async function measure(repository: string): Promise<void> {
  const folder = newestVersion(join(repository, name));
  const { license, pixelsMax, description } = readPipelineFile(join(folder, pipelineFileName));
  report.say(`${name}: ${description} (${license})`);
  const sides = numbers(flags.sides).filter((side) => side * side <= pixelsMax);
  report.put("Before", memoryRow());
  const pipeline = openPipeline(folder, place);
  report.put("Load", ...(await pipeline.load()));
  for (const side of sides) report.put("A picture", await pipeline.paint(side, Number(flags.pictures)));
  await pipeline.release();
  const asked = {
    modelDir: repository,
    name,
    place,
    pictures: Number(flags.pictures),
    atOnce: numbers(flags["at-once"]),
  };
  for (const side of sides) report.put("Pictures at once", ...(await askAtOnce({ ...asked, side })));
  const about = `${name} on ${provider}: ${description}`;
  if (flags.markdown) writeFileSync(flags.markdown, report.markdown(about));
}

const scratch = mkdtempSync(join(tmpdir(), "packshot-image-bench-"));
try {
  // A repository of this model alone: a server loads all that is in one.
  if (flags.model === undefined)
    writeImageModel(scratch, name, {
      shift: 0.002,
      slowBy: Number(flags.slow),
      file: { pixelsMax: Math.max(...numbers(flags.sides)) ** 2, batchMax: Number(flags.batch) },
    });
  else symlinkSync(resolve(flags["model-dir"], name), join(scratch, name));
  await measure(scratch);
} catch (error) {
  report.say(provider === "cuda" ? explainCudaError(error as Error).message : (error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}
