/**
 * What a person needs who looks at a doubtful cut-out and mends it: the photo as a browser can show it, whatever its format
 * was, and the matte in the same place. Both are small, because an edit that takes the mended matte aligns it with the photo
 * anyway.
 */

import sharp from "sharp";
import { fitWithin } from "../pixels/geometry.ts";
import { type Image, subsample } from "../pixels/image.ts";
import type { Photo } from "../pixels/photo.ts";
import type { EncodedImage } from "./encode.ts";
import { openImage } from "./open-image.ts";

export interface ProofPictures {
  /** A JPEG in sRGB. */
  readonly photo: EncodedImage;
  /** A PNG of one channel, of the photo's size: white is the product. */
  readonly matte: EncodedImage;
}

/** Pixels of the longer side. */
const proofSideMax = 2_000;

/** @param alpha u8, of the photo's size */
export async function encodeProof({ width, height, rgb, icc }: Photo, alpha: Uint8Array): Promise<ProofPictures> {
  const size = fitWithin({ width, height }, proofSideMax);
  const image: Image = { width, height, channels: 3, pixels: rgb, icc };
  const photo = openImage(subsample(image, size)).resize({ ...size, fit: "fill" });
  const matte = sharp(alpha, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .resize({ ...size, fit: "fill" })
    .extractChannel(0);
  const encoded = {
    photo: photo.jpeg({ quality: 85 }).toBuffer(),
    matte: matte.png({ compressionLevel: 4 }).toBuffer(),
  };
  return {
    photo: { bytes: await encoded.photo, contentType: "image/jpeg", ...size },
    matte: { bytes: await encoded.matte, contentType: "image/png", ...size },
  };
}
