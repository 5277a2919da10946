/**
 * Processor time and bytes per encoder setting, for cut-outs of 1, 4 and 12 MP; writes
 * bench/results/<date>/mask-codecs.md:
 *
 *     node bench/mask/measure-codecs.ts [--date 2026-11-20] [--photo white-wb07-brown-0]
 *
 * Measures processor time rather than elapsed time, because other work on the machine disturbs it less.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sharp, { type Sharp } from "sharp";
import { encodePng } from "../../services/inference/imaging/codec/png.ts";
import { fillRowOf } from "../../services/inference/imaging/pixels/image.ts";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";
import { sizeWithPixels } from "../measuring/resized-photo.ts";
import { median } from "../measuring/statistics.ts";

const { values: options } = parseArgs({
  options: {
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    photo: { type: "string", default: "white-wb07-brown-0" },
  },
});

interface CutOut {
  readonly pixels: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

const bySharp = (name: string, apply: (opened: Sharp) => Sharp) => ({
  name,
  encode: async ({ pixels, raw }: CutOut): Promise<Buffer> => await apply(sharp(pixels, { raw })).toBuffer(),
});

const ownPng = {
  name: "**png as shipped**: Up filter, zlib level 1",
  encode: async ({ pixels, raw }: CutOut): Promise<Buffer> =>
    await encodePng({ ...raw, fillRow: fillRowOf({ ...raw, pixels }) }),
};

const settings = [
  ownPng,
  ...[0, 1, 2, 3, 4, 6, 9].flatMap((compressionLevel) =>
    [false, true].map((adaptiveFiltering) =>
      bySharp(`png level ${compressionLevel}${adaptiveFiltering ? ", filters" : ""}`, (opened) =>
        opened.png({ compressionLevel, adaptiveFiltering }),
      ),
    ),
  ),
  ...[0, 2, 4].map((effort) => bySharp(`webp q90 effort ${effort}`, (opened) => opened.webp({ quality: 90, effort }))),
  ...[0, 2].map((effort) => bySharp(`avif q60 effort ${effort}`, (opened) => opened.avif({ quality: 60, effort }))),
  bySharp("jpeg q90", (opened) => opened.flatten({ background: "#fff" }).jpeg({ quality: 90 })),
  bySharp("jpeg q90, mozjpeg", (opened) => opened.flatten({ background: "#fff" }).jpeg({ quality: 90, mozjpeg: true })),
];

/** Each cell is the median of this many runs, after compilers and pools have warmed up. */
const repeats = 5;

/** The photo cut out by its ground truth, scaled to about `megapixels`: RGBA, zero where it is transparent. */
async function readCutOut(name: string, megapixels: number): Promise<CutOut> {
  const photo = sharp(join(photosFolder, `${name}.jpg`));
  const { width, height } = await photo.metadata();
  const size = { ...sizeWithPixels({ width, height }, megapixels * 1e6), fit: "fill" } as const;
  const mask = sharp(join(photosFolder, `${name}.mask.png`))
    .extractChannel(0)
    .resize(size);
  const [rgb, alpha] = await Promise.all([photo.resize(size).raw().toBuffer(), mask.raw().toBuffer()]);
  const pixels = Buffer.alloc(size.width * size.height * 4);
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) continue;
    rgb.copy(pixels, i * 4, i * 3, i * 3 + 3);
    pixels[i * 4 + 3] = alpha[i]!;
  }
  return { pixels, raw: { width: size.width, height: size.height, channels: 4 } };
}

const sizes = await Promise.all([1, 4, 12].map((megapixels) => readCutOut(options.photo, megapixels)));
const rows: string[] = [];
await ownPng.encode(sizes[0]!);
for (const { name, encode } of settings) {
  const cells: string[] = [];
  for (const size of sizes) {
    const costs: number[] = [];
    let bytes = 0;
    for (let n = 0; n < repeats; n++) {
      const before = process.cpuUsage();
      bytes = (await encode(size)).length;
      const used = process.cpuUsage(before);
      costs.push((used.user + used.system) / 1000);
    }
    cells.push(`${Math.round(median(costs))} ms, ${(bytes / 1e6).toFixed(2)} MB`);
  }
  rows.push(`| ${name} | ${cells.join(" | ")} |`);
  process.stdout.write(`${rows.at(-1)}\n`);
}
const folder = fileURLToPath(new URL(`../results/${options.date}/`, import.meta.url));
await mkdir(folder, { recursive: true });
await writeFile(
  join(folder, "mask-codecs.md"),
  `# Encoding a cut-out: processor time and bytes, measured ${options.date}

${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}. Photo: ${options.photo}.
Processor time of all threads, median of ${repeats}, on a machine that was shared.

| setting | 1 MP | 4 MP | 12 MP |
| --- | --- | --- | --- |
${rows.join("\n")}
`,
);
