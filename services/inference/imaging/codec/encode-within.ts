/** Encodes an image as a file of at most so many bytes. */

import { PackshotError } from "@packshot/domain/errors.ts";
import type { Image } from "../pixels/image.ts";
import { defaultQuality, type EncodedImage, type EncodeSettings, encodeImage } from "./encode.ts";
import { bestFit, lowestQuality, nextQuality, type QualityGoal } from "./quality-search.ts";

export interface LimitedEncoding {
  readonly image: EncodedImage;
  /** Absent where the format has none. */
  readonly quality?: number;
  /** How many it took. */
  readonly encodings: number;
}

/**
 * @param onFurther called before each encoding after the first
 * @throws PackshotError `max_bytes_unreachable`
 */
export async function encodeWithin(
  image: Image,
  settings: EncodeSettings & Pick<QualityGoal, "keepsWhite">,
  bytesMax: number,
  onFurther: () => void = () => {},
): Promise<LimitedEncoding> {
  const { format, lossless = false, quality } = settings;
  if (format === "png" || lossless) return await encodeLossless(image, settings, bytesMax, onFurther);
  const qualityMax = quality ?? defaultQuality[format];
  const goal = { format, qualityMax, bytesMax, keepsWhite: settings.keepsWhite };
  const tried: { quality: number; bytes: number; image: EncodedImage }[] = [];
  for (let next = nextQuality(tried, goal); next !== undefined; next = nextQuality(tried, goal)) {
    if (tried.length > 0) onFurther();
    const encoded = await encodeImage(image, { ...settings, quality: next });
    tried.push({ quality: next, bytes: encoded.bytes.length, image: encoded });
  }
  const best = bestFit(tried, bytesMax);
  if (best !== undefined) return { image: best.image, quality: best.quality, encodings: tried.length };
  const smallest = tried.at(-1)!;
  throw tooLarge(smallest.image, bytesMax, `at quality ${lowestQuality(goal)}, the lowest`, "Ask for fewer pixels");
}

async function encodeLossless(
  image: Image,
  settings: EncodeSettings,
  bytesMax: number,
  onFurther: () => void,
): Promise<LimitedEncoding> {
  const first = await encodeImage(image, settings);
  if (first.bytes.length <= bytesMax) return { image: first, encodings: 1 };
  const isPng = settings.format === "png";
  if (isPng) onFurther();
  const second = isPng ? await encodeImage(image, { ...settings, isCompressedHard: true }) : first;
  if (second.bytes.length <= bytesMax) return { image: second, encodings: 2 };
  const advice = isPng
    ? "Ask for output.format webp, avif or jpeg, or for fewer pixels"
    : "Leave out output.lossless, or ask for fewer pixels";
  throw tooLarge(second.bytes.length < first.bytes.length ? second : first, bytesMax, "without loss", advice);
}

function tooLarge(
  { width, height, bytes, contentType }: EncodedImage,
  bytesMax: number,
  how: string,
  advice: string,
): PackshotError {
  const name = contentType.slice("image/".length).toUpperCase();
  const message = `The ${name} of ${width} × ${height} pixels takes ${bytes.length} bytes ${how}, and output.maxBytes is ${bytesMax}. ${advice} (output.width, output.maxMegapixels), or allow more bytes.`;
  return new PackshotError("max_bytes_unreachable", message);
}
