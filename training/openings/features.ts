/**
 * Measures the openings of cut-outs whose truth is known, as refinement does:
 *
 *     node training/openings/features.ts [--model packshot-mask] FOLDER…
 *
 * A folder holds NAME.jpg with NAME.mask.png (training/mask/held_out.py). Writes features-MODEL.json into each for fit.py.
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createCachedModels } from "../../bench/mask/cached-predictions.ts";
import { cutOut } from "../../services/inference/edits/cut-out.ts";
import { inKernelMemory } from "../../services/inference/imaging/kernels/kernel-memory.ts";
import {
  describeOpenings,
  measureOpening,
  openingFeatureNames,
} from "../../services/inference/imaging/matting/opening-features.ts";
import { segmentProduct } from "../../services/inference/imaging/matting/refine-matte.ts";
import { readPlane, shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "packshot-mask" } },
});
const models = await createCachedModels(
  {
    "packshot-mask": join(root, "models", "packshot-mask", "1", "model.onnx"),
    u2netp: join(shared, "models", "u2netp.onnx"),
  },
  join(root, ".cache", "mattes"),
);

/** What is beside an opening is looked at so many cells from its rim: nearer ones are edge. */
const besideCells = 4;

interface Row {
  readonly photo: string;
  /** Share of the opening that is open in the truth. */
  readonly open: number;
  /** Its area as a share of the product's. */
  readonly share: number;
  /** Share of what is beside it that is product in the truth: in a thing that is none, an opening is neither right nor wrong. */
  readonly beside: number;
  readonly x: number;
  readonly y: number;
  readonly f: readonly number[];
}

async function measure(folder: string, name: string): Promise<readonly Row[]> {
  const { plane, width, height } = await readPlane(join(folder, `${name}.mask.png`));
  const input = editInput(await readFile(join(folder, `${name}.jpg`)), models, {
    parameters: { model: options.model },
  });
  const done = await cutOut(input, { refine: false }).catch((error: Error) => error);
  if (done instanceof Error) {
    process.stdout.write(`${name}: ${done.message}\n`);
    return [];
  }
  const { onGrid, prior, backdrop } = done;
  return inKernelMemory(() => {
    const { region, grid, evidence } = segmentProduct(onGrid, prior, backdrop);
    const scene = describeOpenings(region, grid, evidence, prior.views);
    if (scene === undefined) return [];
    const isProduct = (i: number) => {
      const row = Math.floor(i / grid.width);
      const x = Math.floor(((i - row * grid.width + 0.5) / grid.width) * width);
      const y = Math.floor(((row + 0.5) / grid.height) * height);
      return plane[y * width + x]! >= 128;
    };
    return [...scene.runsOf.keys()].map((label) => {
      const { left, top, width: w, height: h } = scene.boxes[label]!;
      let shut = 0;
      let beside = 0;
      const runs = scene.runsOf.get(label)!;
      for (const at of runs) {
        const first = scene.gaps.runs[at]!;
        const end = scene.gaps.runs[at + 1]!;
        for (let i = first; i < end; i++) if (isProduct(i)) shut++;
        if (isProduct(first - besideCells)) beside++;
        if (isProduct(end - 1 + besideCells)) beside++;
      }
      const cells = scene.gaps.sizes[label]!;
      return {
        photo: name,
        open: 1 - shut / cells,
        share: cells / scene.productCells,
        beside: beside / (2 * runs.length),
        x: Math.round(((left + w / 2) / grid.width) * width),
        y: Math.round(((top + h / 2) / grid.height) * height),
        f: measureOpening(scene, label).map((value) => Math.round(value * 10_000) / 10_000),
      };
    });
  });
}

for (const folder of folders) {
  const names = (await readdir(folder)).filter((file) => file.endsWith(".mask.png")).sort();
  const rows: Row[] = [];
  for (const file of names) rows.push(...(await measure(folder, file.replace(".mask.png", ""))));
  const text = JSON.stringify({ featureNames: openingFeatureNames, rows });
  await writeFile(join(folder, `features-${options.model}.json`), text);
  process.stdout.write(`${folder}: ${rows.length} openings of ${names.length} photos\n`);
}
