/** Cloth that lies in folds: silk, whose ridges shine toward the lamp, and velvet, whose pile shines where it turns from the viewer. */

import { type LinearRgb, luminance, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialFactory, MaterialInput } from "./material.ts";

/** Folds that begin, run beside each other, and run out. */
interface Folds {
  /** How many of the broad ones there are in the length of the product. */
  readonly perSize: number;
  /** Height of a broad one, in sizes of the product. */
  readonly tall: number;
  /** Sharpness of their ridges: 1 are waves. */
  readonly sharp: number;
}

/** A point of a cloth. */
interface Drape {
  /** Slopes to the right and away. */
  right: number;
  away: number;
  /** 0 in a valley … 1. */
  high: number;
  /** The lamp's light; 1: as flat ground has it. */
  direct: number;
  /** How nearly it mirrors the lamp, 0–1. */
  mirror: number;
  /** How far it is turned to the viewer, 0–1. */
  toViewer: number;
}

const noDrape = (): Drape => ({ right: 0, away: 0, high: 0, direct: 1, mirror: 0, toViewer: 1 });

/** Folds are smooth: their heights and slopes are computed once for each node of a grid, when a point beside it is seen. */
const cell = 0.035;
const nodes = 256;

/** Beyond its end the grid goes on as its mirror image. */
function nodeAt(index: number): number {
  const within = (index + nodes / 2) & (2 * nodes - 1);
  return within < nodes ? within : 2 * nodes - 1 - within;
}

/** @returns a function that writes how the cloth lies at a point */
function drapeOf(input: MaterialInput, folds: Folds) {
  const heightAt = heightsOf(input, folds);
  const heights = new Float32Array(nodes * nodes).fill(Number.NaN);
  const drapes = new Float32Array(3 * nodes * nodes).fill(Number.NaN);
  const high = (i: number, j: number) => {
    const at = Math.min(nodes - 1, Math.max(0, j)) * nodes + Math.min(nodes - 1, Math.max(0, i));
    if (Number.isNaN(heights[at]!)) heights[at] = heightAt((i - nodes / 2) * cell, (j - nodes / 2) * cell);
    return heights[at]!;
  };
  /** @returns where the node's values are */
  const known = (i: number, j: number) => {
    const at = 3 * (j * nodes + i);
    if (!Number.isNaN(drapes[at]!)) return at;
    drapes[at] = (folds.tall * (high(i + 1, j) - high(i - 1, j))) / (2 * cell);
    drapes[at + 1] = (folds.tall * (high(i, j + 1) - high(i, j - 1))) / (2 * cell);
    drapes[at + 2] = Math.min(1, high(i, j));
    return at;
  };
  return (u: number, v: number, footprint: number, to: Drape) => {
    const x = u / cell;
    const y = v / cell;
    const i = Math.floor(x);
    const j = Math.floor(y);
    const left = nodeAt(i);
    const right = nodeAt(i + 1);
    const near = nodeAt(j);
    const far = nodeAt(j + 1);
    const fx = x - i;
    const fy = y - j;
    const a = known(left, near);
    const b = known(right, near);
    const c = known(left, far);
    const d = known(right, far);
    const between = (k: number) => {
      const nearer = drapes[a + k]! + (drapes[b + k]! - drapes[a + k]!) * fx;
      const farther = drapes[c + k]! + (drapes[d + k]! - drapes[c + k]!) * fx;
      return nearer + (farther - nearer) * fy;
    };
    const detail = Math.max(0.2, 1 - footprint * 5);
    to.right = between(0) * detail;
    to.away = between(1) * detail;
    to.high = between(2);
  };
}

function heightsOf({ noise, random }: MaterialInput, { perSize, sharp }: Folds) {
  const turn = random.between(0.35, 0.75) * (random.chance(0.5) ? 1 : -1);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  return (u: number, v: number) => {
    const x = u * cos - v * sin;
    const y = u * sin + v * cos;
    const bend = noise.fractal(x * 0.7 + 3, y * 0.8 + 9, 2, 0.3) - 0.5;
    const swell = noise.at(x * 0.75 + 40, y * 1.1);
    const broad = 0.5 + 0.5 * Math.sin((y + 1.7 * bend + 0.16 * x) * perSize * 2 * Math.PI);
    const fine = 0.5 + 0.5 * Math.sin((0.7 * y - 0.55 * x + 1.9 * bend) * 2.3 * perSize * 2 * Math.PI + 2);
    return broad ** sharp * (0.16 + 0.84 * smoothstep(0.25, 0.7, swell)) + 0.3 * fine ** sharp * (1 - 0.8 * swell);
  };
}

/** Height of the lamp that lights all folds, as a tangent. */
const lampRise = 0.85;
/** Toward a viewer who is level with the cloth, and one above it: away and up. */
const levelView: readonly [number, number] = [-0.92, 0.39];
const viewFromAbove: readonly [number, number] = [0, 1];

/** @returns a function that writes how a drape meets the light */
function lightOn({ towardLamp, isFromAbove }: MaterialInput) {
  const [lx, ly] = towardLamp;
  const long = Math.hypot(1, lampRise);
  const [lampX, lampY, lampZ] = [lx / long, ly / long, lampRise / long] as const;
  const [viewY, viewZ] = isFromAbove === true ? viewFromAbove : levelView;
  const halfLong = Math.hypot(lampX, lampY + viewY, lampZ + viewZ);
  return (drape: Drape) => {
    const { right, away } = drape;
    const steep = Math.sqrt(right * right + away * away + 1);
    const facing = (-right * lampX - away * lampY + lampZ) / steep;
    const mirror = (-right * lampX - away * (lampY + viewY) + lampZ + viewZ) / steep / halfLong;
    const toViewer = (-away * viewY + viewZ) / steep;
    drape.direct = Math.max(0, facing) / lampZ;
    drape.mirror = Math.max(0, mirror);
    drape.toViewer = Math.max(0, toViewer);
  };
}

