/** The light of lamps behind colored gels, which falls from the left and from the right. */

import type { Camera } from "./canvas/camera.ts";
import { fromHex, type LinearRgb, saturate, scale } from "./canvas/color.ts";
import type { GelColors } from "./words/colored-gels.ts";

/** The brightest channel of a gel's light beside its lamp. */
const gelMost = 1.45;
/** A lamp's light has this share left at so many of the image's widths from its side. */
const fade = 0.5;
/** What reaches every place, of both lamps' colors together. */
const spread = 0.16;

function lampBehind(gel: string): LinearRgb {
  const own = saturate(fromHex(gel), 1.6);
  return scale(own, gelMost / Math.max(0.05, ...own));
}

/** White light from the other side is weaker than the gel's. */
const unfiltered: LinearRgb = [0.5, 0.5, 0.52];

/** The lamps stand about so far above the image's foot, in its heights; above and below them is a little less light. */
const lampHeight = 0.42;
const lostAbove = 0.35;

/** What is left of the light in a row of the image. */
function leftInRow(y: number, height: number): number {
  const above = 1 - (y + 0.5) / height - lampHeight;
  return 1 - lostAbove * above * above;
}

/** Colors a scene's light in place. */
export function colorByGels(light: Float32Array, { width, height }: Camera, [left, right]: GelColors): void {
  const lamps = [lampBehind(left), right === undefined ? unfiltered : lampBehind(right)] as const;
  const across = new Float32Array(width * 3);
  for (let x = 0; x < width; x++) {
    const share = (x + 0.5) / width;
    const shares = [share, 1 - share].map((away) => spread + Math.exp(-((away / fade) ** 2)));
    for (let c = 0; c < 3; c++) across[x * 3 + c] = lamps[0][c]! * shares[0]! + lamps[1][c]! * shares[1]!;
  }
  for (let y = 0, at = 0; y < height; y++) {
    const share = leftInRow(y, height);
    for (let i = 0; i < across.length; i++, at++) light[at]! *= share * across[i]!;
  }
}
