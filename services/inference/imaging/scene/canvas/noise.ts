import type { Random } from "@packshot/domain/random.ts";
import { kernelFloats } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";

/** Smooth random fields over the plane, each 0–1, drawn once per scene. */
export interface Noise {
  /** One octave of value noise; features are about 1 unit wide. */
  at(x: number, y: number): number;
  /** Fractal noise: octaves (up to 8) from 1 unit down to `footprint` (the width of a pixel in units), each half as strong. */
  fractal(x: number, y: number, octavesMax: number, footprint: number): number;
  /** One value per integer cell. */
  cell(x: number, y: number): number;
}

const side = 256;
const mask = side - 1;
/** Each row ends with its first value again, and below the last row is the first one: neighbors need no mask. */
const stride = side + 1;

/** Even the first octave has faded to its mean where a pixel is two thirds of a unit wide. */
const footprintMax = 0.67;

const { fractalNoise } = kernels;

/** Inside `inKernelMemory`: the noise is there, and in use until the work around it ends. */
export function createNoise(random: Random): Noise {
  const values = kernelFloats(stride * stride);
  for (let y = 0; y < side; y++) {
    const row = y * stride;
    for (let x = 0; x < side; x++) values[row + x] = random.next();
    values[row + side] = values[row]!;
  }
  values.copyWithin(side * stride, 0, stride);
  return new LatticeNoise(values);
}

/** A class, because its methods outlive a scene: the engine drops the machine code of closures with the last of them. */
class LatticeNoise implements Noise {
  readonly #values: Float32Array;
  readonly #lattice: number;

  constructor(values: Float32Array) {
    this.#values = values;
    this.#lattice = values.byteOffset;
  }

  at(x: number, y: number): number {
    const values = this.#values;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let fx = x - x0;
    let fy = y - y0;
    fx = fx * fx * (3 - 2 * fx);
    fy = fy * fy * (3 - 2 * fy);
    const at = (y0 & mask) * stride + (x0 & mask);
    const upper = values[at]! + (values[at + 1]! - values[at]!) * fx;
    const lower = values[at + stride]! + (values[at + stride + 1]! - values[at + stride]!) * fx;
    return upper + (lower - upper) * fy;
  }

  cell(x: number, y: number): number {
    return this.#values[(Math.floor(y) & mask) * stride + (Math.floor(x) & mask)]!;
  }

  fractal(x: number, y: number, octavesMax: number, footprint: number): number {
    if (footprint >= footprintMax) return 0.5;
    return fractalNoise(this.#lattice, x, y, octavesMax, footprint);
  }
}

export function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
