/**
 * Cuts out the photos of PACKSHOT_SHARED/photos-shop with the bundled weights, for an eye to choose from (cut_outs.json):
 *
 *     node training/mask/cut-outs.ts FOLDER          # NAME.png for each photo
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";
import { shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name a folder for the cut-outs");
const weights = fileURLToPath(new URL("../../models/packshot-mask/1/model.onnx", import.meta.url));
const models = createInProcessModels({ "packshot-mask": weights });
const photos = join(shared, "photos-shop");
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(photos).filter((name) => /\.(jpe?g|png|webp)$/.test(name))) {
  const { result } = await runEdit(editInput(readFileSync(join(photos, file)), models, { tool: "mask" }));
  writeFileSync(join(folder, `${parse(file).name}.png`), result.bytes);
}
