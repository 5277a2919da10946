/**
 * Measures the processor time of shadows and scenes by stage, from a cut-out in memory to pixels in memory:
 *
 *     node bench/edits/timing.ts [--photos NAME,NAME…] [--megapixels 1.4] [--rounds 5] [--themes TEXT|TEXT…] [--beside CHECKOUT]
 *
 * `--themes named` takes the named themes.
 *
 * Figures are medians over the rounds, then means over the photos; all threads of this process count. With `--beside`, another
 * checkout edits the same cut-outs in turns with this one, and each figure is "there → here": other work on the machine raises both.
 * It runs with the worker's own flags and allocator; `--plain-node` leaves them out, with which scenes take 1.3 to 1.6 times as long.
 */
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { namedThemes } from "@packshot/domain/edits/themes.ts";
import type { editWithScene } from "../../services/inference/edits/tools/ai-bg.ts";
import type { editWithShadow } from "../../services/inference/edits/tools/ai-shadows.ts";
import type { CutOut } from "../../services/inference/imaging/pixels/cut-out.ts";
import { runAsWorker } from "../measuring/as-worker.ts";
import { median } from "../measuring/statistics.ts";
import { readCutOut } from "./read-cut-out.ts";

const allThemes = [
  "",
  "oak table, morning light",
  "beach at sunset",
  "white marble, luxury",
  "mossy pine forest",
  "neon night city",
  "kitchen counter",
  "desert dunes",
  "white podium",
  "oak shelf",
  "snowy mountains",
  "cafe, golden hour",
];

const { values: options } = parseArgs({
  options: {
    photos: { type: "string", default: "studio-mighty-mug,scene-wb07-brown-0,studio-blue-plimsolls-4" },
    megapixels: { type: "string", default: "1.4" },
    rounds: { type: "string", default: "5" },
    themes: { type: "string", default: allThemes.join("|") },
    beside: { type: "string" },
    "plain-node": { type: "boolean", default: false },
  },
});
if (!options["plain-node"]) runAsWorker();
const rounds = Number(options.rounds);

interface Checkout {
  readonly editWithScene: typeof editWithScene;
  readonly editWithShadow: typeof editWithShadow;
}

async function open(root: string): Promise<Checkout> {
  const tools = resolve(root, "services/inference/edits/tools");
  return { ...(await import(`${tools}/ai-bg.ts`)), ...(await import(`${tools}/ai-shadows.ts`)) };
}

const here = await open(resolve(import.meta.dirname, "../.."));
const checkouts = options.beside === undefined ? [here] : [await open(options.beside), here];

/** Milliseconds by stage, and of all of them. */
type Times = Record<string, number>;

async function measure({ editWithScene, editWithShadow }: Checkout, cut: CutOut, theme: string | null): Promise<Times> {
  const times: Times = {};
  let stage = "before";
  let since = process.cpuUsage();
  const onStage = (next: string) => {
    const spent = process.cpuUsage(since);
    times[stage] = (spent.user + spent.system) / 1000;
    stage = next;
    since = process.cpuUsage();
  };
  const parameters = { seed: 1, model: "mask", ...(theme !== null && { theme }) };
  const input = { parameters, signal: new AbortController().signal, maxPixels: 100_000_000, onStage };
  await (theme === null ? editWithShadow(cut, input) : editWithScene(cut, input));
  onStage("end");
  const { before: _before, ...stages } = times;
  return { ...stages, total: Object.values(stages).reduce((sum, ms) => sum + ms, 0) };
}

/** @returns for each checkout the medians of the rounds */
async function measureInTurns(cut: CutOut, theme: string | null): Promise<Times[]> {
  const all: Times[][] = checkouts.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [n, checkout] of checkouts.entries()) {
      const times = await measure(checkout, cut, theme);
      // The first round compiles what the others run.
      if (round > 0) all[n]!.push(times);
    }
  }
  return all.map((times) =>
    Object.fromEntries(Object.keys(times[0]!).map((name) => [name, median(times.map((each) => each[name]!))])),
  );
}

const cuts = await Promise.all(
  options.photos.split(",").map((name) => readCutOut(name, Number(options.megapixels) * 1e6)),
);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** By checkout, the means of a row of the table. */
async function row(theme: string | null): Promise<Times[]> {
  const ofPhotos: Times[][] = [];
  for (const cut of cuts) ofPhotos.push(await measureInTurns(cut, theme));
  return meansOf(ofPhotos);
}

function meansOf(rows: readonly Times[][]): Times[] {
  return checkouts.map((_, n) =>
    Object.fromEntries(Object.keys(rows[0]![n]!).map((name) => [name, mean(rows.map((each) => each[n]![name]!))])),
  );
}

function print(label: string, columns: readonly string[], times: readonly Times[]): void {
  const cells = columns.map((name) => times.map((each) => (each[name] ?? 0).toFixed(0)).join(" → "));
  process.stdout.write(`| ${[label, ...cells].join(" | ")} |\n`);
}

function printHead(columns: readonly string[]): void {
  process.stdout.write(`\n| processor ms | ${columns.join(" | ")} |\n|---|${"--:|".repeat(columns.length)}\n`);
}

const model = cpus()[0]?.model ?? "unknown CPU";
process.stdout.write(
  `${model}, Node ${process.version}, ${options.megapixels} MP, ${options.photos}, ${rounds} rounds\n`,
);
const ofShadows = ["shadow", "compose", "total"];
printHead(ofShadows);
print("`ai-shadows`", ofShadows, await row(null));
const ofScenes = ["plan", "scene", "shadow", "compose", "total"];
printHead(ofScenes);
const rows: Times[][] = [];
const themes = options.themes === "named" ? namedThemes.map(({ theme }) => theme) : options.themes.split("|");
for (const theme of themes) {
  rows.push(await row(theme));
  print(`\`ai-bg\` "${theme}"`, ofScenes, rows.at(-1)!);
}
print("mean", ofScenes, meansOf(rows));
