/**
 * Prints the SHA-256 of every picture that the tools make of the photos in PACKSHOT_SHARED, one line each, so that two
 * commits can be compared to the byte: `node bench/edits/digests.ts > after.txt && diff before.txt after.txt`.
 */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EditParameters, ToolId } from "@packshot/domain/tools.ts";
import { runEdit } from "../../services/inference/edits/run-edit.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { shared } from "../../testing/mask/photos-with-truth.ts";

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

for (const folder of ["photos", "photos-wild"]) {
  const names = (await readdir(join(shared, folder))).filter((name) => name.endsWith(".jpg")).sort();
  for (const name of names) {
    const source = await readFile(join(shared, folder, name));
    for (const [title, tool, asked] of edits) {
      const parameters = { seed: 7, model: "packshot-mask", ...asked };
      const { signal } = new AbortController();
      const common = { source, parameters, signal, models, tenant: "digests", maxPixels: 1e8, onStage: () => {} };
      const made = await runEdit({ ...common, tool, deadlineAtMs: Date.now() + 600_000 }).then(
        ({ result, thumbnail }) => [result, thumbnail].map(({ bytes }) => digest(bytes)).join(" "),
        (error: Error) => error.message,
      );
      process.stdout.write(`${folder}/${name} ${title}: ${made}\n`);
    }
  }
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}
