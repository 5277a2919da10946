/** Enclosed openings of a matte, compared with those of another matte of the same photo. */

import { labelComponents, runStride } from "../../services/inference/imaging/pixels/connected-components.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

export interface Hole {
  /** Its center of mass, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Its area as a share of the product's. */
  readonly share: number;
}

/** Smaller openings, as a share of the product's area, are not counted. */
const holeShareMin = 0.0005;
/** A hole is open in the other matte if at least this share of it is. */
const openShareMin = 0.5;

/**
 * The holes of `other`, regions below 50 % that the product encloses, that are not open in `matte`. With the truth as
 * `matte`, they are the holes opened where it has none; with the truth as `other`, those that were lost.
 *
 * @param matte and other u8, of `size`
 */
export function missedHoles(matte: Uint8Array, other: Uint8Array, size: Size): Hole[] {
  const { runs, sizes, atBorder } = labelComponents(
    other.map((v) => (v < 128 ? 1 : 0)),
    size,
  );
  const product = other.reduce((count, v) => count + (v >= 128 ? 1 : 0), 0);
  const sums = sizes.map(() => ({ x: 0, y: 0, open: 0 }));
  for (let at = 0; at < runs.length; at += runStride) {
    const sum = sums[runs[at + 2]!]!;
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      sum.x += i % size.width;
      sum.y += Math.floor(i / size.width);
      if (matte[i]! < 128) sum.open++;
    }
  }
  const isMissed = (label: number) =>
    label > 0 &&
    !atBorder[label] &&
    sizes[label]! > holeShareMin * product &&
    sums[label]!.open < openShareMin * sizes[label]!;
  return sums.flatMap(({ x, y }, label) => {
    if (!isMissed(label)) return [];
    const cells = sizes[label]!;
    return [{ x: Math.round(x / cells), y: Math.round(y / cells), share: cells / product }];
  });
}
