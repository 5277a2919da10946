/**
 * The record of what the pipeline makes of our sample photos: digests of results by edit, and the version that made them. A change
 * that gives other bytes must raise the version in `packages/domain/edits/pipeline.ts`; then `node scripts/record-pipeline.ts`
 * writes the record anew.
 *
 * The network is left out: its floats differ between processors, and its weights have a version of their own. In its place the
 * distance to the fitted backdrop is the matte, which is the product on the plain grounds of these photos.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";
import { editInput } from "../models/edit-input.ts";

export interface PipelineRecord {
  readonly pipeline: string;
  /** By photo and edit. */
  readonly digests: Readonly<Record<string, string>>;
}

const recordFile = new URL("pipeline-record.json", import.meta.url);

export function readPipelineRecord(): PipelineRecord {
  return JSON.parse(readFileSync(recordFile, "utf8")) as PipelineRecord;
}

const photos = ["bag", "mug", "stool"] as const;

const edits: Readonly<Record<string, { readonly tool: ToolId; readonly parameters: EditParameters }>> = {
  mask: { tool: "mask", parameters: {} },
  "mask as WebP": { tool: "mask", parameters: { output: { format: "webp", crop: "product", padding: 0.1 } } },
  "mask for Amazon": { tool: "mask", parameters: { preset: "amazon-main" } },
  "ai-shadows": { tool: "ai-shadows", parameters: {} },
  "ai-bg": { tool: "ai-bg", parameters: { theme: "oak table, morning light", output: { width: 800 } } },
};

const side = 160;

const backdropModel: ModelClient = {
  async describe() {
    return { width: side, height: side, channels: "rgb+backdrop", testTimeAugmentation: false, version: "1" };
  },
  async predict({ input }) {
    const [batch = 1, height = side, width = side, channels = 4] = input.shape;
    const data = new Uint8Array(batch * height * width);
    for (let i = 0; i < data.length; i++)
      data[i] = Math.min(255, Math.max(0, 8 * (input.data[i * channels + 3]! - 20)));
    return { output: { shape: [batch, height, width, 1], data }, modelName: "backdrop", modelVersion: "1" };
  },
};

export async function pipelineDigests(): Promise<PipelineRecord["digests"]> {
  const digests: Record<string, string> = {};
  for (const photo of photos) {
    const source = readFileSync(new URL(`../../cli/demo/sample/${photo}.jpg`, import.meta.url));
    for (const [name, { tool, parameters }] of Object.entries(edits)) {
      const { result } = await runEdit(
        editInput(source, backdropModel, { tool, parameters: { seed: 7, ...parameters } }),
      );
      digests[`${photo}, ${name}`] = createHash("sha256").update(result.bytes).digest("hex").slice(0, 32);
    }
  }
  return digests;
}
