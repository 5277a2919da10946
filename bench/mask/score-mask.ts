/**
 * Scores cut-outs on the photos with known truth and writes bench/results/<date>/mask.md:
 *
 *     node bench/mask/score-mask.ts [--date 2026-11-20] [--rembg FOLDER]
 *
 * FOLDER holds rembg's mattes of the same photos (bench/mask/rembg_mattes.py), which get a column of their own.
 *
 *     node bench/mask/score-mask.ts --weights models/packshot-mask/1/model.int8.onnx
 *
 * prints the scores of other weights of packshot-mask by group, and writes nothing.
 */

import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import {
  edgeRingError,
  holeRecall,
  missingComponents,
  shadowKept,
  thinRecall,
} from "../../testing/mask/matte-invariants.ts";
import { type MatteScore, scoreMatte } from "../../testing/mask/matte-scores.ts";
import {
  hasPhotos,
  listPhotos,
  type PhotoWithTruth,
  photosFolder,
  readPhoto,
  readPlane,
  shared,
} from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { mean } from "../measuring/statistics.ts";
import { createCachedModels } from "./cached-predictions.ts";
import { timeStages } from "./stage-times.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    weights: { type: "string" },
    rembg: { type: "string", default: join(root, ".cache", "rembg-mattes") },
  },
});

const files = {
  "packshot-mask": options.weights ?? join(root, "models", "packshot-mask", "1", "model.onnx"),
  u2netp: join(shared, "models", "u2netp.onnx"),
};
const models = await createCachedModels(files, join(root, ".cache", "mattes"));

interface Scored extends MatteScore {
  readonly photo: PhotoWithTruth;
  readonly holes: number | undefined;
  readonly thin: number | undefined;
  readonly shadow: number | undefined;
  readonly missing: number;
  readonly edge: number;
}

/** Without refinement the network itself is measured, so that no certain prediction goes without its second. */
async function cutOutPhoto(source: Buffer, model: string, refine: boolean) {
  return await cutOut(editInput(source, models, { parameters: { model } }), { refine, alwaysAugment: !refine });
}

async function cutAndScore(photo: PhotoWithTruth, model: string, refine: boolean): Promise<Scored> {
  const {
    cut: { rgb, alpha },
    photo: decoded,
  } = await cutOutPhoto(photo.bytes, model, refine);
  return {
    photo,
    ...scoreMatte(alpha, photo.truth, photo.width, photo.height),
    holes: holeRecall(alpha, photo.truth, photo),
    thin: thinRecall(alpha, photo.truth, photo),
    shadow: await shadowKept(alpha, photo.truth, decoded.rgb, photo),
    missing: missingComponents(alpha, photo.truth, photo),
    edge: refine ? edgeRingError(rgb, alpha, photo) : 0,
  };
}

/** Mean difference of alpha between the enlarged matte and rembg's matte, for every photo with a matte of rembg. */
async function parityWithRembg(): Promise<Map<string, number>> {
  const errors = new Map<string, number>();
  for (const file of (await readdir(photosFolder)).sort()) {
    const name = parse(file).name;
    const rembgFile = join(options.rembg, `${name}.png`);
    if (!/\.(jpg|webp)$/.test(file) || !existsSync(rembgFile)) continue;
    const { alpha } = await cutOutPhoto(await readFile(join(photosFolder, file)), "u2netp", false);
    const { plane } = await readPlane(rembgFile);
    let sum = 0;
    for (let i = 0; i < plane.length; i++) sum += Math.abs(plane[i]! - alpha[i]!);
    errors.set(name, sum / plane.length / 255);
  }
  return errors;
}

const allRuns = [
  { title: "packshot-mask plain", model: "packshot-mask", refine: false },
  { title: "packshot-mask refined", model: "packshot-mask", refine: true },
  { title: "u2netp plain", model: "u2netp", refine: false },
  { title: "u2netp refined", model: "u2netp", refine: true },
] as const;
const runs = allRuns.filter(({ model }) => options.weights === undefined || model === "packshot-mask");
const groups = ["white", "studio", "scene"] as const;

const present = (values: readonly (number | undefined)[]) => values.filter((v) => v !== undefined);
const formatted = (value: number | undefined, digits = 3) => (value === undefined ? "–" : value.toFixed(digits));
const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

function groupRows(title: string, of: (group: string) => readonly MatteScore[]): string[][] {
  return groups.map((group) => {
    const scores = of(group);
    const iou = scores.map((s) => s.iou);
    const boundary = scores.map((s) => s.boundaryIou);
    const worst = [Math.min(...iou), Math.min(...boundary)];
    const digits = options.weights === undefined ? 3 : 4;
    return [
      title,
      group,
      `${scores.length}`,
      ...[mean(iou), mean(boundary), ...worst].map((v) => formatted(v, digits)),
    ];
  });
}

const summaryHead = ["run", "group", "photos", "IoU", "boundary IoU", "worst IoU", "worst boundary"];
const summaryRows = (all: readonly (readonly [string, readonly Scored[]])[]) =>
  all.flatMap(([title, scored]) => groupRows(title, (g) => scored.filter((s) => s.photo.group === g)));

