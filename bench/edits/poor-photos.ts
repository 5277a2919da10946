/**
 * Degrades photos and asks which checks of `report.source` each then fails; and how much processor time measuring takes.
 * Prints the table of docs/guides/poor-photos.md:
 *
 *     node bench/edits/poor-photos.ts [EVERY [ROW]]  degrades each EVERY-th of the photos of photos-shop (default 6); only the
 *                                                    rows whose names contain ROW
 *     node bench/edits/poor-photos.ts --time         the processor time at 1.4 megapixels
 *
 * Each photo goes through the whole cut-out, because a poor one has another matte, too.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkSource, type SourceCheck } from "@packshot/domain/edits/poor-source.ts";
import sharp from "sharp";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import { sourceAlphaPlane } from "../../services/inference/imaging/pixels/photo.ts";
import { measureSource } from "../../services/inference/imaging/source/measure-source.ts";
import { shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { median } from "../measuring/statistics.ts";

const models = createInProcessModels({ "packshot-mask": "models/packshot-mask/1/model.onnx" });
const folder = join(shared, "photos-shop");
/** Other kinds of photos, for false alarms; masks stand beside some. */
const otherFolders = ["photos", "photos-wild"];

type Degrade = (photo: Buffer) => Promise<Buffer>;

/** As if exposed by so many stops more, in linear light; what exceeds white is clipped. */
async function expose(photo: Buffer, stops: number): Promise<Buffer> {
  const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const exposed = Uint8Array.from({ length: 256 }, (_, value) => {
    const coded = value / 255;
    const linear = coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4;
    const light = Math.min(1, linear * 2 ** stops);
    return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
  });
  const { width, height } = info;
  return await sharp(
    data.map((value) => exposed[value]!),
    { raw: { width, height, channels: 3 } },
  )
    .png()
    .toBuffer();
}

const blurred =
  (sigma: number): Degrade =>
  async (photo) =>
    await sharp(photo).blur(sigma).png().toBuffer();
const compressed = (quality: number): Degrade => {
  return async (photo) => await sharp(photo).flatten({ background: "#ffffff" }).jpeg({ quality }).toBuffer();
};
const reduced = (side: number): Degrade => {
  return async (photo) => await sharp(photo).resize(side, side, { fit: "inside" }).png().toBuffer();
};

const framed: Degrade = async (photo) => {
  const line = 24;
  const lines = { top: line, bottom: line, left: line, right: line, background: "#303030" };
  return await sharp(photo).flatten({ background: "#ffffff" }).extend(lines).png().toBuffer();
};

type Lettering = (width: number, height: number) => string;

/** Text or a badge over the photo. */
const lettered = (draw: Lettering): Degrade => {
  return async (photo) => {
    const { data, info } = await sharp(photo)
      .flatten({ background: "#ffffff" })
      .png()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const svg = `<svg width="${width}" height="${height}" font-family="sans-serif">${draw(width, height)}</svg>`;
    return await sharp(data)
      .composite([{ input: Buffer.from(svg) }])
      .png()
      .toBuffer();
  };
};

const tiled =
  (color: string, opacity: number): Lettering =>
  (width, height) => {
    const side = Math.max(width, height);
    const size = side / 28;
    const words: string[] = [];
    for (let y = -side; y < 2 * side; y += 4.2 * size) {
      for (let x = -side; x < 2 * side; x += 7.5 * size) words.push(`<text x="${x}" y="${y}">SAMPLE</text>`);
    }
    const turn = `rotate(-30 ${width / 2} ${height / 2})`;
    return `<g transform="${turn}" font-size="${size}" font-weight="bold" fill="${color}" fill-opacity="${opacity}">${words.join("")}</g>`;
  };

const across =
  (color: string, opacity: number): Lettering =>
  (width, height) => {
    const size = Math.min(width / 8.2, Math.max(width, height) / 9);
    const turn = `rotate(-20 ${width / 2} ${height / 2})`;
    return `<text transform="${turn}" x="${width / 2}" y="${height / 2}" text-anchor="middle" font-size="${size}" font-weight="bold" fill="${color}" fill-opacity="${opacity}">© Example Shop</text>`;
  };

const inCorner =
  (color: string, opacity: number): Lettering =>
  (width, height) => {
    const size = Math.max(width, height) / 34;
    return `<text x="${width - size}" y="${height - size}" text-anchor="end" font-size="${size}" fill="${color}" fill-opacity="${opacity}">www.shop.example</text>`;
  };

const badge: Lettering = (width, height) => {
  const size = Math.max(width, height) / 16;
  const box = `<rect x="${size / 2}" y="${size / 2}" width="${4.8 * size}" height="${1.5 * size}" rx="${size / 4}" fill="#d01020"/>`;
  return `${box}<text x="${2.9 * size}" y="${1.55 * size}" text-anchor="middle" font-size="${size}" font-weight="bold" fill="#ffffff">SALE 20%</text>`;
};

