/**
 * What the second prediction of test-time augmentation changes, photo by photo, and where it is left out:
 *
 *     node bench/mask/second-prediction.ts [--changed] [--weights models/packshot-mask/1/model.int8.onnx]
 *
 * Every photo with ground truth is cut out with one prediction and with two. With `--changed`, each is also mirrored,
 * cropped, turned, halved and squeezed: photos on which the limits of `needsSecondPrediction` were not chosen. New weights
 * need new limits. Predictions are cached.
 */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sharp, { type Sharp } from "sharp";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import { matteUncertainty } from "../../services/inference/imaging/matting/predict/matte-uncertainty.ts";
import {
  needsSecondPrediction,
  regionOfInterest,
} from "../../services/inference/imaging/matting/predict/test-time-augmentation.ts";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";
import { scoreMatte } from "../../testing/mask/matte-scores.ts";
import { shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { mean } from "../measuring/statistics.ts";
import { createCachedModels } from "./cached-predictions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bundled = join(root, "models", "packshot-mask", "1", "model.onnx");
const { values: options } = parseArgs({
  options: { changed: { type: "boolean", default: false }, weights: { type: "string", default: bundled } },
});
const files = { "packshot-mask": options.weights };
const models = await createCachedModels(files, join(root, ".cache", "mattes"));
const longSide = 1300;

type Change = (image: Sharp, width: number, height: number) => Sharp;
const changes: Readonly<Record<string, Change>> = {
  none: (image) => image,
  ...(options.changed && {
    mirrored: (image) => image.flop(),
    cropped: (image, width, height) => {
      const left = Math.round(0.04 * width);
      const top = Math.round(0.04 * height);
      return image.extract({ left, top, width: width - 2 * left, height: height - 2 * top });
    },
    turned: (image) => image.rotate(90),
    halved: (image, width, height) => image.resize({ width: width >> 1, height: height >> 1, fit: "fill" }),
    squeezed: (image, width, height) => image.resize({ width: Math.round(0.8 * width), height, fit: "fill" }),
  }),
};

/** The bundled model, with the second prediction where `isAlways`, else with none. */
function withPredictions(isAlways: boolean): ModelClient {
  return {
    ...models,
    describe: async (model) => ({ ...(await models.describe(model)), testTimeAugmentation: isAlways }),
  };
}

interface Difference {
  readonly isNeeded: boolean;
  readonly uncertainty: number;
  readonly residual: number;
  /** Sum of the differences of alpha ÷ sum of alpha. */
  readonly changed: number;
  readonly largest: number;
  /** One prediction's score minus that of two. */
  readonly iou: number;
  readonly boundaryIou: number;
}

async function compare(source: Buffer, truth: Uint8Array, width: number, height: number): Promise<Difference> {
  const one = await cutOut(editInput(source, withPredictions(false)));
  const { onGrid, backdrop } = one;
  const region = regionOfInterest(one.prior, onGrid);
  const isNeeded = region !== undefined && needsSecondPrediction(one.prior, region, onGrid, backdrop);
  const { cut } = await cutOut(editInput(source, withPredictions(true)), { alwaysAugment: true });
  const a = one.cut.alpha;
  const b = cut.alpha;
  let sum = 0;
  let area = 0;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    sum += difference;
    area += b[i]!;
    largest = Math.max(largest, difference);
  }
  const first = scoreMatte(a, truth, width, height);
  const second = scoreMatte(b, truth, width, height);
  return {
    isNeeded,
    uncertainty: matteUncertainty(one.prior),
    residual: backdrop.residual,
    changed: sum / area,
    largest,
    iou: first.iou - second.iou,
    boundaryIou: first.boundaryIou - second.boundaryIou,
  };
}

const row = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
const byGroup = new Map<string, Difference[]>();

async function comparePhoto(folder: string, name: string): Promise<void> {
  const photo = sharp(join(shared, folder, `${name}.jpg`))
    .autoOrient()
    .removeAlpha();
  const whole = await photo.resize(longSide, longSide, { fit: "inside" }).png({ compressionLevel: 0 }).toBuffer();
  const { width, height } = await sharp(whole).metadata();
  const plane = sharp(join(shared, folder, `${name}.mask.png`))
    .toColorspace("b-w")
    .extractChannel(0);
  const truth = await plane.resize(width, height, { fit: "fill" }).png({ compressionLevel: 0 }).toBuffer();
  for (const [change, apply] of Object.entries(changes)) {
    const jpeg = { quality: 92, chromaSubsampling: "4:4:4" };
    const source = await apply(sharp(whole), width, height).jpeg(jpeg).toBuffer();
    const expected = apply(sharp(truth), width, height).toColorspace("b-w").extractChannel(0).raw();
    const { data, info } = await expected.toBuffer({ resolveWithObject: true });
    const difference = await compare(source, new Uint8Array(data), info.width, info.height);
    const { isNeeded, uncertainty, residual, changed, largest, iou, boundaryIou } = difference;
    const scores = [iou, boundaryIou].map((score) => score.toFixed(4));
    const evidence = [uncertainty.toFixed(4), residual.toFixed(2), isNeeded ? "second" : "first only"];
    row([name, change, ...evidence, changed.toFixed(4), largest, ...scores]);
    const group = name.split("-")[0]!;
    byGroup.set(group, [...(byGroup.get(group) ?? []), difference]);
  }
}

row([
  "photo",
  "changed",
  "uncertainty",
  "residual",
  "predictions",
  "alpha changes by",
  "at most",
  "IoU",
  "boundary IoU",
]);
for (const folder of ["photos", "photos-wild"].filter((name) => existsSync(join(shared, name)))) {
  const truths = (await readdir(join(shared, folder))).filter((file) => file.endsWith(".mask.png")).sort();
  for (const file of truths) await comparePhoto(folder, file.replace(".mask.png", ""));
}
row(["group", "photos", "first only", "mean change of IoU", "of boundary IoU", "worst of IoU", "of boundary IoU"]);
for (const [group, all] of byGroup) {
  const certain = all.filter(({ isNeeded }) => !isNeeded);
  const changeOf = (score: "iou" | "boundaryIou") => all.map((one) => (one.isNeeded ? 0 : one[score]));
  const means = [mean(changeOf("iou")), mean(changeOf("boundaryIou"))];
  const worst = [Math.min(...changeOf("iou")), Math.min(...changeOf("boundaryIou"))];
  row([group, all.length, certain.length, ...[...means, ...worst].map((value) => value.toFixed(4))]);
}