async function main(): Promise<void> {
  if (!hasPhotos)
    throw new Error("the test photos are not there: set PACKSHOT_SHARED to the folder that holds photos/");
  const rembg = new Map<string, MatteScore>();
  const results = new Map<string, Scored[]>(runs.map(({ title }) => [title, []]));
  for (const name of await listPhotos()) {
    const photo = await readPhoto(name);
    const rembgFile = join(options.rembg, `${name}.png`);
    if (existsSync(rembgFile)) {
      rembg.set(name, scoreMatte((await readPlane(rembgFile)).plane, photo.truth, photo.width, photo.height));
    }
    for (const { title, model, refine } of runs) results.get(title)!.push(await cutAndScore(photo, model, refine));
    process.stdout.write(`${name}\n`);
  }
  if (options.weights !== undefined) {
    process.stdout.write(`${table(summaryHead, summaryRows([...results]))}\n`);
    return;
  }
  const folder = join(root, "bench", "results", options.date);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "mask.md"),
    report(results, rembg, await parityWithRembg(), await stageTable(), await readTimings()),
  );
}

/** The stages of packshot-mask at three sizes. */
async function stageTable(): Promise<string> {
  const { bytes } = await readPhoto("white-wb07-brown-0");
  const inProcessModels = createInProcessModels(files);
  const rows: string[][] = [];
  let head: string[] = [];
  for (const megapixels of [1, 4, 12]) {
    const stages = await timeStages(bytes, megapixels, "packshot-mask", inProcessModels);
    const total = [...stages.values()].reduce((sum, v) => sum + v, 0);
    head = ["photo", ...stages.keys(), "together"];
    rows.push([`${megapixels} MP`, ...[...stages.values(), total].map(String)]);
  }
  return table(head, rows);
}

async function readTimings(): Promise<Record<string, number>> {
  const file = join(options.rembg, "timings.json");
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Record<string, number>) : {};
}

function report(
  results: Map<string, Scored[]>,
  rembg: Map<string, MatteScore>,
  parity: Map<string, number>,
  stageTimes: string,
  rembgMs: Record<string, number>,
) {
  const all = [...results.entries()];
  const names = all[0]![1].map((s) => s.photo.name);
  const summary = [
    ...summaryRows(all),
    ...(rembg.size === 0
      ? []
      : groupRows("rembg 2.0.86, u2netp", (g) => [...rembg].filter(([n]) => n.startsWith(g)).map(([, s]) => s))),
  ];
  const perPhoto = names.map((name, i) => [
    name,
    ...[...all.map(([, scored]) => scored[i]!), rembg.get(name)].map((s) =>
      s === undefined ? "–" : `${formatted(s.iou)} / ${formatted(s.boundaryIou)}`,
    ),
  ]);
  const refined = all.filter(([title]) => title.endsWith("refined"));
  const invariants = refined.map(([title, scored]) => [
    title,
    formatted(mean(present(scored.map((s) => s.holes)))),
    formatted(mean(present(scored.map((s) => s.thin)))),
    String(scored.reduce((sum, s) => sum + s.missing, 0)),
    formatted(Math.max(...present(scored.map((s) => s.shadow)))),
    formatted(Math.max(...scored.map((s) => s.edge)), 1),
  ]);
  const rembgTimes = Object.values(rembgMs);
  return `# Cut-outs: measured ${options.date}

${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Node ${process.version}. Scores do not depend on it; times do, and
the machine was shared while they were taken.

IoU and boundary IoU (inner bands of 0.4 % of the diagonal), both at alpha 50 %, on the photos with known truth.
\`plain\` is the network's matte enlarged, always of both predictions; \`refined\` is the product's: a second prediction where
it is needed, backdrop matting, edges at full resolution and foreground colors. The truth of \`white-*\` comes from thresholds
and counts every pixel that is not pure white: it is a regression check. \`studio-*\` and \`scene-*\` are the measure.

## By group

${table(summaryHead, summary)}

## By photo (IoU / boundary IoU)

${table(["photo", ...all.map(([title]) => title), "rembg 2.0.86, u2netp"], perPhoto)}

## Invariants

${table(["run", "holes opened", "thin parts kept", "components missing", "worst shadow kept", "worst edge ΔE"], invariants)}

${parity.size === 0 ? "" : parityText(parity)}
## Processor time by stage of \`mask\` with packshot-mask (milliseconds, all threads, JPEG in, PNG out)

${stageTimes}
${rembgTimes.length === 0 ? "" : `\nrembg with u2netp, bytes to PNG bytes, photos of 1.4–2 MP, time passed: ${Math.round(mean(rembgTimes))} ms.\n`}`;
}

function parityText(parity: Map<string, number>): string {
  const sorted = [...parity].sort(([, a], [, b]) => b - a);
  const worst = sorted.slice(0, 3).map(([name, error]) => `${name} ${error.toFixed(4)}`);
  return `## Parity with rembg

u2netp without refinement: mean difference of alpha (0–1) from rembg's on ${parity.size} photos, truth or none: mean
${mean([...parity.values()]).toFixed(4)}, worst ${worst.join(", ")}. Most of it is that rembg truncates the network's values where we round.
`;
}

await main();
