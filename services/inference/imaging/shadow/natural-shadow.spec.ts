import { expect, it } from "vitest";
import { fitBackdrop } from "../matting/evidence/backdrop.ts";
import { blurPlane } from "../pixels/blur.ts";
import { measureDarkening, shadowImage, shadowOfProduct } from "./natural-shadow.ts";

const side = 320;
const size = { width: side, height: side };

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const product: Disc = { x: 160, y: 130, radius: 50 };
/** Mostly below the product, and beside it. */
const below: Disc = { x: 180, y: 175, radius: 45 };
const isIn = ({ x, y, radius }: Disc, i: number) => Math.hypot((i % side) - x, Math.floor(i / side) - y) <= radius;

const matteOf = (...discs: readonly Disc[]) =>
  Uint8Array.from({ length: side * side }, (_, i) => (discs.some((disc) => isIn(disc, i)) ? 255 : 0));

/** Black with this alpha, soft at its rim. */
function softShadow(disc: Disc, strength = 0.4, blur = 6): Float32Array {
  const plane = Float32Array.from({ length: side * side }, (_, i) => (isIn(disc, i) ? strength : 0));
  blurPlane(plane, side, side, blur);
  return plane;
}

/** Paper of a color, brighter at the top, with shadows and red things on it. */
function draw(
  shadows: readonly Float32Array[],
  things: readonly Disc[],
  tint = [1, 1, 1],
  color = [1, 1, 1],
): Uint8Array {
  return Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const i = Math.floor(at / 3);
    if (things.some((thing) => isIn(thing, i))) return [170, 40, 35][at % 3]!;
    const paper = color[at % 3]! * (240 - (20 * Math.floor(i / side)) / side);
    return Math.round(shadows.reduce((value, plane) => value * (1 - plane[i]! * tint[at % 3]!), paper));
  });
}

function separate(rgb: Uint8Array, all: Uint8Array, chosen = all): Uint8Array | undefined {
  return shadowOfProduct(measureDarkening({ ...size, rgb }, fitBackdrop(rgb, side), all, size), chosen, size);
}

function largestDifference(found: Uint8Array, wanted: Float32Array, counts: (i: number) => boolean): number {
  let largest = 0;
  for (let i = 0; i < found.length; i++) {
    if (counts(i)) largest = Math.max(largest, Math.abs(found[i]! / 255 - wanted[i]!));
  }
  return largest;
}

it.each<[string, number[]]>([
  ["white", [1, 1, 1]],
  ["green", [0.5, 0.85, 0.25]],
  ["blue", [0.3, 0.5, 0.9]],
])("finds the alpha of black that darkened %s paper, up to the product's edge", (_name, color) => {
  const shadow = softShadow(below);
  const found = separate(draw([shadow], [product], [1, 1, 1], color), matteOf(product))!;
  const nearProduct = { ...product, radius: product.radius + 3 };
  expect(largestDifference(found, shadow, (i) => !isIn(nearProduct, i))).toBeLessThan(0.03);
});

it("goes on below the product's edge, through which it is seen", () => {
  const found = separate(draw([softShadow(below)], [product]), matteOf(product))!;
  // On the line from the product's middle to the shadow's, 4 pixels inside of the product.
  const at =
    Math.round(product.y + (product.radius - 4) * 0.91) * side + Math.round(product.x + (product.radius - 4) * 0.41);
  expect(found[at]! / 255).toBeGreaterThan(0.25);
  expect(found[product.y * side + product.x], "but not below its middle").toBe(0);
});

it("finds the shadow below a thing that floats", () => {
  const floor: Disc = { x: 160, y: 225, radius: 22 };
  const shadow = softShadow(floor);
  const found = separate(draw([shadow], [product]), matteOf(product))!;
  expect(largestDifference(found, shadow, (i) => !isIn(product, i))).toBeLessThan(0.03);
});

it.each<[string, () => Uint8Array]>([
  ["no shadow", () => draw([], [product])],
  ["a stain of another color", () => draw([softShadow(below)], [product], [0.1, 1, 1])],
  ["a speck of dust", () => draw([softShadow({ x: 240, y: 180, radius: 1 }, 0.6, 1)], [product])],
  ["a vignette", () => draw([softShadow({ x: 10, y: 310, radius: 40 })], [product])],
])("takes %s for no shadow of the product", (_what, photo) => {
  expect(separate(photo(), matteOf(product))).toBeUndefined();
});

it("leaves the shadow of a thing that was removed", () => {
  const left: Disc = { x: 90, y: 130, radius: 35 };
  const right: Disc = { x: 230, y: 130, radius: 35 };
  const shadows = [left, right].map(({ x, y }) => softShadow({ x, y: y + 35, radius: 25 }));
  const found = separate(draw(shadows, [left, right]), matteOf(left, right), matteOf(left))!;
  const isNear = (i: number) => !isIn({ ...left, radius: left.radius + 3 }, i) && i % side < side / 2;
  expect(largestDifference(found, shadows[0]!, isNear)).toBeLessThan(0.03);
  expect(found.every((value, i) => i % side < side / 2 || value === 0)).toBe(true);
});

it("is drawn in black, the same by rows and as a whole", () => {
  const image = shadowImage(Uint8Array.from([0, 7, 200, 255]), { width: 2, height: 2 });
  const words = new Uint32Array(2);
  const rows = [0, 1].flatMap((y) => {
    image.fillRow!(y, { words, bytes: new Uint8Array(words.buffer) });
    return [...new Uint8Array(words.buffer)];
  });
  expect(rows).toEqual([0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 200, 0, 0, 0, 255]);
  expect([...image.pixels]).toEqual(rows);
});

it("does not take the crease between wall and table for a shadow", () => {
  const crease = Float32Array.from({ length: side * side }, (_, i) => {
    const x = i % side;
    return Math.abs(Math.floor(i / side) - 120) < 4 && x > 20 && x < 300 ? 0.12 : 0;
  });
  blurPlane(crease, side, side, 2);
  const shadow = softShadow(below);
  const found = separate(draw([crease, shadow], [product]), matteOf(product))!;
  const isCrease = (i: number) => Math.abs(Math.floor(i / side) - 120) < 8 && Math.abs((i % side) - product.x) > 75;
  expect(largestDifference(found, new Float32Array(side * side), isCrease)).toBe(0);
  const isShadow = (i: number) => Math.floor(i / side) > 185;
  expect(largestDifference(found, shadow, isShadow)).toBeLessThan(0.06);
});

it("goes on where a shade was first taken for product", () => {
  const shade: Disc = { x: 182, y: 184, radius: 9 };
  const shadow = softShadow(below);
  const found = separate(draw([shadow], [product]), matteOf(product, shade), matteOf(product))!;
  expect(found[shade.y * side + shade.x]! / 255).toBeGreaterThan(0.3);
});
