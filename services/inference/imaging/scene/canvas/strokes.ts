/** Leaves, stems and fruit: the strokes of which painted plants are made. Lengths are shares of the canvas's height. */

import { type Canvas, fillDisc } from "./canvas.ts";
import { type LinearRgb, mix, scale } from "./color.ts";

export interface Leaf {
  readonly kind: "leaf";
  readonly x: number;
  readonly y: number;
  /** Radians from "to the right", toward the image's top. */
  readonly angle: number;
  readonly long: number;
  readonly wide: number;
  readonly color: LinearRgb;
}

/** A piece of an upright trunk, round in the light of a lamp at one side. */
export interface Stem {
  readonly kind: "stem";
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
  readonly thick: number;
  readonly color: LinearRgb;
  readonly shaded: LinearRgb;
  /** −1: the light comes from the left, 1: from the right. */
  readonly lampSide: number;
}

/** A round fruit, lit from above at the lamp's side. */
export interface Fruit {
  readonly kind: "fruit";
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Height over width. */
  readonly oblong: number;
  readonly color: LinearRgb;
  readonly lampSide: number;
}

export type Stroke = Leaf | Stem | Fruit;

/** @param colorOf what is painted in a stroke's place; the strokes' own colors, unless it says otherwise */
export function fillStrokes(
  canvas: Canvas,
  strokes: readonly Stroke[],
  colorOf: (color: LinearRgb) => LinearRgb = (color) => color,
): void {
  for (const stroke of strokes) {
    switch (stroke.kind) {
      case "leaf":
        fillLeaf(canvas, stroke, colorOf(stroke.color), colorOf(unlit));
        break;
      case "stem":
        fillStem(canvas, stroke, colorOf(stroke.color), colorOf(stroke.shaded));
        break;
      case "fruit":
        fillFruit(canvas, stroke, colorOf);
    }
  }
}

/** Half the width of a leaf at points along it, as a share of its greatest. */
const leafOutline = Float32Array.from({ length: 64 }, (_, i) => Math.sin(Math.PI * ((i + 0.5) / 64) ** 0.8) ** 0.8);

const unlit: LinearRgb = [0, 0, 0];

/** @param dark what is painted where no light comes: of a mask, the same */
function fillLeaf({ width, height, planes }: Canvas, leaf: Leaf, color: LinearRgb, dark: LinearRgb): void {
  const cos = Math.cos(leaf.angle);
  const sin = Math.sin(leaf.angle);
  const reach = leaf.long * height;
  const cx = leaf.x * width;
  const cy = leaf.y * height;
  const half = leaf.wide * height + 1;
  const endX = cx + cos * reach;
  const endY = cy - sin * reach;
  const lastRow = Math.min(height, Math.max(cy, endY) + half);
  const left = Math.min(cx, endX) - half;
  const right = Math.max(cx, endX) + half;
  const slant = half / Math.max(0.02, Math.abs(sin));
  for (let row = Math.max(0, Math.floor(Math.min(cy, endY) - half)); row < lastRow; row++) {
    const dy = (cy - row - 0.5) / reach;
    // The row crosses the leaf near its rib.
    const middle = Math.abs(sin) < 0.02 ? cx : cx + (dy * reach * cos) / sin;
    const from = Math.abs(sin) < 0.02 ? left : Math.max(left, middle - slant);
    const to = Math.abs(sin) < 0.02 ? right : Math.min(right, middle + slant);
    for (let column = Math.max(0, Math.floor(from)); column < Math.min(width, to); column++) {
      const dx = (column + 0.5 - cx) / reach;
      const along = dx * cos + dy * sin;
      if (along <= 0 || along >= 1) continue;
      const aside = -dx * sin + dy * cos;
      const across = Math.abs(aside) * leaf.long;
      const wide = leaf.wide * leafOutline[Math.floor(along * leafOutline.length)]!;
      if (across > wide) continue;
      const at = row * width + column;
      // Its halves are bent like a roof along the rib: the upper one faces the sky, and its foot lies in the shade of others.
      const half = (aside > 0 ? 1 : -1) * cos * Math.min(1, across / (0.15 * wide + 1e-6));
      const shade = (0.82 + 0.24 * half + 0.26 * along) * (1 + 0.14 * (1 - across / Math.max(1e-6, wide)));
      for (let c = 0; c < 3; c++) planes[c]![at] = dark[c]! + (color[c]! - dark[c]!) * shade;
    }
  }
}

function fillStem({ width, height, planes }: Canvas, stem: Stem, lit: LinearRgb, shaded: LinearRgb): void {
  const { x, y, toX, toY, thick, lampSide } = stem;
  const top = Math.min(y, toY) * height;
  const foot = Math.max(y, toY) * height;
  const half = Math.max(0.6, (thick * height) / 2);
  for (let row = Math.max(0, Math.floor(top)); row < Math.min(height, foot); row++) {
    const share = Math.min(1, Math.max(0, (row + 0.5 - y * height) / ((toY - y) * height)));
    const middle = (x + (toX - x) * share) * width;
    for (let column = Math.max(0, Math.round(middle - half)); column < Math.min(width, middle + half); column++) {
      const across = (column + 0.5 - middle) / half;
      const color = mix(shaded, lit, Math.min(1, Math.max(0, 0.5 + 0.6 * across * lampSide)));
      const at = row * width + column;
      for (let c = 0; c < 3; c++) planes[c]![at] = color[c]!;
    }
  }
}

function fillFruit(canvas: Canvas, fruit: Fruit, colorOf: (color: LinearRgb) => LinearRgb): void {
  const { x, y, radius, oblong, color, lampSide } = fruit;
  const aspect = canvas.width / canvas.height;
  const slices = 3;
  for (let i = 0; i < slices; i++) {
    const at = (i / (slices - 1) - 0.5) * radius * (oblong - 1) * 2;
    fillDisc(canvas, x, y + at, radius * (1 - 0.1 * Math.abs(i - 1)), colorOf(scale(color, 0.72)), 1);
  }
  const litX = x + (0.22 * radius * lampSide) / aspect;
  fillDisc(canvas, litX, y - 0.2 * radius, radius * 0.78, colorOf(color), 0.8, false, 0.9);
  fillDisc(canvas, litX, y - 0.34 * radius, radius * 0.36, colorOf(scale(color, 1.35)), 0.6, false, 0.95);
}
