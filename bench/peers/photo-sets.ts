/** The photos that are cut out: a product on a plain backdrop at several sizes, and products in busy scenes. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";

/** Photos that are sent in turns. */
export interface PhotoSet {
  /** Names its rows in the tables; without a comma. */
  readonly title: string;
  readonly photos: readonly Buffer[];
  /** Clients at once, one number for each cell of the tables. */
  readonly clients: readonly number[];
}

const sample = fileURLToPath(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
/** That of bench/mask/measure-speed.ts, where it is there. */
const usual = join(photosFolder, "white-wb07-brown-0.jpg");
export const plainPhoto = existsSync(usual) ? usual : sample;

/** Names in `PACKSHOT_SHARED`, and the megapixels at which they are sent. */
const busyPhotos = {
  "scene-mb01-blue-0": 1,
  "scene-ug05-gr-0": 1.1,
  "scene-wb04-blue-0": 1.3,
  "scene-mighty-mug": 1.4,
};
const busyTitle = "busy scenes";

export interface SetsToMake {
  /** File of the photo with a plain backdrop. */
  readonly photo: string;
  readonly megapixels: readonly number[];
  readonly clients: readonly number[];
}

/** With more clients, large photos would take as long as everything else together: they get the first two numbers. */
export async function makePhotoSets({ photo, megapixels, clients }: SetsToMake): Promise<PhotoSet[]> {
  const plain = megapixels.map(async (size, n) => ({
    title: `${size} MP`,
    photos: [await resized(photo, size)],
    clients: n === 0 ? clients : clients.slice(0, 2),
  }));
  const busy = Object.entries(busyPhotos).map(([name, size]) => resized(join(photosFolder, `${name}.jpg`), size));
  return [...(await Promise.all(plain)), { title: busyTitle, photos: await Promise.all(busy), clients }];
}

export const describeSets = (photo: string) =>
  `${basename(photo)} at several sizes; *${busyTitle}*: ${Object.entries(busyPhotos)
    .map(([name, size]) => `${name}.jpg at ${size} MP`)
    .join(", ")}`;

async function resized(file: string, megapixels: number): Promise<Buffer> {
  const photo = readFileSync(file);
  const { width, height } = await sharp(photo).metadata();
  const scale = Math.sqrt((megapixels * 1e6) / (width * height));
  return await sharp(photo)
    .resize(Math.round(width * scale), Math.round(height * scale))
    .jpeg({ quality: 92 })
    .toBuffer();
}
