/**
 * Asks of which wrong cut-outs the report says that a person should review them, and of how many right ones:
 *
 *     node bench/mask/measure-review.ts [--model-folder models/packshot-mask] [--fit] [FOLDER…]
 *
 * A folder holds NAME.jpg with NAME.mask.png; without one, the photos with known truth are taken. Right means an IoU of
 * at least .95. `--fit` writes into the model's `config.pbtxt` the limits with which 9 of 10 wrong cut-outs of these
 * photos are found, by the weights that stand there. New weights of the network need new limits. Fit on rendered images, never on the photos:
 *
 *     python training/mask/held_out.py && node bench/mask/measure-review.ts --fit training/mask/out/held-out
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import {
  type MatteReport,
  measureBorder,
  reportMatte,
} from "../../services/inference/imaging/matting/report/matte-report.ts";
import { defaultReviewWeights, reviewLimitsKey } from "../../services/inference/model-client/review-limits.ts";
import { scoreMatte } from "../../testing/mask/matte-scores.ts";
import { readPlane, shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createCachedModels } from "./cached-predictions.ts";
import { fitReviewLimits, type ReviewSample } from "./review-fit.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "model-folder": { type: "string", default: join(root, "models", "packshot-mask") },
    fit: { type: "boolean", default: false },
  },
});
const folders = positionals.length > 0 ? positionals : [join(shared, "photos"), join(shared, "photos-wild")];
const modelFolder = options["model-folder"];
const files = { "packshot-mask": join(modelFolder, "1", "model.onnx") };
const models = await createCachedModels(files, join(root, ".cache", "mattes"));

const rightIouMin = 0.95;
/** The share of wrong cut-outs that must say `review`. */
const foundShare = 0.9;

interface Measured extends ReviewSample {
  readonly name: string;
  readonly group: string;
  readonly iou: number;
  readonly report: MatteReport;
}

async function measure(folder: string, name: string): Promise<Measured | undefined> {
  const [source, truth] = await Promise.all([
    readFile(join(folder, `${name}.jpg`)),
    readPlane(join(folder, `${name}.mask.png`)),
  ]);
  const done = await cutOut(editInput(source, models)).catch((error: Error) => error);
  if (done instanceof Error) {
    row([name, done.message]);
    return undefined;
  }
  const { cut, matteReport: report, modelInput } = done;
  const { iou } = scoreMatte(cut.alpha, truth.plane, truth.width, truth.height);
  const { reviewWeights = defaultReviewWeights } = modelInput;
  const doubt =
    reviewWeights.missing * (1 - report.expectedOverlap!) +
    reviewWeights.uncertainty * report.uncertainty! +
    reviewWeights.filledGaps * done.filledGaps;
  const sure = { uncertainty: 0, expectedOverlap: 1, filledGaps: 0 };
  const withoutNetwork = reportMatte(cut.alpha, cut, { ...sure, candidates: done.candidates });
  return {
    name,
    group: name.split("-")[0]!,
    iou,
    report,
    doubt,
    sides: measureBorder(cut.alpha, cut).sidesTouched,
    isReviewedAnyway: withoutNetwork.quality === "review" || done.uncertainOpenings.length > 0 || isFrayed(report),
    isWrong: iou < rightIouMin,
  };
}

const isFrayed = ({ reasons }: MatteReport) => reasons.some((reason) => reason.startsWith("frayed_edge"));

const row = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);

function printPhoto({ name, iou, isWrong, doubt, sides, report }: Measured): void {
  const { uncertainty, quality, reasons } = report;
  const numbers = [iou, doubt, 1 - report.expectedOverlap!, uncertainty!].map((value) => value.toFixed(4));
  row([name, ...numbers, sides, isWrong ? "wrong" : "right", quality, reasons.join("; ")]);
}

function printTable(title: string, all: readonly Measured[]): void {
  const counted = [true, false].flatMap((isWrong) => {
    const own = all.filter((one) => one.isWrong === isWrong);
    const reviewed = own.filter(({ report }) => report.quality === "review").length;
    return [`${reviewed} of ${own.length}`, own.length === 0 ? "–" : `${((100 * reviewed) / own.length).toFixed(0)} %`];
  });
  row([title, ...counted]);
}

function withLimits(all: readonly Measured[], limits: readonly number[]): Measured[] {
  return all.map((one) => {
    const isReviewed = one.isReviewedAnyway || one.doubt > limits[one.sides]!;
    return { ...one, report: { ...one.report, quality: isReviewed ? "review" : "ok" } };
  });
}

const folds = 5;

/** Every photo with the limits that the other four fifths give. */
function crossValidate(): Measured[] {
  return Array.from({ length: folds }, (_, fold) => {
    const isOwn = (_one: Measured, at: number) => at % folds === fold;
    const others = measured.filter((one, at) => !isOwn(one, at));
    return withLimits(measured.filter(isOwn), fitReviewLimits(others, foundShare));
  }).flat();
}

async function writeLimits(limits: readonly number[]): Promise<void> {
  const file = join(modelFolder, "config.pbtxt");
  const text = await readFile(file, "utf8");
  const value = new RegExp(`(key: "${reviewLimitsKey}"\\s*value: \\{ string_value: ")[^"]*`);
  if (!value.test(text)) throw new Error(`${file} has no parameter ${reviewLimitsKey}`);
  await writeFile(file, text.replace(value, `$1${limits.join(" ")}`));
}

const measured: Measured[] = [];
row(["photo", "IoU", "doubt", "expected to miss", "uncertainty", "sides touched", "", "quality", "reasons"]);
for (const folder of folders) {
  const truths = (await readdir(folder)).filter((file) => file.endsWith(".mask.png")).sort();
  for (const file of truths) {
    const one = await measure(folder, file.replace(".mask.png", ""));
    if (one === undefined) continue;
    printPhoto(one);
    measured.push(one);
  }
}
row(["group", "wrong: review", "share", "right: review", "share"]);
for (const group of new Set(measured.map((one) => one.group))) {
  printTable(
    group,
    measured.filter((one) => one.group === group),
  );
}
printTable("all", measured);
if (options.fit) {
  const limits = fitReviewLimits(measured, foundShare);
  printTable("cross-validated", crossValidate());
  printTable("all, with these limits", withLimits(measured, limits));
  await writeLimits(limits);
  process.stdout.write(`limits by sides touched: ${limits.join(" ")}, in ${join(modelFolder, "config.pbtxt")}\n`);
}
