/** The test photos with known truth; they lie outside the repository, see PACKSHOT_SHARED. */

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

export const shared = process.env.PACKSHOT_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
export const photosFolder = join(shared, "photos");
/** Photos in rooms and streets; their references were picked by eye. */
const wildPhotosFolder = join(shared, "photos-wild");
export const hasPhotos = existsSync(photosFolder);

export interface PhotoWithTruth {
  readonly name: string;
  readonly group: string;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** u8, width × height. */
  readonly truth: Uint8Array;
}

export const listPhotos = () => listFolder(photosFolder);
export const readPhoto = (name: string) => readFrom(photosFolder, name);
export const listWildPhotos = () => listFolder(wildPhotosFolder);
export const readWildPhoto = (name: string) => readFrom(wildPhotosFolder, name);

/** The names of a folder's photos whose truth is known; none where the folder is not there. */
async function listFolder(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(".mask.png"))
    .map((file) => file.replace(".mask.png", ""))
    .sort();
}

async function readFrom(folder: string, name: string): Promise<PhotoWithTruth> {
  const [bytes, truth] = await Promise.all([
    readFile(join(folder, `${name}.jpg`)),
    readPlane(join(folder, `${name}.mask.png`)),
  ]);
  return { name, group: name.split("-")[0]!, bytes, width: truth.width, height: truth.height, truth: truth.plane };
}

/** The values of a gray image. */
export async function readPlane(file: string) {
  const { data, info } = await sharp(file)
    .toColorspace("b-w")
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { plane: new Uint8Array(data), width: info.width, height: info.height };
}
