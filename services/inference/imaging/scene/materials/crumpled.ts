/** Paper that was crumpled and smoothed again: small facets that bend a little, between creases that run up and down. */

import type { Noise } from "../canvas/noise.ts";
import type { MaterialFactory } from "./material.ts";

/** Facets of each size: how many lie side by side along a unit of the ground, how high their corners are, and how they are turned. */
const sizes = [
  { perUnit: 2.3, high: 0.075, cos: 0.92, sin: 0.39 },
  { perUnit: 5.2, high: 0.03, cos: 0.43, sin: -0.9 },
] as const;

/** The distance, in units of the ground, over which a crease turns from one facet to the next. */
const creaseWide = 0.01;
/** A picture from above shows half of the ground that one at eye level does: there facets are smaller, so that as many lie on it. */
const closerFromAbove = 1.6;

/** How far creases bend, in units of the ground. */
const bend = 0.42;
/** The sheet as a whole sways where its creases bend. */
const sway = 0.3;
/** Within a facet the paper is not quite flat. */
const dents = 0.1;
const dentsPerUnit = 9;
/** How much darker a facet is that turns away from the lamp, by its slope. */
const shadePerSlope = 1.5;
/** A crease that stands up is worn pale, and one that lies deep keeps out the light. */
const wear = 0.7;
const ridgeMost = 0.35;
/** Facets that face the lamp shine: of black paper nothing else is seen. */
const sheen = 0.06;
const sheenFrom = 0.92;
const litMost = 1.32;
const litLeast = 0.36;

/** What makes paper crumpled. @param factory its color and grain */
export function crumpled(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    const flat = factory(input);
    const facets = new Facets(input.noise, input.towardLamp);
    const closer = input.isFromAbove === true ? closerFromAbove : 1;
    return (fromLeft, away, width, out) => {
      flat(fromLeft, away, width, out);
      const lit = facets.litAt(fromLeft * closer, away * closer, width * closer);
      const shine = sheen * Math.max(0, lit - sheenFrom);
      out[0] = out[0]! * lit + shine;
      out[1] = out[1]! * lit + shine;
      out[2] = out[2]! * lit + shine;
    };
  };
}

/** A class, because its methods outlive a scene: the engine drops the machine code of closures with the last of them. */
class Facets {
  readonly #noise: Noise;
  /** How much the paper rises from a step away from the lamp to one toward it, in units of the ground. */
  #rise = 0.5;
  /** How much higher a point is, twice, than both steps together: above 0 on a ridge, below it in a fold. */
  #fold = 0.5;
  /** The steps' directions for each size, in places of its lattice for each unit of the ground. */
  readonly #along: Float64Array;

  constructor(noise: Noise, [lx, ly]: readonly [number, number]) {
    this.#noise = noise;
    this.#along = new Float64Array(
      sizes.flatMap(({ perUnit, cos, sin }) => [(lx * cos - ly * sin) * perUnit, (lx * sin + ly * cos) * perUnit]),
    );
  }

  /** @returns how much light the paper throws back there, against what it does where it lies flat */
  litAt(u: number, v: number, footprint: number): number {
    const noise = this.#noise;
    // Creases bend, and facets are of many sizes.
    const bendU = bend * (noise.at(u * 1.7 + 5, v * 1.7 + 2) - 0.5);
    const bendV = bend * (noise.at(u * 1.7 + 40, v * 1.7 + 21) - 0.5);
    const step = Math.max(creaseWide, footprint);
    this.#rise = 0;
    this.#fold = 0;
    for (let i = 0; i < sizes.length; i++) {
      const { perUnit, cos, sin } = sizes[i]!;
      const bentU = u + bendU / (1 + i);
      const bentV = v + bendV / (1 + i);
      const x = (bentU * cos - bentV * sin) * perUnit + 37 * i + 200;
      const y = (bentU * sin + bentV * cos) * perUnit + 53 * i + 200;
      this.#measure(i, x, y, step);
    }
    const dent = noise.at((u + bendU) * dentsPerUnit + 90, (v - bendV) * dentsPerUnit + 60) - 0.5;
    const slope = this.#rise / (2 * step) + sway * (bendU + bendV) + dents * dent;
    const ridge = Math.max(-ridgeMost, Math.min(ridgeMost, this.#fold / step));
    return Math.min(litMost, Math.max(litLeast, 0.97 - shadePerSlope * slope + wear * ridge));
  }

  /** Adds triangles of one size. A triangle is flat: far from its sides it tells both steps, and most points are. */
  #measure(size: number, x: number, y: number, step: number): void {
    const noise = this.#noise;
    const { high } = sizes[size]!;
    const alongX = this.#along[2 * size]! * step;
    const alongY = this.#along[2 * size + 1]! * step;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const isTurned = isTurnedAt(noise, column, row);
    const fx = isTurned ? column + 1 - x : x - column;
    const fy = y - row;
    const dx = isTurned ? -alongX : alongX;
    const reachX = Math.abs(dx);
    const reachY = Math.abs(alongY);
    const isInside = fx > reachX && fx < 1 - reachX && fy > reachY && fy < 1 - reachY;
    if (!isInside || Math.abs(fx - fy) <= Math.abs(dx - alongY)) {
      const nearer = triangleAt(noise, x + alongX, y + alongY);
      const farther = triangleAt(noise, x - alongX, y - alongY);
      this.#rise += high * (nearer - farther);
      this.#fold += high * (2 * triangleAt(noise, x, y) - nearer - farther);
      return;
    }
    const left = isTurned ? column + 1 : column;
    const right = isTurned ? column : column + 1;
    const near = noise.cell(left, row);
    const far = noise.cell(right, row + 1);
    const middle = fx > fy ? noise.cell(right, row) : noise.cell(left, row + 1);
    const rise =
      fx > fy ? (middle - near) * dx + (far - middle) * alongY : (far - middle) * dx + (middle - near) * alongY;
    this.#rise += 2 * high * rise;
  }
}

/** Squares of the lattice are cut along the one or the other diagonal. */
const isTurnedAt = (noise: Noise, column: number, row: number): boolean =>
  noise.cell(column * 5 + 3, row * 3 + 7) < 0.5;

/** @returns 0 … 1, flat within each triangle */
function triangleAt(noise: Noise, x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const isTurned = isTurnedAt(noise, column, row);
  const left = isTurned ? column + 1 : column;
  const right = isTurned ? column : column + 1;
  const fx = isTurned ? column + 1 - x : x - column;
  const fy = y - row;
  const near = noise.cell(left, row);
  const far = noise.cell(right, row + 1);
  if (fx > fy) {
    const beside = noise.cell(right, row);
    return near + (beside - near) * fx + (far - beside) * fy;
  }
  const above = noise.cell(left, row + 1);
  return near + (above - near) * fy + (far - above) * fx;
}
