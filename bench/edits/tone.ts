/**
 * How well `tone: neutral` takes a known light out of photos. Prints the table of docs/guides/tone.md:
 *
 *     node bench/edits/tone.ts
 *
 * Each photo with a known matte, and each sixth of photos-shop with the matte of our model, is multiplied by lights of known color and strength, in linear light, and corrected. The
 * difference is CIEDE2000 over the product's opaque pixels: before, from the photo as it was; after, from the photo as it was,
 * corrected alike, because its own backdrop is seldom quite neutral. The brightest light is as bright as the photo allows.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { ToneReport } from "../../services/inference/edits/cut-out/correct-tone.ts";
import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";
import { colorDifference } from "../../services/inference/imaging/pixels/color-difference.ts";
import { rgbToLab } from "../../services/inference/imaging/pixels/lab.ts";
import { lightOf, toCoded, toLinear } from "../../testing/images/color-chart.ts";
import { listPhotos, listWildPhotos, readPhoto, readWildPhoto, shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { mean, quantile } from "../measuring/statistics.ts";

/** Kelvins, and stops below the photo. */
const lights = [
  [2800, -1],
  [3500, -0.5],
  [4500, -0.5],
  [5500, 0],
  [6500, -1],
  [8000, -0.5],
] as const;
const sideMax = 700;
const everyShopPhoto = 6;
const models = createInProcessModels({ "packshot-mask": "models/packshot-mask/1/model.onnx" });

interface Photo {
  readonly png: Buffer;
  readonly mask: Buffer;
}

async function correct({ png, mask }: Photo) {
  const parameters = { tone: "neutral", output: { format: "png" } } as const;
  const { result, report } = await runEdit(editInput(png, models, { mask, parameters }));
  return { pixels: await pixelsOf(result.bytes, 4), tone: report.tone as ToneReport };
}

async function pixelsOf(image: Uint8Array, channels: 3 | 4): Promise<Buffer> {
  const opened = sharp(image);
  return await (channels === 3 ? opened.removeAlpha() : opened.ensureAlpha()).raw().toBuffer();
}

/** The photo in another light, none of whose colors exceeds white. */
async function relit(photo: Buffer, temperature: number, stops: number): Promise<Buffer> {
  const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const light = lightOf(temperature);
  const strength = 2 ** stops / Math.max(...light);
  const tables = light.map((value) =>
    Uint8Array.from({ length: 256 }, (_, byte) => toCoded(toLinear(byte) * value * strength)),
  );
  for (let i = 0; i < data.length; i++) data[i] = tables[i % 3]![data[i]!]!;
  return await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .png()
    .toBuffer();
}

/** Differences of the pixels that are opaque in the first. */
function differences(rgba: Buffer, other: Buffer): number[] {
  const step = other.length === rgba.length ? 4 : 3;
  const found: number[] = [];
  const colors: number[] = [];
  for (let i = 0; i < rgba.length / 4; i += 7) {
    if (rgba[4 * i + 3] !== 255) continue;
    colors.push(
      rgba[4 * i]!,
      rgba[4 * i + 1]!,
      rgba[4 * i + 2]!,
      other[step * i]!,
      other[step * i + 1]!,
      other[step * i + 2]!,
    );
  }
  const lab = rgbToLab(Uint8Array.from(colors));
  for (let at = 0; at < lab.length; at += 6) found.push(colorDifference(lab, lab, at, at + 3));
  return found;
}

const within = { width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true } as const;

async function photosWithTruth(): Promise<Photo[]> {
  const photos: Photo[] = [];
  for (const [list, read] of [
    [listPhotos, readPhoto],
    [listWildPhotos, readWildPhoto],
  ] as const) {
    for (const name of await list()) {
      const { bytes, truth, width, height } = await read(name);
      const mask = await sharp(truth, { raw: { width, height, channels: 1 } })
        .resize(within)
        .png()
        .toBuffer();
      photos.push({ png: await sharp(bytes).resize(within).png().toBuffer(), mask });
    }
  }
  return photos;
}

async function shopPhotos(): Promise<Photo[]> {
  const folder = join(shared, "photos-shop");
  const files = (await readdir(folder)).filter((file) => /\.(jpe?g|png|webp)$/.test(file)).sort();
  const photos: Photo[] = [];
  for (const file of files.filter((_, n) => n % everyShopPhoto === 0)) {
    const opened = sharp(await readFile(join(folder, file))).flatten({ background: "#ffffff" });
    const png = await opened.resize(within).png().toBuffer();
    const { result } = await runEdit(editInput(png, models, { parameters: { alphaOnly: true } }));
    photos.push({ png, mask: result.bytes });
  }
  return photos;
}

const photos = [...(await photosWithTruth()), ...(await shopPhotos())];
const reasons = new Map<string, number>();
const rows = new Map<string, { before: number[]; after: number[]; refused: number }>();
for (const photo of photos) {
  const neutral = await correct(photo);
  const { applied, reason = "applied" } = neutral.tone;
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  if (!applied && reason !== "already_neutral") continue;
  for (const [temperature, stops] of lights) {
    const name = `${temperature} K, ${stops} stops`;
    const row = rows.get(name) ?? { before: [], after: [], refused: 0 };
    rows.set(name, row);
    const png = await relit(photo.png, temperature, stops);
    const { pixels, tone } = await correct({ ...photo, png });
    if (!tone.applied) row.refused++;
    else {
      row.before.push(mean(differences(neutral.pixels, await pixelsOf(png, 3))));
      row.after.push(mean(differences(neutral.pixels, pixels)));
    }
  }
}

process.stdout.write(`${photos.length} photos: ${JSON.stringify(Object.fromEntries(reasons))}\n`);
process.stdout.write("light | photos | before: mean | p95 | after: mean | p95 | refused\n");
for (const [name, { before, after, refused }] of rows) {
  const shown = [before, after].flatMap((values) => {
    const sorted = values.toSorted((a, b) => a - b);
    return [mean(values), quantile(sorted, 0.95)].map((value) => value.toFixed(1));
  });
  process.stdout.write(`${[name, after.length, ...shown, refused].join(" | ")}\n`);
}
