/** Puts motifs into a picture: on a painted backdrop, or with a shadow on a ground that is seen from above. */

import type { Camera } from "../canvas/camera.ts";
import type { Canvas } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { Motif, MotifPoint } from "./motifs.ts";

/** On the canvas: x and y 0–1 of its width and height, the reach a share of its height. On the ground: sizes of the product. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  /** Half the thing's length. */
  readonly reach: number;
  /** Radians from "to the right", toward the image's top. */
  readonly turn: number;
  /** Half its width as a share of half its length, where it is not as wide as long. */
  readonly wide?: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** Calls `at` with each pixel of a thing's square that the picture has; `margin` widens it, as a share of half its length. */
function eachPoint<Painting>(
  { width, height }: Pixels,
  { x: cx, y: cy, reach, turn, wide = 1 }: Spot,
  lamp: readonly [number, number],
  margin: number,
  painting: Painting,
  at: (painting: Painting, index: number, point: MotifPoint) => void,
): void {
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const long = 1 + margin;
  const broad = wide + margin;
  const side = reach * (Math.abs(sin) * long + Math.abs(cos) * broad);
  const point: MotifPoint = {
    x: 0,
    y: 0,
    soft: Math.min(0.3, 0.7 / Math.max(1, reach)),
    lampX: lamp[0] * cos + lamp[1] * sin,
    lampY: -lamp[0] * sin + lamp[1] * cos,
  };
  for (let row = Math.max(0, Math.floor(cy - side)); row < Math.min(height, cy + side); row++) {
    const dy = (cy - row - 0.5) / reach;
    // Columns in which the row is inside the thing's length and its width.
    const [fromX, toX] = within(cos, dy * sin, long);
    const [fromY, toY] = within(-sin, dy * cos, broad);
    const from = Math.max(0, Math.ceil(cx + reach * Math.max(fromX, fromY) - 0.5));
    const to = Math.min(width - 1, Math.floor(cx + reach * Math.min(toX, toY) - 0.5));
    for (let column = from; column <= to; column++) {
      const dx = (column + 0.5 - cx) / reach;
      point.x = dx * cos + dy * sin;
      point.y = -dx * sin + dy * cos;
      at(painting, row * width + column, point);
    }
  }
}

/** The values of t for which |t × slope + offset| is at most `most`; none: from above to. */
function within(slope: number, offset: number, most: number): readonly [number, number] {
  if (Math.abs(slope) < 1e-6) return Math.abs(offset) <= most ? [-Infinity, Infinity] : [1, 0];
  const one = (-most - offset) / slope;
  const other = (most - offset) / slope;
  return one < other ? [one, other] : [other, one];
}

/**
 * @param arriving the light that falls on the thing
 * @param colorOf what is painted in the motif's place
 */
export function stampOnCanvas(
  canvas: Canvas,
  motif: Motif,
  spot: Spot,
  lampSide: number,
  arriving: LinearRgb,
  colorOf: (color: LinearRgb) => LinearRgb,
): void {
  const out = new Float32Array(4);
  const pixels = { x: spot.x * canvas.width, y: spot.y * canvas.height, reach: spot.reach * canvas.height };
  eachPoint(canvas, { ...spot, ...pixels }, [0.6 * lampSide, 0.7], 0, canvas.planes, (planes, at, point) => {
    motif(point, out);
    const share = out[3]!;
    if (share <= 0) return;
    const color = colorOf([out[0]! * arriving[0], out[1]! * arriving[1], out[2]! * arriving[2]]);
    for (let c = 0; c < 3; c++) {
      const plane = planes[c]!;
      plane[at]! += (color[c]! - plane[at]!) * share;
    }
  });
}

/** A motif in the light of a scene, interleaved RGB. */
interface StampedMotif {
  readonly light: Float32Array;
  readonly motif: Motif;
  readonly arriving: LinearRgb;
}

const stamped = new Float32Array(4);

function stampPoint({ light, motif, arriving }: StampedMotif, at: number, point: MotifPoint): void {
  motif(point, stamped);
  const share = stamped[3]!;
  if (share <= 0) return;
  for (let c = 0; c < 3; c++) light[at * 3 + c]! += (stamped[c]! * arriving[c]! - light[at * 3 + c]!) * share;
}

/** @param light interleaved RGB; the spot is in pixels */
export function stampInScene(
  light: Float32Array,
  camera: Camera,
  motif: Motif,
  spot: Spot,
  lampSide: number,
  arriving: LinearRgb,
): void {
  eachPoint(camera, spot, [0.6 * lampSide, 0.7], 0, { light, motif, arriving }, stampPoint);
}

