/** Processor time of each stage of `mask`, by the size of the photo. */

import sharp from "sharp";
import type { ModelClient } from "../../services/inference/model-client/predict.ts";
import { runEdit } from "../../services/inference/edits/run-edit.ts";

/** Milliseconds of processor time (all threads) by stage, for a JPEG of about so many megapixels. */
export async function timeStages(photo: Buffer, megapixels: number, model: string, models: ModelClient) {
  const { width, height } = await sharp(photo).metadata();
  const scale = Math.sqrt((megapixels * 1e6) / (width * height));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const source = await sharp(photo).resize(size).jpeg({ quality: 92 }).toBuffer();
  const edit = async (onStage: (stage: string) => void) => {
    await runEdit({
      tool: "mask",
      source,
      parameters: { seed: 1, model },
      tenant: "bench",
      deadlineAtMs: Date.now() + 300_000,
      maxPixels: 100_000_000,
      models,
      signal: new AbortController().signal,
      onStage,
    });
  };
  // The first run compiles, and the model's session starts in it.
  await edit(() => {});
  const marks: { readonly stage: string; readonly usedMs: number }[] = [];
  const start = process.cpuUsage();
  const usedMs = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  await edit((stage) => marks.push({ stage, usedMs: usedMs() }));
  const end = usedMs();
  return new Map(marks.map(({ stage, usedMs: from }, i) => [stage, Math.round((marks[i + 1]?.usedMs ?? end) - from)]));
}
