/**
 * Prints the SHA-256 of every image that the tools make of the photos in PACKSHOT_SHARED, one line per photo and
 * edit, so that two commits can be compared to the byte: `node bench/edits/digests.ts [NAME] > after.txt && diff
 * before.txt after.txt`. NAME limits the run to the photos whose names contain it.
 */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";
import { shared } from "../../testing/mask/photos-with-truth.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";

const models = createInProcessModels({
  "packshot-mask": "models/packshot-mask/1/model.onnx",
  u2netp: join(shared, "models", "u2netp.onnx"),
});

const edits: readonly (readonly [string, ToolId, Partial<EditParameters>])[] = [
  ["mask", "mask", { model: "packshot-mask" }],
  ["mask u2netp", "mask", { model: "u2netp" }],
  ["ai-shadows", "ai-shadows", { model: "packshot-mask" }],
  ["ai-bg", "ai-bg", { model: "packshot-mask", theme: "oak table, morning light" }],
  ["preset", "mask", { model: "packshot-mask", preset: "amazon-main" }],
];

const [, , nameFilter = ""] = process.argv;

for (const folder of ["photos", "photos-wild"]) {
  const files = (await readdir(join(shared, folder))).filter((file) => file.endsWith(".jpg")).sort();
  for (const file of files.filter((name) => name.includes(nameFilter))) {
    const source = await readFile(join(shared, folder, file));
    for (const [title, tool, parametersOfEdit] of edits) {
      const parameters = { seed: 7, model: "packshot-mask", ...parametersOfEdit };
      const { signal } = new AbortController();
      const common = { source, parameters, signal, models, tenant: "digests", maxPixels: 1e8, onStage: () => {} };
      const digests = await runEdit({ ...common, tool, deadlineAtMs: Date.now() + 600_000 }).then(
        ({ result, thumbnail }) => [result, thumbnail].map(({ bytes }) => digest(bytes)).join(" "),
        (error: Error) => error.message,
      );
      process.stdout.write(`${folder}/${file} ${title}: ${digests}\n`);
    }
  }
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}
