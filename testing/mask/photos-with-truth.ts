/** The test photos with known truth; they lie outside the repository, see PACKSHOT_SHARED. */

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

export const shared = process.env.PACKSHOT_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
export const photosFolder = join(shared, "photos");
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

export async function listPhotos(): Promise<string[]> {
  const files = await readdir(photosFolder);
  return files
    .filter((file) => file.endsWith(".mask.png"))
    .map((file) => file.replace(".mask.png", ""))
    .sort();
}

export async function readPhoto(name: string): Promise<PhotoWithTruth> {
  const [bytes, truth] = await Promise.all([
    readFile(join(photosFolder, `${name}.jpg`)),
    readPlane(join(photosFolder, `${name}.mask.png`)),
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
