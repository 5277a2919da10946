/** Shades the ground that recedes to its edge, and below it what the backdrop shows: a sweep's wall, or the sea at its shore. */

import type { LightAt } from "../../shadow/light.ts";
import type { Camera, HiddenSpans } from "../canvas/camera.ts";
import type { Canvas } from "../canvas/canvas.ts";
import { type LinearRgb, scale } from "../canvas/color.ts";
import { type Noise, smoothstep } from "../canvas/noise.ts";
import type { Material } from "../materials/material.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { depthOfFieldStep } from "./depth-of-field.ts";
import type { GoboLight } from "./gobo.ts";
import { isWet } from "./ground-mirror.ts";
import { brushedMirror, isShiningMetal, mirrorTint, onMetal } from "./metal-mirror.ts";
import type { Shore } from "./shore.ts";

export interface Ground {
  readonly plan: ScenePlan;
  readonly camera: Camera;
  readonly gobo: GoboLight;
  readonly material: Material;
  readonly noise: Noise;
  readonly lampSide: number;
}

/** A stencil's pattern is larger on a ground that is seen from above, by this factor of its coordinates. */
const stencilFromAbove = 0.8;

/** The share of the lamp's light at a point of a ground that is seen from above: it fades from the lamp's side to the other. */
export function lampFromAbove({ plan: { productLong }, gobo, lampSide }: Ground, u: number, v: number): number {
  const falloff = 0.92 + (0.12 * u * lampSide) / productLong + (0.08 * v) / productLong;
  return gobo.ground(u * stencilFromAbove, v * stencilFromAbove) * falloff;
}

/** The same by the point's place in the image. */
export function litFromAbove(ground: Ground): LightAt {
  const { baseX, baseY, size } = ground.camera;
  return (x, y) => lampFromAbove(ground, (x - baseX) / size, (baseY - size / 2 - y) / size);
}

/** The share of the lamp's light on a ground that recedes. */
export function litGround({ camera, gobo }: Ground): LightAt {
  const { horizonY, baseX, baseY, distance, size } = camera;
  return (x, y) => {
    const away = (baseY - horizonY) / Math.max(0.5, y - horizonY);
    return gobo.ground(((x - baseX) * away) / size, (distance * (away - 1)) / size) * dimmedFar(away);
  };
}

/** What is left of the lamp's light on a level ground, so many times as far away as the product. */
function dimmedFar(away: number): number {
  return 1 - 0.1 * Math.min(1, Math.max(0, away - 1));
}

/** A ground before a painted backdrop. */
export interface GroundBeforeBackdrop extends Ground {
  readonly canvas: Canvas;
  /** The image's row of the ground's edge. */
  readonly edgeY: number;
  /** The image's row down to which the canvas extends. */
  readonly canvasBottom: number;
  /** The row at which it begins; above the image where a camera looks down. */
  readonly canvasTop: number;
  readonly isSweep: boolean;
  /** The ground goes on to the horizon's haze: no table ends it. */
  readonly isOpen: boolean;
  readonly shore: Shore | null;
  /** Solids stand on it, so that its surroundings are blurred less. */
  readonly hasSet: boolean;
  /** Plants and stones overlap the ground's edge, as far as the canvas goes on below it. */
  readonly isOvergrown: boolean;
}

interface Painting {
  readonly light: Float32Array;
  readonly defocus: Float32Array;
}

/** A sweep has no edge: its ground turns into its wall between these multiples of the product's distance. */
const sweepFrom = 1.12;
export const sweepTo = 2.1;
/** Depth that is sharp in front of and behind the product, as a share of its distance. */
const focusDepthShare = 0.07;
/** A ground with a lower reflectance does not reflect. */
const reflectanceMin = 0.05;
/** Reflections of lamps in a wet street are stretched toward the viewer. */
const wetStretch = 0.42;
/** The lens blurs a shore no more than this, so that its foam is still to be seen. */
const shoreBlurMax = 0.55;
/** From here on half of a row's pixels are enough: each of them is mixed from its blurred neighbors. */
const softDetailMin = 0.2;
/** Rows that are blurred this much show nothing of the ground's own detail. */
const lostDetailMin = 0.4;
/** These are blurred over more than twice as many. */
const lostShapeMin = 0.75;
/** Shares of the blur that are left where solids stand. */
export const blurBesideSet = 0.3;