const degradations: readonly (readonly [string, Degrade])[] = [
  ...[1.5, 2, 3, 4].map((sigma) => [`blurred, sigma ${sigma} px`, blurred(sigma)] as const),
  ...[-3, -2, -1.5].map((stops) => [`exposed ${stops} stops`, (photo: Buffer) => expose(photo, stops)] as const),
  ...[1, 1.5, 2].map((stops) => [`exposed +${stops} stops`, (photo: Buffer) => expose(photo, stops)] as const),
  ...[30, 20, 10, 5].map((quality) => [`JPEG of quality ${quality}`, compressed(quality)] as const),
  ...[400, 250, 150].map((side) => [`reduced to ${side} px`, reduced(side)] as const),
  ["frame of 24 px", framed],
  ["lettering: SAMPLE all over, white, 35 %", lettered(tiled("#ffffff", 0.35))],
  ["lettering: SAMPLE all over, black, 20 %", lettered(tiled("#000000", 0.2))],
  ["lettering: an address in a corner, gray, 60 %", lettered(inCorner("#808080", 0.6))],
  ["lettering: an address in a corner, black, 70 %", lettered(inCorner("#000000", 0.7))],
  ["lettering: a red badge in a corner", lettered(badge)],
  ["lettering: a name across the middle, gray, 35 %", lettered(across("#808080", 0.35))],
];

async function checksOf(photo: Buffer): Promise<readonly SourceCheck[]> {
  const context = await cutOut(editInput(photo, models));
  const measures = measureSource(context.photo, context.cut.alpha, context.candidates);
  return checkSource(measures, sourceAlphaPlane(context.photo) !== undefined);
}

async function judge(title: string, photos: readonly Buffer[], degrade: Degrade): Promise<void> {
  const failures = new Map<string, number>();
  let lost = 0;
  for (const photo of photos) {
    const degraded = await degrade(photo);
    const checks = await checksOf(degraded).catch(() => undefined);
    // No product is found any more: the job fails in any case.
    if (checks === undefined) lost++;
    const names = (checks ?? []).flatMap(({ name, passed }) => (passed ? [] : [name]));
    for (const name of names.length === 0 ? names : [...names, "any"])
      failures.set(name, (failures.get(name) ?? 0) + 1);
  }
  const percent = (count: number) => `${((100 * count) / photos.length).toFixed(1)} %`;
  const by = [...failures].map(([name, count]) => `${name} ${percent(count)}`).join(", ");
  const missing = lost === 0 ? "" : `; ${lost} without a product`;
  process.stdout.write(`| ${title} | ${photos.length} | ${by || "none"}${missing} |\n`);
}

async function calibrate(every: number, row: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".webp")).sort();
  const photos = await Promise.all(files.map((file) => readFile(join(folder, file))));
  if ("untouched".includes(row)) {
    await judge("untouched", photos, async (photo) => photo);
    for (const other of otherFolders) {
      const names = (await readdir(join(shared, other))).filter((file) => /\.(jpg|webp)$/.test(file)).sort();
      const read = await Promise.all(names.map((file) => readFile(join(shared, other, file))));
      await judge(`untouched, ${other}`, read, async (photo) => photo);
    }
  }
  const some = photos.filter((_, index) => index % every === 0);
  for (const [title, degrade] of degradations) if (title.includes(row)) await judge(title, some, degrade);
}

async function time(): Promise<void> {
  const pixels = 1_400_000;
  const files = (await readdir(folder)).filter((file) => file.endsWith(".webp")).sort();
  const medians: number[] = [];
  for (const file of files.filter((_, index) => index % 20 === 0)) {
    const original = await readFile(join(folder, file));
    const { width, height } = await sharp(original).metadata();
    const side = Math.round(width! * Math.sqrt(pixels / (width! * height!)));
    const context = await cutOut(editInput(await sharp(original).resize(side).png().toBuffer(), models));
    const times: number[] = [];
    for (let run = 0; run < 15; run++) {
      const before = process.cpuUsage();
      measureSource(context.photo, context.cut.alpha, context.candidates);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
    }
    medians.push(median(times));
    const [first, least] = [times[0]!, Math.min(...times)].map((ms) => ms.toFixed(1));
    process.stdout.write(
      `| ${file} | first ${first} ms | least ${least} ms | median ${median(times).toFixed(1)} ms |\n`,
    );
  }
  process.stdout.write(
    `median of all ${median(medians).toFixed(1)} ms, largest ${Math.max(...medians).toFixed(1)} ms\n`,
  );
}

if (process.argv[2] === "--time") await time();
else await calibrate(Number(process.argv[2] ?? 6), process.argv[3] ?? "");
process.exit(0);
