import type { Random } from "@packshot/domain/random.ts";

/** Smooth random fields over the plane, each 0–1, drawn once per scene. */
export interface Noise {
  /** One octave of value noise; features are about 1 unit wide. */
  at(x: number, y: number): number;
  /** Fractal noise: octaves from 1 unit down to `footprint` (the width of a pixel in units), each half as strong. */
  fractal(x: number, y: number, octavesMax: number, footprint: number): number;
  /** One value per integer cell. */
  cell(x: number, y: number): number;
}

const side = 256;
const mask = side - 1;

export function createNoise(random: Random): Noise {
  const values = new Float32Array(side * side);
  for (let i = 0; i < values.length; i++) values[i] = random.next();

  const at = (x: number, y: number): number => {
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let fx = x - x0;
    let fy = y - y0;
    fx = fx * fx * (3 - 2 * fx);
    fy = fy * fy * (3 - 2 * fy);
    const row = (y0 & mask) << 8;
    const next = ((y0 + 1) & mask) << 8;
    const left = x0 & mask;
    const right = (x0 + 1) & mask;
    const upper = values[row | left]! + (values[row | right]! - values[row | left]!) * fx;
    const lower = values[next | left]! + (values[next | right]! - values[next | left]!) * fx;
    return upper + (lower - upper) * fy;
  };

  return {
    at,
    cell: (x, y) => values[((Math.floor(y) & mask) << 8) | (Math.floor(x) & mask)]!,
    fractal: (x, y, octavesMax, footprint) => {
      let sum = 0;
      let total = 0;
      let strength = 1;
      let scale = 1;
      for (let octave = 0; octave < octavesMax; octave++) {
        // An octave finer than a pixel would alias, so it fades to its mean.
        const detail = Math.min(1, Math.max(0, 2 - 3 * footprint * scale));
        sum +=
          strength *
          (detail === 0 ? 0.5 : 0.5 + (at(x * scale + octave * 17.3, y * scale + octave * 9.7) - 0.5) * detail);
        total += strength;
        strength *= 0.5;
        scale *= 2.03;
      }
      return sum / total;
    },
  };
}

export function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
