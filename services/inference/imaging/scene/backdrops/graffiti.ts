/** A street's wall of bricks under spray paint: clouds of color, large signs with outlines and shine, drips, and thin tags. */

import { blurCanvas, type Canvas, createCanvas, fillBox, fillDisc, fillRod } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import type { BackdropInput } from "./painter.ts";
import { paintBricks } from "./walls.ts";

const sprays = ["#e0457b", "#f2a42c", "#2f9fb8", "#6a4fb0", "#58a83c", "#e4572e", "#f3d34a", "#2f62c4"] as const;
const ink = fromHex("#201d26");
const chalk = fromHex("#f4efe4");

/** A stroke's points, 0–1 to the right and down within its sign. */
type Point = readonly [x: number, y: number];
type Line = readonly [Point, ...Point[]];

type Sign = readonly [Line, ...Line[]];

/** Strokes as of letters. None is a vowel, and no wall has one of them twice in a row: they spell nothing. */
const signs: readonly [Sign, ...Sign[]] = [
  [
    [
      [0.92, 0.1],
      [0.2, 0.06],
      [0.12, 0.42],
      [0.86, 0.56],
      [0.8, 0.94],
      [0.06, 0.9],
    ],
  ],
  [
    [
      [0.08, 0.08],
      [0.9, 0.1],
      [0.14, 0.9],
      [1, 0.92],
    ],
  ],
  [
    [
      [0.12, 0.02],
      [0.16, 0.98],
    ],
    [
      [0.9, 0.04],
      [0.2, 0.5],
      [0.98, 0.98],
    ],
  ],
  [
    [
      [0.1, 0.98],
      [0.14, 0.06],
      [0.82, 0.9],
      [0.9, 0.02],
    ],
  ],
  [
    [
      [0.14, 0.98],
      [0.1, 0.06],
      [0.74, 0.08],
      [0.82, 0.42],
      [0.16, 0.54],
      [0.94, 0.98],
    ],
  ],
  [
    [
      [0.04, 0.72],
      [0.5, 0.3],
      [0.94, 0.06],
      [0.56, 0.02],
    ],
    [
      [0.94, 0.06],
      [0.9, 0.46],
    ],
  ],
];

/** Rows of bricks between the wall's top and the ground. */
const courses = 13;
/** Paint on the wall keeps its joints to be seen by this share. */
const jointShare = 0.7;

export function paintGraffiti(input: BackdropInput): void {
  const { canvas, plan } = input;
  paintBricks(input, plan.backdropColor, courses);
  const bare = canvas.planes.map((plane) => plane.slice());
  const paint = createCanvas(canvas.width, canvas.height);
  fillBox(paint, 0, 0, 1, 1, plan.backdropColor);
  paintClouds(input, paint);
  paintSigns(input, paint);
  paintTags(input, paint);
  blurCanvas(paint, 0.003);
  for (let c = 0; c < 3; c++) {
    const own = plan.backdropColor[c]!;
    const sprayed = paint.planes[c]!;
    let mean = 0;
    for (const value of bare[c]!) mean += value / bare[c]!.length;
    for (let i = 0; i < sprayed.length; i++) {
      const isBare = Math.abs(sprayed[i]! - own) < 1e-6;
      const lit = isBare ? bare[c]![i]! : mean + jointShare * (bare[c]![i]! - mean);
      canvas.planes[c]![i] = (lit * sprayed[i]!) / Math.max(0.01, own);
    }
  }
  blurCanvas(canvas, 0.006);
}

/** Paint that was sprayed from afar. */
function paintClouds({ random, aspect }: BackdropInput, paint: Canvas): void {
  for (let at = 0; at < 26; at++) {
    const color = mix(fromHex(random.pick(sprays)), chalk, random.between(0.1, 0.45));
    const x = random.between(-0.05, 1.05);
    fillDisc(
      paint,
      x,
      random.between(0.3, 0.78),
      random.between(0.1, 0.24) / Math.max(1, 1 / aspect),
      color,
      0.6,
      false,
      0.5,
    );
  }
}