export interface Stamp {
  readonly motif: Motif;
  readonly spot: Spot;
  /** How far above the ground it lies, in sizes of the product. */
  readonly lift: number;
}

/** Shadows are soft: they are computed at points so many pixels apart. */
const shadowStepPx = 3;

/** First all shadows, then the things, in their order. */
export function stampOnGround(light: Float32Array, plan: ScenePlan, camera: Camera, stamps: readonly Stamp[]): void {
  const { key, ambient, lamp } = plan.lighting;
  const angle = (lamp.directionDeg * Math.PI) / 180;
  const toLamp = [Math.sin(angle), Math.cos(angle)] as const;
  castShadows(light, camera, toLamp, shadowLength(lamp.elevationDeg), stamps);
  const arriving = [0, 1, 2].map((c) => ambient[c]! + key[c]! * 0.9) as [number, number, number];
  for (const { motif, spot } of stamps) {
    eachPoint(camera, inPixels(camera, spot), toLamp, 0, { light, motif, arriving }, layPoint);
  }
}

function layPoint({ light, motif, arriving }: StampedMotif, at: number, point: MotifPoint): void {
  motif(point, stamped);
  const share = stamped[3]!;
  if (share <= 0) return;
  for (let c = 0; c < 3; c++) {
    const value = Math.max(0, stamped[c]!) * arriving[c]!;
    light[at * 3 + c]! += (value - light[at * 3 + c]!) * share;
  }
}

/** Below it a lamp's shadows are as long as the things are high; those of a low sun are at most so many times as long. */
const usualElevationDeg = 45;
const longestShadow = 2.6;

function shadowLength(elevationDeg: number): number {
  if (elevationDeg >= usualElevationDeg) return 1;
  return Math.min(longestShadow, 1 / Math.tan((elevationDeg * Math.PI) / 180));
}

function inPixels({ baseX, baseY, size }: Camera, spot: Spot): Spot {
  const { x, y, reach } = spot;
  return { ...spot, x: baseX + x * size, y: baseY - size / 2 - y * size, reach: reach * size };
}

function castShadows(
  light: Float32Array,
  camera: Camera,
  toLamp: readonly [number, number],
  long: number,
  stamps: readonly Stamp[],
): void {
  const coarse: Camera = {
    ...camera,
    width: Math.ceil(camera.width / shadowStepPx) + 1,
    height: Math.ceil(camera.height / shadowStepPx) + 1,
    size: camera.size / shadowStepPx,
    baseX: camera.baseX / shadowStepPx,
    baseY: camera.baseY / shadowStepPx,
  };
  const kept = new Float32Array(coarse.width * coarse.height).fill(1);
  for (const { motif, spot, lift } of stamps) {
    const soft = Math.min(0.4, 0.05 + (0.6 * lift) / spot.reach);
    const below = { ...spot, x: spot.x - toLamp[0] * lift * long, y: spot.y - toLamp[1] * lift * long };
    eachPoint(coarse, inPixels(coarse, below), toLamp, soft, { kept, motif, soft }, shadePoint);
  }
  shade(light, camera, kept, coarse.width);
}

interface StampedShadow {
  readonly kept: Float32Array;
  readonly motif: Motif;
  readonly soft: number;
}

function shadePoint({ kept, motif, soft }: StampedShadow, at: number, point: MotifPoint): void {
  point.soft = soft;
  motif(point, stamped);
  kept[at]! *= 1 - 0.5 * stamped[3]!;
}

/** @param kept the share of light that stays, at every third pixel of every third row */
function shade(light: Float32Array, { width, height }: Camera, kept: Float32Array, across: number): void {
  for (let y = 0; y < height; y++) shadeRow(light, y, width, kept, across);
}

/** A function for each row: V8 drops the machine code of a loop within a loop after each picture. */
function shadeRow(light: Float32Array, y: number, width: number, kept: Float32Array, across: number): void {
  const py = Math.max(0, (y + 0.5) / shadowStepPx - 0.5);
  const row = Math.floor(py) * across;
  const fy = py - Math.floor(py);
  for (let x = 0, at = y * width * 3; x < width; x++, at += 3) {
    const px = Math.max(0, (x + 0.5) / shadowStepPx - 0.5);
    const i = row + Math.floor(px);
    const fx = px - Math.floor(px);
    const upper = kept[i]! + (kept[i + 1]! - kept[i]!) * fx;
    const lower = kept[i + across]! + (kept[i + across + 1]! - kept[i + across]!) * fx;
    const share = upper + (lower - upper) * fy;
    if (share === 1) continue;
    for (let c = 0; c < 3; c++) light[at + c]! *= share;
  }
}
