/**
 * Measures the openings of cut-outs whose truth is known, as refinement does:
 *
 *     node training/openings/features.ts [--model packshot-mask] FOLDER…
 *     node training/openings/features.ts [--model packshot-mask] --shop FOLDER
 *
 * A folder holds NAME.jpg with NAME.mask.png (training/mask/held_out.py). Writes features-MODEL.json into each for fit.py. With --shop
 * the openings are those of $PACKSHOT_SHARED/photos-shop that an eye judged (photos-shop.json: centers, as shares of width and height).
 */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createCachedModels } from "../../bench/mask/cached-predictions.ts";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import { inKernelMemory } from "../../services/inference/imaging/kernels/kernel-memory.ts";
import {
  describeOpenings,
  measureOpening,
  type OpeningScene,
  openingFeatureNames,
} from "../../services/inference/imaging/matting/mend/opening-features.ts";
import { measurePhoto, segmentProduct } from "../../services/inference/imaging/matting/refine-matte.ts";
import { readPlane, shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "packshot-mask" }, shop: { type: "string" } },
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

type Planes = Pick<Awaited<ReturnType<typeof cutOut>>, "onGrid" | "prior" | "backdrop">;

/** undefined: nothing is found in the photo. */
async function predict(name: string, bytes: Uint8Array): Promise<Planes | undefined> {
  const input = editInput(bytes, models, { parameters: { model: options.model } });
  const done = await cutOut(input, { refine: false }).catch((error: Error) => error);
  if (!(done instanceof Error)) return done;
  process.stdout.write(`${name}: ${done.message}\n`);
  return undefined;
}

/** Each opening that is judged, to what is measured of it, within the kernels' memory. */
function listOpenings<T>(
  { onGrid, prior, backdrop }: Planes,
  each: (scene: OpeningScene, label: number) => T,
): readonly T[] {
  return inKernelMemory(() => {
    const { region, grid, evidence } = segmentProduct(measurePhoto(onGrid, backdrop), prior, backdrop);
    const scene = describeOpenings(region, grid, evidence, prior.views);
    return scene === undefined ? [] : [...scene.runsOf.keys()].map((label) => each(scene, label));
  });
}

const featuresOf = (scene: OpeningScene, label: number) =>
  measureOpening(scene, label).map((value) => Math.round(value * 10_000) / 10_000);

async function measure(folder: string, name: string): Promise<readonly Row[]> {
  const { plane, width, height } = await readPlane(join(folder, `${name}.mask.png`));
  const planes = await predict(name, await readFile(join(folder, `${name}.jpg`)));
  if (planes === undefined) return [];
  return listOpenings(planes, (scene, label) => {
    const { grid, gaps, boxes, runsOf, productCells } = scene;
    const isProduct = (i: number) => {
      const row = Math.floor(i / grid.width);
      const x = Math.floor(((i - row * grid.width + 0.5) / grid.width) * width);
      const y = Math.floor(((row + 0.5) / grid.height) * height);
      return plane[y * width + x]! >= 128;
    };
    let shut = 0;
    let beside = 0;
    const runs = runsOf.get(label)!;
    for (const at of runs) {
      const first = gaps.runs[at]!;
      const end = gaps.runs[at + 1]!;
      for (let i = first; i < end; i++) if (isProduct(i)) shut++;
      if (isProduct(first - besideCells)) beside++;
      if (isProduct(end - 1 + besideCells)) beside++;
    }
    const { left, top, width: w, height: h } = boxes.get(label)!;
    const cells = gaps.sizes[label]!;
    return {
      photo: name,
      open: 1 - shut / cells,
      share: cells / productCells,
      beside: beside / (2 * runs.length),
      x: Math.round(((left + w / 2) / grid.width) * width),
      y: Math.round(((top + h / 2) / grid.height) * height),
      f: featuresOf(scene, label),
    };
  });
}

type Place = readonly [x: number, y: number];
/** By photo, the middles of the openings' boxes. */
type Judged = Readonly<Record<string, { readonly open?: readonly Place[]; readonly shut?: readonly Place[] }>>;

/** An opening is the one that was judged if its middle is within this share of the photo's sides from it. */
const placeReach = 0.02;

/** Rows of what an eye judged in one photo. */
async function measureShop(file: string, { open = [], shut = [] }: Judged[string]): Promise<readonly Row[]> {
  const planes = await predict(file, await readFile(join(shopFolder, file)));
  if (planes === undefined) return [];
  const rows = listOpenings(planes, (scene, label): readonly Row[] => {
    const { grid, gaps, boxes, productCells } = scene;
    const { left, top, width: w, height: h } = boxes.get(label)!;
    const x = (left + w / 2) / grid.width;
    const y = (top + h / 2) / grid.height;
    const isThere = (places: readonly Place[]) =>
      places.some((place) => Math.max(Math.abs(place[0] - x), Math.abs(place[1] - y)) < placeReach);
    if (!isThere(open) && !isThere(shut)) return [];
    const share = gaps.sizes[label]! / productCells;
    return [
      { photo: parse(file).name, open: isThere(open) ? 1 : 0, share, beside: 1, x, y, f: featuresOf(scene, label) },
    ];
  });
  return rows.flat();
}

const shopFolder = join(shared, "photos-shop");

async function write(folder: string, rows: readonly Row[], photos: number): Promise<void> {
  const text = JSON.stringify({ featureNames: openingFeatureNames, rows });
  await writeFile(join(folder, `features-${options.model}.json`), text);
  process.stdout.write(`${folder}: ${rows.length} openings of ${photos} photos\n`);
}

for (const folder of folders) {
  const names = (await readdir(folder)).filter((file) => file.endsWith(".mask.png")).sort();
  const rows: Row[] = [];
  for (const file of names) rows.push(...(await measure(folder, file.replace(".mask.png", ""))));
  await write(folder, rows, names.length);
}
if (options.shop !== undefined) {
  const judged = JSON.parse(await readFile(join(root, "training", "openings", "photos-shop.json"), "utf8")) as Judged;
  const files = (await readdir(shopFolder)).filter((file) => judged[parse(file).name] !== undefined).sort();
  const rows: Row[] = [];
  for (const file of files) rows.push(...(await measureShop(file, judged[parse(file).name]!)));
  await mkdir(options.shop, { recursive: true });
  await write(options.shop, rows, files.length);
}
