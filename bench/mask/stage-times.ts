/** Processor time of each stage of `mask`, by the photo's size. */

import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { resizedPhoto } from "../measuring/resized-photo.ts";
import { median } from "../measuring/statistics.ts";

const warmUps = 5;
const runs = 7;

/** Median milliseconds of processor time (all threads) by stage, for a JPEG of about `megapixels`. */
export async function timeStages(photo: Buffer, megapixels: number, model: string, models: ModelClient) {
  const source = await resizedPhoto(photo, megapixels);
  const edit = async (onStage: (stage: string) => void) => {
    await runEdit(editInput(source, models, { parameters: { model }, onStage }));
  };
  // Workers are long-lived: their code is compiled, and the model's session has started.
  for (let run = 0; run < warmUps; run++) await edit(() => {});
  const byStage = new Map<string, number[]>();
  for (let run = 0; run < runs; run++) {
    const marks: { readonly stage: string; readonly usedMs: number }[] = [];
    const start = process.cpuUsage();
    const usedMs = () => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    await edit((stage) => marks.push({ stage, usedMs: usedMs() }));
    const end = usedMs();
    for (const [i, { stage, usedMs: from }] of marks.entries()) {
      byStage.set(stage, [...(byStage.get(stage) ?? []), (marks[i + 1]?.usedMs ?? end) - from]);
    }
  }
  return new Map([...byStage].map(([stage, times]) => [stage, Math.round(median(times))]));
}
