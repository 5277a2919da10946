/** Fractal noise in plain TypeScript, as it was before its kernel. */

import type { Noise } from "../../services/inference/imaging/scene/canvas/noise.ts";

export function fractal(at: Noise["at"], x: number, y: number, octavesMax: number, footprint: number): number {
  let sum = 0;
  let total = 0;
  let strength = 1;
  let scale = 1;
  for (let octave = 0; octave < octavesMax; octave++) {
    const detail = Math.min(1, Math.max(0, 2 - 3 * footprint * scale));
    sum += strength * (0.5 + (at(x * scale + octave * 17.3, y * scale + octave * 9.7) - 0.5) * detail);
    total += strength;
    strength *= 0.5;
    scale *= 2.03;
  }
  return sum / total;
}
