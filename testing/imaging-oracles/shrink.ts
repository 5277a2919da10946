import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { coveredBy } from "../../services/inference/imaging/pixels/shrink.ts";

/** Shrinking by the mean of the pixels that a target pixel covers. */
export function shrinkPixels(pixels: Uint8Array, from: Size, channels: 1 | 3, to: Size): Uint8Array {
  if (from.width === to.width && from.height === to.height) return pixels;
  const columns = coveredBy(from.width, to.width, 16_384);
  const rows = coveredBy(from.height, to.height, 256);
  return Uint8Array.from({ length: channels * to.width * to.height }, (_, at) => {
    const c = at % channels;
    const x = Math.floor(at / channels) % to.width;
    const y = Math.floor(at / channels / to.width);
    let sum = 0;
    for (let j = 0; j < rows.count; j++) {
      for (let i = 0; i < columns.count; i++) {
        const weight = rows.weights[y * rows.stride + j]! * columns.weights[x * columns.stride + i]!;
        const pixel = (rows.firstOf[y]! + j) * from.width + columns.firstOf[x]! + i;
        sum += weight * pixels[pixel * channels + c]!;
      }
    }
    return Math.floor(sum / 2 ** 22 + 0.5);
  });
}
