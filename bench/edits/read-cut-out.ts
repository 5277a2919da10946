import path from "node:path";
import sharp from "sharp";
import type { CutOut } from "../../services/inference/imaging/pixels/cut-out.ts";
import { sizeWithPixels } from "../measuring/resized-photo.ts";

const shared = process.env.PACKSHOT_SHARED ?? "../shared";

/**
 * Reads a cut-out from a photo of the shared folder and the `.mask.png` beside it.
 *
 * @param pixels number of pixels to which it is scaled
 */
export async function readCutOut(name: string, pixels?: number): Promise<CutOut> {
  const photo = sharp(path.join(shared, "photos", `${name}.jpg`)).removeAlpha();
  const size = await photo.metadata();
  const { width, height } = pixels === undefined ? size : sizeWithPixels(size, pixels);
  const rgb = await photo.resize(width, height, { fit: "fill" }).raw().toBuffer();
  const mask = sharp(path.join(shared, "photos", `${name}.mask.png`)).resize(width, height, { fit: "fill" });
  const alpha = await mask.extractChannel(0).raw().toBuffer();
  return { width, height, rgb: new Uint8Array(rgb), alpha: new Uint8Array(alpha) };
}