/** A loose cloth in soft folds, whose ridges shine toward the lamp. */
export function silk(input: MaterialInput): Material {
  const { color, random } = input;
  const drape = drapeOf(input, { perSize: random.between(1.2, 1.6), tall: 0.17, sharp: 1.7 });
  const meet = lightOn(input);
  const at = noDrape();
  const sheen = mix(color, [1.05, 1.02, 1], 0.7);
  const deep = saturate(color, 1.25);
  return (u, v, footprint, out) => {
    drape(u, v, footprint, at);
    meet(at);
    const { direct, mirror } = at;
    const open = 0.72 + 0.28 * at.high;
    const shade = (0.4 + 0.55 * Math.min(1.35, direct)) * open;
    const soft = mirror * mirror * mirror * mirror;
    const softer = soft * soft * soft;
    const gleam = softer * softer;
    const shine = 0.62 * softer + 0.3 * gleam * gleam;
    const low = 1 - Math.min(1, direct);
    for (let c = 0; c < 3; c++) {
      const own = color[c]! + (deep[c]! - color[c]!) * 0.6 * low;
      out[c] = own * shade * (1 - shine) + sheen[c]! * shine;
    }
    out[3] = 0.06;
  };
}

/** What makes cloth that was laid down loosely and is seen from above: long soft folds, and its weave. */
export function draped(factory: MaterialFactory): MaterialFactory {
  return (input) => {
    const flat = factory(input);
    const drape = drapeOf(input, { perSize: input.random.between(0.75, 1), tall: 0.32, sharp: 1.3 });
    const meet = lightOn(input);
    const at = noDrape();
    return (u, v, footprint, out) => {
      flat(u, v, footprint, out);
      drape(u, v, footprint, at);
      meet(at);
      const shade = (0.36 + 0.64 * Math.min(1.45, at.direct)) * (0.82 + 0.2 * at.high);
      for (let c = 0; c < 3; c++) out[c]! *= shade;
    };
  };
}

/** Deep cloth in heavy folds: it is dark where one looks into the pile, and shines at the sides of the folds. */
export const velvet: MaterialFactory = (input) => createVelvet(input, 1);
/** Whoever names its folds gets more of them, and higher ones. */
export const foldedVelvet: MaterialFactory = (input) => createVelvet(input, 1.3);

/** @param folding 1: as it lies by itself */
function createVelvet(input: MaterialInput, folding: number): Material {
  if (input.isTaut === true) return tautVelvet(input);
  const { color, noise, random } = input;
  // A level camera sees deep folds as stripes of paint: cloth on a table lies in few, soft ones.
  const { tall, sharp } = input.isFromAbove === true ? { tall: 0.2, sharp: 1.25 } : { tall: 0.15, sharp: 1.15 };
  const folds = { tall: folding * tall, sharp };
  const drape = drapeOf(input, { perSize: folding * random.between(0.95, 1.3), ...folds });
  const meet = lightOn(input);
  const at = noDrape();
  // What has little color of its own shows the light on its pile.
  const gray = input.isFromAbove === true ? 0.07 : 0.07 + 0.13 * (1 - smoothstep(0.01, 0.12, luminance(color)));
  const sheen: LinearRgb = mix(scale(saturate(color, 0.9), 2.3), [0.5, 0.48, 0.48], gray);
  return (u, v, footprint, out) => {
    drape(u, v, footprint, at);
    meet(at);
    const { toViewer } = at;
    // From above one looks into the pile everywhere, and its folds are told by the lamp alone.
    const direct = input.isFromAbove === true ? at.direct ** 1.6 : at.direct;
    const brushed = noise.at(u * 3.1 + 60, v * 4.2 + 8) - 0.5;
    const pile = 0.2 * (noise.fractal(u * 70, v * 70, 2, footprint * 60) - 0.5);
    const open = 0.6 + 0.4 * at.high;
    // On a table its folds are few, and its pile is brushed one way: dark clouds would be stains.
    const [base, clouds] = input.isFromAbove === true ? [0.24, 0.22] : [0.36, 0.1];
    const shade = Math.max(0.16, (base + 0.62 * Math.min(1.4, direct)) * open + clouds * brushed + pile);
    const turned = input.isFromAbove === true ? Math.min(0.8, 4 * (1 - toViewer)) : smoothstep(0.5, 0.1, toViewer);
    const shine = (input.isFromAbove === true ? 0.62 * turned : 0.85) * turned * smoothstep(0, 0.9, direct);
    for (let c = 0; c < 3; c++) out[c] = color[c]! * shade * (1 - shine) + sheen[c]! * shine;
    out[3] = 0.02;
  };
}

/** Velvet drawn over a form: its pile is brushed in soft clouds, and nothing gleams. */
function tautVelvet({ color, noise }: MaterialInput): Material {
  return (u, v, footprint, out) => {
    const brushed = noise.fractal(u * 2.2 + 60, v * 2.6 + 8, 2, footprint * 2) - 0.5;
    const pile = noise.fractal(u * 90, v * 90, 2, footprint * 70) - 0.5;
    const shade = 0.72 + 0.3 * brushed + 0.34 * pile;
    for (let c = 0; c < 3; c++) out[c] = color[c]! * shade;
    out[3] = 0;
  };
}
