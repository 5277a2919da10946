/**
 * Measures the processor time of shadows and scenes at 1 and 12 megapixels, from a cut-out in memory to pixels in
 * memory: `node bench/edits/timing.ts [PHOTO] [RUNS]`. Processor time of this process is less disturbed by other work.
 */
import { cpus } from "node:os";
import { editWithScene } from "../../services/inference/edits/ai-bg.ts";
import { editWithShadow } from "../../services/inference/edits/ai-shadows.ts";
import type { CutOut } from "../../services/inference/imaging/pixels/cut-out.ts";
import { median } from "../measuring/statistics.ts";
import { readCutOut } from "./read-cut-out.ts";

const themes = [
  "",
  "oak table, morning light",
  "beach at sunset",
  "white marble, luxury",
  "mossy pine forest",
  "neon night city",
  "kitchen counter",
  "desert dunes",
];

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1000;
}

async function measure(label: string, runs: number, work: () => Promise<unknown>): Promise<void> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await cpuMs(work));
  const row = [label, median(times).toFixed(0), Math.min(...times).toFixed(0), Math.max(...times).toFixed(0)];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
}

const photo = process.argv[2] ?? "studio-mighty-mug";
const runs = Number(process.argv[3] ?? 5);
process.stdout.write(`${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}, ${photo}, ${runs} runs\n\n`);
process.stdout.write("| edit | median ms | least | most |\n|---|---|---|---|\n");
for (const megapixels of [1, 12]) {
  const cut: CutOut = await readCutOut(photo, megapixels * 1e6);
  const input = (theme: string) => ({
    parameters: { seed: 1, model: "mask", theme },
    signal: new AbortController().signal,
    maxPixels: 100_000_000,
    onStage: () => {},
  });
  await measure(`${megapixels} MP ai-shadows`, runs, () => editWithShadow(cut, input("")));
  for (const theme of themes) {
    await measure(`${megapixels} MP ai-bg "${theme}"`, runs, () => editWithScene(cut, input(theme)));
  }
}