/** Two rows of signs: small ones above, and large ones that the product does not hide at both sides. */
function paintSigns(input: BackdropInput, paint: Canvas): void {
  const { random, aspect } = input;
  for (const { top, tall, thick } of [
    { top: 0.06, tall: 0.24, thick: 0.035 },
    { top: 0.36, tall: 0.46, thick: 0.075 },
  ]) {
    const wide = (0.82 * tall) / aspect;
    let last = -1;
    for (let x = random.between(-0.1, 0) - 0.3 * wide; x < 1; x += 1.2 * wide) {
      if (tall < 0.3 && random.chance(0.3)) continue;
      const drawn = random.integer(0, signs.length - 2);
      last = drawn >= last ? drawn + 1 : drawn;
      paintSign(input, paint, signs[last]!, { left: x, top: top + random.between(-0.03, 0.03), wide, tall, thick });
    }
  }
}

interface SignPlace {
  readonly left: number;
  readonly top: number;
  readonly wide: number;
  readonly tall: number;
  /** How thick strokes are, as a share of the height. */
  readonly thick: number;
}

/** An outline of ink, a body of two colors, a shine, and drips from its foot. */
function paintSign({ random }: BackdropInput, paint: Canvas, sign: Sign, place: SignPlace): void {
  const { left, top, wide, tall, thick } = place;
  const upper = fromHex(random.pick(sprays));
  const lower = fromHex(random.pick(sprays));
  const lean = random.between(-0.12, 0.12);
  const lines = placed(sign, ([x, y]) => {
    const along = x + random.between(-0.05, 0.05);
    const down = y + random.between(-0.04, 0.04);
    return [left + wide * (along + lean * (1 - down)), top + tall * down];
  });
  const bodyAt = (y: number) => mix(upper, lower, Math.min(1, Math.max(0, (y - top) / tall)));
  drawLines(paint, lines, 1.75 * thick, () => chalk);
  drawLines(paint, lines, 1.5 * thick, () => ink);
  drawLines(paint, lines, thick, bodyAt);
  const shine = placed(lines, ([x, y]) => [x - 0.12 * thick, y - 0.24 * thick]);
  drawLines(paint, shine, 0.14 * thick, (y) => mix(bodyAt(y), chalk, 0.75));
  for (let drip = 0; drip < 3; drip++) {
    const [x, y] = random.pick(random.pick(lines));
    fillRod(paint, x, y, x, y + random.between(0.06, 0.2), 0.12 * thick, scale(bodyAt(y), 0.85));
  }
}

/** A sign with each of its points moved. */
function placed(sign: Sign, move: (point: Point) => Point): Sign {
  const moved = ([first, ...others]: Line): Line => [move(first), ...others.map(move)];
  const [first, ...others] = sign;
  return [moved(first), ...others.map(moved)];
}

/** Strokes of round ends; each is drawn in pieces, so that its color may change on the way. */
function drawLines(paint: Canvas, lines: readonly Line[], thick: number, colorAt: (y: number) => LinearRgb): void {
  const pieces = 5;
  for (const line of lines) {
    for (let at = 1; at < line.length; at++) {
      const [fromX, fromY] = line[at - 1]!;
      const [toX, toY] = line[at]!;
      for (let piece = 0; piece < pieces; piece++) {
        const from = piece / pieces;
        const to = (piece + 1) / pieces;
        const y = fromY + (toY - fromY) * from;
        const endY = fromY + (toY - fromY) * to;
        const x = fromX + (toX - fromX) * from;
        const endX = fromX + (toX - fromX) * to;
        fillRod(paint, x, y, endX, endY, thick, colorAt((y + endY) / 2));
      }
    }
  }
}

/** Signs of one thin stroke, and splashes of paint. */
function paintTags({ random, aspect }: BackdropInput, paint: Canvas): void {
  for (let tag = 0; tag < 5; tag++) {
    const color = random.pick([ink, chalk, fromHex(random.pick(sprays))]);
    const left = random.between(0, 0.9);
    const top = random.between(0.02, 0.86);
    for (const shift of [0, 0.06]) {
      const lines = placed(random.pick(signs), ([x, y]) => [left + (shift + 0.06 * x) / aspect, top + 0.08 * y]);
      drawLines(paint, lines, 0.009, () => color);
    }
  }
  for (let drop = 0; drop < 60; drop++) {
    const color = fromHex(random.pick(sprays));
    fillDisc(paint, random.next(), random.next(), random.between(0.002, 0.009), color, 0.9);
  }
}