export function fillGround(scene: Painting, ground: GroundBeforeBackdrop, hidden: HiddenSpans | null): void {
  const { camera, edgeY, isSweep, shore, hasSet } = ground;
  const rise = camera.baseY - camera.horizonY;
  const from = Math.max(0, Math.floor(edgeY));
  for (let y = from; y < camera.height; y++) {
    const away = rise / Math.max(0.5, y + 0.5 - camera.horizonY);
    const blur = Math.max(0, Math.abs(1 - 1 / away) - focusDepthShare) / 0.5;
    scene.defocus[y] = shore !== null && away > 1 ? Math.min(shoreBlurMax, blur) : blur;
  }
  const shading = shadingOf(scene.light, ground);
  for (let y = from; y < camera.height; ) {
    const cells = cellsAt(scene.defocus, y, camera, hasSet ? blurBesideSet : 1);
    shadeRow(shading, y, cells, hidden);
    y += cells.rows;
  }
  if (isSweep) blendSweep(scene.light, ground, rise);
  const soft = 0.045 * camera.height;
  for (let y = 0; y < from; y++) scene.defocus[y] = isSweep ? 0 : Math.max(0, 1 - (from - y) / soft);
}

/** Pixels that are shaded as one. */
interface Cells {
  readonly rows: number;
  readonly columns: number;
}

/** What the lens blurs is computed once for as many pixels as its blurred copy merges to one. */
function cellsAt(defocus: Float32Array, y: number, camera: Camera, share: number): Cells {
  const step = depthOfFieldStep(camera);
  const end = camera.height - y;
  const isBlurred = (rows: number, least: number) =>
    defocus[y]! * share >= least && defocus[y + rows - 1]! * share >= least;
  for (const [rows, least] of [
    [2 * step, lostShapeMin],
    [step, lostDetailMin],
  ] as const) {
    if (rows <= end && isBlurred(rows, least)) return { rows, columns: rows };
  }
  return { rows: 1, columns: isBlurred(1, softDetailMin) ? 2 : 1 };
}

/** What the rows of a ground have in common. */
interface GroundShading extends GroundBeforeBackdrop {
  readonly light: Float32Array;
  readonly rise: number;
  readonly key: LinearRgb;
  readonly ambient: LinearRgb;
  readonly haze: LinearRgb;
  /** What the ground mirrors, and the tint of its mirror. */
  readonly mirrored: Canvas;
  readonly tint: LinearRgb;
  readonly mirrorLine: number;
  readonly stretch: number;
  readonly wetness: number;
  readonly edgeOf: Float32Array | null;
}

function shadingOf(light: Float32Array, ground: GroundBeforeBackdrop): GroundShading {
  const { camera, plan, canvas, edgeY } = ground;
  const isMetal = isShiningMetal(plan.floor, plan);
  const { key, ambient } = isMetal ? onMetal(plan.lighting) : plan.lighting;
  const isWetGround = isWet(plan);
  return {
    ...ground,
    light,
    rise: camera.baseY - camera.horizonY,
    key,
    ambient,
    haze: scale(plan.lighting.horizon, 0.8),
    mirrored: isMetal ? brushedMirror(canvas) : canvas,
    tint: isMetal ? mirrorTint(plan.floorColor) : [1, 1, 1],
    // Before it the street goes on to its houses, which stand about the horizon.
    mirrorLine: isWetGround && plan.decor === "town" ? camera.horizonY : edgeY,
    stretch: isWetGround ? wetStretch : 1,
    wetness: isWetGround ? 0.95 : 0,
    edgeOf: edgeOfColumns(ground),
  };
}

const puddle = (noise: Noise, u: number, v: number) =>
  0.3 + 0.7 * smoothstep(0.4, 0.62, noise.fractal(u * 1.1 + 7, v * 0.9 + 30, 3, 0.01));

const shaded = new Float32Array(4);
const reflected = new Float32Array(3);

