/** How much darker than its backdrop a photo is, and the gaps of a plane closed. */

import { type Backdrop, tintBeside } from "../../services/inference/imaging/matting/evidence/backdrop.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { backdropAlongRow } from "./backdrop.ts";

/** @returns alpha of black, u8, and 1 where the darkening is more than noise */
export function darkCells(
  lab: Float32Array,
  covered: Uint8Array,
  backdrop: Backdrop,
  { width, height }: Size,
): { readonly alpha: Uint8Array; readonly isDark: Uint8Array } {
  const alpha = new Uint8Array(width * height);
  const isDark = new Uint8Array(width * height);
  const least = Math.max(1.5, 3 * backdrop.residual);
  const fit = new Float32Array(3 * width);
  for (let at = 0; at < covered.length; at++) {
    if (at % width === 0) backdropAlongRow(backdrop, (at / width + 0.5) / height, fit);
    const x = 3 * (at % width);
    const darkness = fit[x]! - lab[3 * at]!;
    if (covered[at] === 1 || darkness < least / 2) continue;
    if (tintBeside(lab, 3 * at, fit, x) > 1 + 0.35 * darkness) continue;
    const black = 1 - grayOf(lab[3 * at]!) / grayOf(fit[x]!);
    alpha[at] = Math.round(255 * black * Math.min(1, (2 * darkness) / least - 1));
    if (darkness >= least) isDark[at] = 1;
  }
  return { alpha, isDark };
}

function grayOf(lightness: number): number {
  const t = (lightness + 16) / 116;
  const y = t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29);
  return y <= 0.0031308 ? 12.92 * Math.max(0, y) : 1.055 * y ** (1 / 2.4) - 0.055;
}

/** The largest or the least byte of the square of side 2 `reach` + 1 around each one. */
export function spreadBytes(
  plane: Uint8Array,
  { width, height }: Size,
  reach: number,
  choose: (...values: number[]) => number,
): Uint8Array {
  return plane.map((_, at) => {
    const y = Math.floor(at / width);
    const x = at % width;
    const rows = Array.from({ length: 2 * reach + 1 }, (_row, n) => y - reach + n).filter((r) => r >= 0 && r < height);
    const spans = rows.map((r) =>
      plane.subarray(r * width + Math.max(0, x - reach), r * width + Math.min(width, x + reach + 1)),
    );
    return choose(...spans.flatMap((span) => [...span]));
  });
}
