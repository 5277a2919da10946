/** Paper that was crumpled and smoothed again: small facets that bend a little, between creases that run up and down. */

import type { Noise } from "../canvas/noise.ts";
import type { MaterialFactory } from "./material.ts";

/** Facets of each size: how many lie side by side along a unit of the ground, how high their corners are, and how they are turned. */
const sizes = [
  { perUnit: 2.3, high: 0.075, cos: 0.92, sin: 0.39 },
  { perUnit: 5.2, high: 0.03, cos: 0.43, sin: -0.9 },
  { perUnit: 11.5, high: 0.0055, cos: 0.75, sin: 0.66 },
] as const;

/** The distance, in units of the ground, over which a crease turns from one facet to the next. */
const creaseWide = 0.01;
/** A picture from above shows half of the ground that one at eye level does: there facets are smaller, so that as many lie on it. */
const closerFromAbove = 1.6;

/** How far creases bend, in units of the ground. */
const bend = 0.42;
/** How much darker a facet is that turns away from the lamp, by its slope. */
const shadePerSlope = 1.5;
/** A crease that stands up is worn pale, and one that lies deep keeps out the light. */
const wear = 0.7;
const ridgeMost = 0.35;
/** Facets that face the lamp shine: of black paper nothing else is seen. */
const sheen = 0.03;
const litMost = 1.32;
const litLeast = 0.36;

/** What makes paper crumpled. @param factory its color and grain */
export function crumpled(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    const flat = factory(input);
    const { noise } = input;
    const [lx, ly] = input.towardLamp;
    const closer = input.isFromAbove === true ? closerFromAbove : 1;
    return (fromLeft, away, width, out) => {
      flat(fromLeft, away, width, out);
      const u = fromLeft * closer;
      const v = away * closer;
      const footprint = width * closer;
      // Creases bend, and facets are of many sizes.
      const bendU = bend * (noise.at(u * 1.7 + 5, v * 1.7 + 2) - 0.5);
      const bendV = bend * (noise.at(u * 1.7 + 40, v * 1.7 + 21) - 0.5);
      const step = Math.max(creaseWide, footprint);
      const here = heightAt(noise, u, v, bendU, bendV);
      const nearer = heightAt(noise, u + lx * step, v + ly * step, bendU, bendV);
      const farther = heightAt(noise, u - lx * step, v - ly * step, bendU, bendV);
      const wave =
        noise.at((u + 0.1 * lx) * 2.1 + 90, (v + 0.1 * ly) * 2.1 + 60) - noise.at(u * 2.1 + 90, v * 2.1 + 60);
      const slope = (nearer - farther) / (2 * step) + 0.4 * wave;
      const ridge = Math.max(-ridgeMost, Math.min(ridgeMost, (2 * here - nearer - farther) / step));
      const lit = Math.min(litMost, Math.max(litLeast, 0.97 - shadePerSlope * slope + wear * ridge));
      for (let c = 0; c < 3; c++) out[c] = out[c]! * lit + sheen * Math.max(0, lit - 1);
    };
  };
}

/** @returns the height of the paper at a point of the ground, in its units: triangles between corners of random height, of each size */
function heightAt(noise: Noise, u: number, v: number, bendU: number, bendV: number): number {
  let height = 0;
  for (let i = 0; i < sizes.length; i++) {
    const { perUnit, high, cos, sin } = sizes[i]!;
    const bentU = u + bendU / (1 + i);
    const bentV = v + bendV / (1 + i);
    const x = (bentU * cos - bentV * sin) * perUnit + 37 * i + 200;
    const y = (bentU * sin + bentV * cos) * perUnit + 53 * i + 200;
    height += high * triangleAt(noise, x, y);
  }
  return height;
}

/** @returns 0 … 1, flat within each triangle: squares of the lattice are cut along the one or the other diagonal */
function triangleAt(noise: Noise, x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  let fx = x - column;
  const fy = y - row;
  let left = column;
  let right = column + 1;
  if (noise.cell(column * 5 + 3, row * 3 + 7) < 0.5) {
    left = right;
    right = column;
    fx = 1 - fx;
  }
  const near = noise.cell(left, row);
  const far = noise.cell(right, row + 1);
  if (fx > fy) {
    const beside = noise.cell(right, row);
    return near + (beside - near) * fx + (far - beside) * fy;
  }
  const above = noise.cell(left, row + 1);
  return near + (above - near) * fy + (far - above) * fx;
}
