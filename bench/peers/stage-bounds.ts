/** What this machine could do if everything but the stages of a mask edit cost nothing. */
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { choosePrecision } from "../../services/inference/model-server/model-precision.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { timeStages } from "../mask/stage-times.ts";
import { mean } from "../measuring/statistics.ts";
import type { PhotoSet } from "./photo-sets.ts";

/** The file that the model server runs on this processor. */
const [original, int8] = ["model.onnx", "model.int8.onnx"].map((file) =>
  fileURLToPath(new URL(`../../models/packshot-mask/1/${file}`, import.meta.url)),
) as [string, string];
const processor = { onGpu: false, halfOnGpu: false, hasInt8File: existsSync(int8), int8: "auto" } as const;
const bundled = choosePrecision(processor) === "int8" ? int8 : original;

export interface StageBound {
  /** As the system that it bounds is named. */
  readonly system: string;
  /** The photos'. */
  readonly title: string;
  /** All stages together, each measured alone in this process; the mean of the photos. */
  readonly cpuMs: number;
  /** Photos a second: the cores over that time. */
  readonly perSecond: number;
}

export async function measureStageBounds(weights: string, sets: readonly PhotoSet[]): Promise<StageBound[]> {
  const models = createInProcessModels({ u2netp: weights, "packshot-mask": bundled });
  const bounds: StageBound[] = [];
  for (const { title, photos } of sets) {
    for (const [system, model] of [
      ["Packshot, the same weights", "u2netp"],
      ["Packshot, bundled weights", "packshot-mask"],
    ] as const) {
      const times: number[] = [];
      for (const photo of photos) {
        const { width, height } = await sharp(photo).metadata();
        const stages = await timeStages(photo, (width * height) / 1e6, model, models);
        times.push(stages.values().reduce((sum, ms) => sum + ms, 0));
      }
      const cpuMs = Math.round(mean(times));
      bounds.push({ system, title, cpuMs, perSecond: (1000 * cpus().length) / cpuMs });
    }
  }
  return bounds;
}
