/** Small things with a height at each point, lit by the scene's lamp whichever way they are turned. */

import type { Motif } from "./motifs.ts";

/**
 * Writes a point's albedo to out[0..2] and its opacity to out[3]; x and y as in `MotifPoint`.
 *
 * @returns its height, in half lengths of the thing
 */
export type Form = (x: number, y: number, soft: number, out: Float32Array) => number;

interface Surface {
  /** Light that it mirrors, 0–1. */
  readonly gloss?: number;
  /** How small a lamp is in that mirror. */
  readonly sharpness?: number;
}

/** Width of the finite differences, in half lengths. */
const step = 0.024;
/** Height of the lamp, as a tangent, and the light that comes from all sides. */
const lampRise = 0.95;
const fill = 0.46;
const lampLong = Math.hypot(1, lampRise);
/** The half vector between the lamp and a viewer above. */
const halfLong = Math.hypot(1 / lampLong, lampRise / lampLong + 1);

export function inRelief(form: Form, { gloss = 0, sharpness = 24 }: Surface = {}): Motif {
  const aside = new Float32Array(4);
  return ({ x, y, soft, lampX, lampY }, out) => {
    const high = form(x, y, soft, out);
    if (out[3]! <= 0) return;
    const right = (form(x + step, y, soft, aside) - high) / step;
    const up = (form(x, y + step, soft, aside) - high) / step;
    const steep = Math.hypot(right, up, 1);
    const facing = Math.max(0, (lampRise - right * lampX - up * lampY) / steep / lampRise);
    const shade = fill + (1 - fill) * Math.min(1.7, facing);
    const half = (1 + lampRise / lampLong - (right * lampX + up * lampY) / lampLong) / steep / halfLong;
    const gleam = gloss === 0 ? 0 : gloss * Math.max(0, half) ** sharpness;
    for (let c = 0; c < 3; c++) out[c] = out[c]! * shade + gleam;
  };
}