/** Shades cells from row y on. Its machine code outlives a scene, as that of a closure does not. */
function shadeRow(shading: GroundShading, y: number, { rows, columns }: Cells, hidden: HiddenSpans | null): void {
  const { light, camera, plan, material, gobo, noise, mirrored, edgeOf, shore, rise } = shading;
  const { isSweep, isOpen, canvasBottom, canvasTop, mirrorLine, stretch, wetness } = shading;
  const [ambientR, ambientG, ambientB] = shading.ambient;
  const [keyR, keyG, keyB] = shading.key;
  const [hazeR, hazeG, hazeB] = shading.haze;
  const [tintR, tintG, tintB] = shading.tint;
  const { width } = camera;
  const middle = y + rows / 2;
  const away = rise / Math.max(0.5, middle - camera.horizonY);
  const v = (camera.distance * (away - 1)) / camera.size;
  const footprint = (away / camera.size) * Math.max(1, away * 1.6) * columns;
  const haze = isOpen ? smoothstep(2, 9, away) * 0.5 : 0;
  const wallShare = isSweep && y < canvasBottom ? smoothstep(sweepFrom, sweepTo, away) : 0;
  const far = dimmedFar(away);
  const deep = shore !== null && away > shore.seaFrom ? shore : null;
  const mirrorY = (mirrorLine - (middle - 0.5 - mirrorLine) * stretch - canvasTop) / (canvasBottom - canvasTop);
  // Water mirrors less where one looks down into it.
  const grazing = plan.decor === "town" ? 0.5 + 0.5 * smoothstep(0.9, 1.5, away) : 1;
  const hiddenFrom = hidden === null ? width : hidden.from[y]!;
  const hiddenTo = hidden === null ? 0 : hidden.to[y]!;
  for (let x = 0; x < width; x += columns) {
    if (edgeOf !== null && middle < edgeOf[x]!) continue;
    const at = (y * width + x) * 3;
    const end = (y * width + Math.min(width, x + columns)) * 3;
    if (x > hiddenFrom && x < hiddenTo) {
      for (let to = at; to < end; to++) light[to] = light[to - 3]!;
      continue;
    }
    const u = ((x + columns / 2 - camera.baseX) * away) / camera.size;
    // The sea is painted there already.
    if (deep?.isDeep(u, v)) continue;
    material(u, v, footprint, shaded);
    const lit = gobo.ground(u, v) * far;
    const wet = wetness === 0 ? 0 : grazing * wetness * puddle(noise, u, v);
    const reflectance = Math.max(0, (shaded[3]! + wet) * 0.42 - reflectanceMin);
    if (reflectance > 0) {
      const ripple = plan.floor === "water" ? (shaded[0]! - 0.2) * 0.05 : 0;
      sampleCanvas(mirrored, (x + columns / 2) / width, mirrorY + ripple, reflected);
    }
    let r = Math.max(0, shaded[0]!) * (ambientR + keyR * lit);
    let g = Math.max(0, shaded[1]!) * (ambientG + keyG * lit);
    let b = Math.max(0, shaded[2]!) * (ambientB + keyB * lit);
    if (reflectance > 0) {
      r += (reflected[0]! * tintR - r) * reflectance;
      g += (reflected[1]! * tintG - g) * reflectance;
      b += (reflected[2]! * tintB - b) * reflectance;
    }
    // What is far away, and a sweep's wall, take over: neither is there beside the other.
    light[at] = r + (hazeR - r) * haze + (light[at]! - r) * wallShare;
    light[at + 1] = g + (hazeG - g) * haze + (light[at + 1]! - g) * wallShare;
    light[at + 2] = b + (hazeB - b) * haze + (light[at + 2]! - b) * wallShare;
    for (let to = at + 3; to < end; to++) light[to] = light[to - 3]!;
  }
  if (shore !== null) meetSea(light, shading, shore, y, { rows, columns }, { v, away, footprint });
  if (rows === 1 && columns === 2) mixSecondPixels(light, y * width, width);
  for (let i = 1; i < rows; i++) light.copyWithin((y + i) * width * 3, y * width * 3, (y + 1) * width * 3);
}

/** Every second pixel becomes the mean of its neighbors. */
function mixSecondPixels(light: Float32Array, row: number, width: number): void {
  const last = (row + width - 1) * 3;
  for (let at = (row + 1) * 3; at < last; at += 6) {
    for (let c = at; c < at + 3; c++) light[c] = (light[c - 3]! + light[c + 3]!) / 2;
  }
}

