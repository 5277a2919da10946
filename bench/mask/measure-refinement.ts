/**
 * Compares the network's matte with what refinement makes of it, on plain backdrops and in scenes:
 *
 *     node bench/mask/measure-refinement.ts [--model packshot-mask] [FOLDER…]
 *
 * A folder holds NAME.jpg with NAME.mask.png; without one, the photos with known truth are taken. A row names a photo
 * that loses or gains more than .02 of IoU by refinement or by the choice of the product.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import { refineMatte } from "../../services/inference/imaging/matting/refine-matte.ts";
import { resamplePlane } from "../../services/inference/imaging/pixels/resample.ts";
import { type MatteScore, scoreMatte } from "../../testing/mask/matte-scores.ts";
import { readPlane, shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createCachedModels } from "./cached-predictions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "packshot-mask" } },
});
const folders = positionals.length > 0 ? positionals : [join(shared, "photos"), join(shared, "photos-wild")];
const models = await createCachedModels(
  {
    "packshot-mask": join(root, "models", "packshot-mask", "1", "model.onnx"),
    u2netp: join(shared, "models", "u2netp.onnx"),
  },
  join(root, ".cache", "mattes"),
);

const steps = ["network", "refined", "chosen"] as const;
type Measured = Record<(typeof steps)[number], MatteScore> & { readonly isPlain: boolean };
const rightIouMin = 0.95;
const namedFrom = 0.02;

async function measure(folder: string, name: string): Promise<Measured | undefined> {
  const { plane, width, height } = await readPlane(join(folder, `${name}.mask.png`));
  const input = editInput(await readFile(join(folder, `${name}.jpg`)), models, {
    parameters: { model: options.model },
  });
  const done = await cutOut(input).catch((error: Error) => error);
  if (done instanceof Error) {
    process.stdout.write(`${name}: ${done.message}\n`);
    return undefined;
  }
  const { photo, flat, onGrid, prior, backdrop, cut } = done;
  const score = (alpha: Uint8Array) => scoreMatte(alpha, plane, width, height);
  const refined = refineMatte(flat, photo, onGrid, prior, backdrop);
  return {
    network: score(resamplePlane(prior.alpha, prior, photo)),
    refined: score(refined.alpha),
    chosen: score(cut.alpha),
    isPlain: refined.isPlain,
  };
}

function printGroup(label: string, group: readonly Measured[]): void {
  if (group.length === 0) return;
  const mean = (read: (measured: Measured) => number) =>
    (group.reduce((sum, measured) => sum + read(measured), 0) / group.length).toFixed(4);
  const cells = steps.map((step) => {
    const right = group.filter((measured) => measured[step].iou >= rightIouMin).length;
    return `${step} ${mean((m) => m[step].iou)} / ${mean((m) => m[step].boundaryIou)}, ${right} right`;
  });
  process.stdout.write(`${label}, ${group.length}: ${cells.join("; ")}\n`);
}

const all: Measured[] = [];
for (const folder of folders) {
  const truths = (await readdir(folder)).filter((file) => file.endsWith(".mask.png")).sort();
  for (const file of truths) {
    const name = file.replace(".mask.png", "");
    const measured = await measure(folder, name);
    if (measured === undefined) continue;
    all.push(measured);
    const ious = steps.map((step) => measured[step].iou);
    if (Math.abs(ious[1]! - ious[0]!) > namedFrom || Math.abs(ious[2]! - ious[1]!) > namedFrom) {
      const shown = steps.map((step, n) => `${step} ${ious[n]!.toFixed(3)}`).join(", ");
      process.stdout.write(`${name} (${measured.isPlain ? "plain" : "scene"}): ${shown}\n`);
    }
  }
}
process.stdout.write("\n");
printGroup("all", all);
printGroup(
  "plain backdrops",
  all.filter(({ isPlain }) => isPlain),
);
printGroup(
  "scenes",
  all.filter(({ isPlain }) => !isPlain),
);
