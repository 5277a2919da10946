/** A product that covers most of the photo's border, so that the border shows no backdrop: a jacket on a model, a watch from near. */
import { expect, it } from "vitest";
import { fitBackdrop } from "../evidence/backdrop.ts";
import { refineMatte } from "../refine-matte.ts";

const side = 480;
const middle = side / 2;
type Color = readonly [number, number, number];
const gray: Color = [196, 196, 198];
const white: Color = [255, 255, 255];
const blue: Color = [40, 60, 110];
const black: Color = [34, 36, 44];

/** @param glow how much lighter the ground is in the middle than at the top */
function groundAt(ground: Color, x: number, y: number, glow: number): Color {
  const lighter = glow * Math.exp(-((x - middle) ** 2 + (y - 300) ** 2) / 40_000);
  return ground.map((value) => value + lighter) as unknown as Color;
}

/** A photo whose upper corners show the ground; `colorAt` paints the rest, `seenAt` is the network's matte, 0–1. */
function matteOf(
  colorAt: (x: number, y: number) => Color,
  seenAt: (x: number, y: number) => number,
): (x: number, y: number) => number {
  const rgb = new Uint8Array(side * side * 3);
  const prior = new Uint8Array(side * side);
  for (let i = 0; i < prior.length; i++) {
    const x = i % side;
    const y = (i - x) / side;
    const grain = (((i * 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 2;
    const color = colorAt(x, y);
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = Math.max(0, Math.min(255, Math.round(color[c]! + grain)));
    prior[i] = Math.round(255 * seenAt(x, y));
  }
  const size = { width: side, height: side };
  const backdrop = fitBackdrop(rgb, side);
  expect(backdrop.residual, "the border shows no backdrop").toBeGreaterThan(1.5);
  const network = { ...size, alpha: prior, networkPixel: 1 };
  const { alpha } = refineMatte(rgb, size, { ...size, rgb }, network, backdrop);
  return (x, y) => alpha[y * side + x]!;
}

/** Cloth with folds: no smooth surface, which the border would show as well as a backdrop. */
function cloth(color: Color, x: number, y: number): Color {
  const light = 1 + 0.3 * Math.sin(x / 7) * Math.sin(y / 11);
  return color.map((value) => value * light) as unknown as Color;
}

/** Shoulders, and below them arms and a body as far as the photo's border. */
const isFigure = (_x: number, y: number) => y >= 110;
/** Between the left arm and the body, cut by the photo's lower border. */
const isGap = (x: number, y: number) => x >= 110 && x < 165 && y >= 220;
/** An open jacket's front, likewise. */
const isFront = (x: number, y: number) => x >= 200 && x < 290 && y >= 150;

it.each([
  ["an even ground", 0],
  ["a glow", 14],
])("opens a gap between arm and body that the network fills, where it shows %s", (_, glow) => {
  const at = matteOf(
    (x, y) => (isFigure(x, y) && !isGap(x, y) ? cloth(blue, x, y) : groundAt(gray, x, y, glow)),
    (x, y) => Number(isFigure(x, y)),
  );
  expect(at(138, 340)).toBe(0);
  expect(at(50, 340)).toBe(255);
  expect(at(260, 340)).toBe(255);
});

it("keeps a part of nearly the ground's color without an edge, such as a fold of a gray shirt", () => {
  const soft = (x: number, y: number) => Math.max(0, 1 - Math.hypot((x - 138) / 60, (y - 330) / 120));
  const shirt: Color = [140, 140, 142];
  const at = matteOf(
    (x, y) => {
      if (!isFigure(x, y)) return gray;
      const share = Math.min(1, 1.6 * soft(x, y));
      return share === 0
        ? cloth(shirt, x, y)
        : (shirt.map((value, c) => value + share * (gray[c]! - value)) as unknown as Color);
    },
    (x, y) => Number(isFigure(x, y)),
  );
  expect(at(138, 330)).toBe(255);
});

it("fills a dark shirt in an open jacket, of which the network is sure of the jacket alone", () => {
  const at = matteOf(
    (x, y) => (isFront(x, y) ? black : isFigure(x, y) ? cloth([150, 90, 50], x, y) : gray),
    (x, y) => (isFront(x, y) ? 0.1 : Number(isFigure(x, y))),
  );
  expect(at(245, 300)).toBe(255);
  expect(at(245, 470)).toBe(255);
  expect(at(245, 50)).toBe(0);
});

it("leaves a front open that is no darker than the ground in a shadow", () => {
  const at = matteOf(
    (x, y) => (isFront(x, y) ? [120, 120, 121] : isFigure(x, y) ? cloth([150, 90, 50], x, y) : gray),
    (x, y) => (isFront(x, y) ? 0.1 : Number(isFigure(x, y))),
  );
  expect(at(245, 300)).toBe(0);
});

const fromCenter = (x: number, y: number) => Math.hypot(x - middle, y - middle);
/** A strap from near, cut by the photo's border. */
const isStrap = (x: number, y: number) => fromCenter(x, y) >= 175 && fromCenter(x, y) < 262;
const isWatch = (x: number, y: number) => fromCenter(x, y) < 262;

it("opens a strap's loop on white that the network fills", () => {
  const at = matteOf(
    (x, y) => (isStrap(x, y) ? black : white),
    (x, y) => Number(isWatch(x, y)),
  );
  expect(at(middle, middle)).toBe(0);
  expect(at(middle, 20)).toBe(255);
});

it("keeps a white face with hands on white", () => {
  const isHand = (x: number, y: number) => Math.abs(x - middle) < 5 && y > 140 && y < 250;
  const at = matteOf(
    (x, y) => (isStrap(x, y) || isHand(x, y) ? black : white),
    (x, y) => Number(isWatch(x, y)),
  );
  expect(at(middle + 60, middle)).toBe(255);
});

it("keeps a white print, deep in a shirt on white", () => {
  const isPrint = (x: number, y: number) => Math.abs(x - middle) < 50 && Math.abs(y - 330) < 50;
  const at = matteOf(
    (x, y) => (isFigure(x, y) && !isPrint(x, y) ? cloth([90, 90, 94], x, y) : white),
    (x, y) => Number(isFigure(x, y)),
  );
  expect(at(middle, 330)).toBe(255);
});

it("judges nothing by a ground of two surfaces, such as a wall above a table", () => {
  const isThing = (x: number, y: number) => x >= 60 && y >= 60;
  const isBoard = (x: number, y: number) => x >= 200 && x < 300 && y >= 200 && y < 300;
  const at = matteOf(
    (x, y) => (isThing(x, y) && !isBoard(x, y) ? cloth(blue, x, y) : y < 240 ? gray : [120, 96, 70]),
    (x, y) => Number(isThing(x, y)),
  );
  expect(at(250, 220)).toBe(255);
});