/** The image's row at which the ground begins, for each column; null: everywhere at the ground's edge. */
function edgeOfColumns({ camera, edgeY, canvasBottom, isOvergrown, noise }: GroundBeforeBackdrop): Float32Array | null {
  if (!isOvergrown) return null;
  const { width, size } = camera;
  const edge = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const u = x / size;
    const clump = noise.fractal(u * 1.6 + 70, 11, 3, 0.02);
    const tuft = noise.at(u * 26, 5) * noise.at(u * 9 + 40, 3);
    edge[x] = edgeY + (canvasBottom - edgeY) * Math.min(0.96, smoothstep(0.3, 0.75, clump) * 0.75 + 0.5 * tuft);
  }
  return edge;
}

interface RowOfGround {
  readonly v: number;
  readonly away: number;
  readonly footprint: number;
}

/** Wets a row of the ground that the waves reach, and lays foam and the painted sea over it. */
function meetSea(
  light: Float32Array,
  { camera, plan, canvas, canvasBottom }: GroundBeforeBackdrop,
  shore: Shore,
  y: number,
  { rows, columns }: Cells,
  { v, away, footprint }: RowOfGround,
): void {
  if (away < shore.wetFrom) return;
  const { key, ambient } = plan.lighting;
  const { width } = camera;
  const middle = y + rows / 2;
  /** Foam in the light of the sun and of the sky. */
  const white = [0, 1, 2].map((c) => 0.25 * plan.lighting.horizon[c]! + 0.75 * (ambient[c]! + key[c]!));
  const sea = new Float32Array(3);
  const sky = new Float32Array(3);
  const state = new Float32Array(3);
  // Wet sand mirrors the sky, as the flat sea does.
  const mirrorY = Math.max(0, 2 * camera.horizonY - middle) / canvasBottom;
  for (let x = 0; x < width; x += columns) {
    const u = ((x + columns / 2 - camera.baseX) * away) / camera.size;
    shore.at(u, v, footprint, state);
    const [wet = 0, foam = 0, share = 0] = state;
    if (wet === 0) continue;
    const at = (y * width + x) * 3;
    const inCanvas = (x + columns / 2) / width;
    if (share > 0) sampleCanvas(canvas, inCanvas, middle / canvasBottom, sea);
    sampleCanvas(canvas, inCanvas, mirrorY, sky);
    for (let c = 0; c < 3; c++) {
      let value = light[at + c]! * (1 - 0.52 * wet) + sky[c]! * 0.3 * wet;
      value += (sea[c]! - value) * share;
      value += (white[c]! - value) * foam;
      light[at + c] = value;
    }
    const end = (y * width + Math.min(width, x + columns)) * 3;
    for (let to = at + 3; to < end; to++) light[to] = light[to - 3]!;
  }
}

/** Below the canvas, the sweep's wall takes the color of the canvas's lowest row. */
function blendSweep(light: Float32Array, { camera, canvas, canvasBottom }: GroundBeforeBackdrop, rise: number): void {
  for (let y = Math.ceil(canvasBottom); y < camera.height; y++) {
    const away = rise / Math.max(0.5, y + 0.5 - camera.horizonY);
    const share = smoothstep(sweepFrom, sweepTo, away);
    if (share <= 0) return;
    blendRow(light, y * camera.width * 3, camera.width, canvas, share);
  }
}

const lowest = new Float32Array(3);

/** A function for each row: V8 drops the machine code of a loop within a loop after each picture. */
function blendRow(light: Float32Array, from: number, width: number, canvas: Canvas, share: number): void {
  for (let x = 0, at = from; x < width; x++, at += 3) {
    sampleCanvas(canvas, (x + 0.5) / width, 1, lowest);
    for (let c = 0; c < 3; c++) light[at + c]! += (lowest[c]! - light[at + c]!) * share;
  }
}

function sampleCanvas(canvas: Canvas, x: number, y: number, out: Float32Array): void {
  const { width, height, planes } = canvas;
  const px = Math.min(width - 1.001, Math.max(0, x * width - 0.5));
  const py = Math.min(height - 1.001, Math.max(0, y * height - 0.5));
  const x0 = Math.floor(px);
  const y0 = Math.floor(py);
  const fx = px - x0;
  const fy = py - y0;
  const at = y0 * width + x0;
  for (let c = 0; c < 3; c++) {
    const plane = planes[c]!;
    const upper = plane[at]! + (plane[at + 1]! - plane[at]!) * fx;
    const lower = plane[at + width]! + (plane[at + width + 1]! - plane[at + width]!) * fx;
    out[c] = upper + (lower - upper) * fy;
  }
}
