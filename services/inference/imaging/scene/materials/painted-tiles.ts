/** Tiles painted in blue on white, as in Lisbon, Seville, Delft: one motif for ground and wall, which joins to rings at corners. */

import { fromHex, type LinearRgb } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";

const blue = fromHex("#2b4a8f");
const ochre = fromHex("#c9963c");

/**
 * Paints the motif over a tile's color in `out`.
 *
 * @param a and `b`: place on the tile, −0.5 … 0.5
 * @param soft half a pixel, in tiles
 */
export function paintMotif(a: number, b: number, soft: number, out: Float32Array): void {
  const edge = 0.012 + soft;
  const within = (distance: number) => 1 - smoothstep(-edge, edge, distance);
  const away = Math.hypot(a, b);
  const around = Math.atan2(b, a);
  const flower = within(away - 0.21 - 0.085 * Math.cos(8 * around)) * (1 - within(away - 0.1));
  const ring = within(Math.abs(away - 0.37) - 0.018);
  const corner = Math.hypot(0.5 - Math.abs(a), 0.5 - Math.abs(b));
  const corners = within(Math.abs(corner - 0.2) - 0.028) + within(Math.abs(corner - 0.1) - 0.03);
  const leaf = within(Math.abs(Math.abs(a) - Math.abs(b)) - 0.03 - 0.1 * Math.max(0, 0.04 - (away - 0.45) ** 2));
  const leaves = leaf * within(0.24 - away) * within(away - 0.6);
  mixInto(out, blue, Math.min(1, flower + ring + corners + 0.8 * leaves));
  mixInto(out, ochre, within(away - 0.065));
}

function mixInto(out: Float32Array, color: LinearRgb, share: number): void {
  for (let c = 0; c < 3; c++) out[c] = out[c]! + (color[c]! - out[c]!) * share;
}
