import { expect, it } from "vitest";
import { blurPlane } from "../../pixels/blur.ts";
import { chooseProduct } from "./choose-product.ts";

const size = { width: 400, height: 300 };
interface Thing {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** In pixels. */
  readonly blur?: number;
}

function draw(things: readonly Thing[]): { alpha: Uint8Array; rgb: Uint8Array } {
  const alpha = new Uint8Array(size.width * size.height);
  const dark = new Float32Array(alpha.length);
  for (const { left, top, width, height, blur = 0 } of things) {
    const plane = new Float32Array(alpha.length);
    for (let y = top; y < top + height; y++) {
      alpha.fill(255, y * size.width + left, y * size.width + left + width);
      plane.fill(150, y * size.width + left, y * size.width + left + width);
    }
    blurPlane(plane, size.width, size.height, blur);
    for (let i = 0; i < dark.length; i++) dark[i] = Math.max(dark[i]!, plane[i]!);
  }
  const rgb = Uint8Array.from({ length: alpha.length * 3 }, (_, i) => 220 - dark[Math.floor(i / 3)]!);
  return { alpha, rgb };
}

function choose(things: readonly Thing[], isPlain = false) {
  const { alpha, rgb } = draw(things);
  const candidates = chooseProduct(alpha, size, { ...size, rgb }, isPlain);
  const kept = things.map(({ left, top }) => alpha[(top + 1) * size.width + left + 1] === 255);
  return { candidates, kept };
}

const middle: Thing = { left: 150, top: 100, width: 90, height: 100 };

it.each<[string, Thing]>([
  ["smaller", { left: 290, top: 120, width: 40, height: 50 }],
  ["out of focus", { left: 290, top: 100, width: 90, height: 100, blur: 6 }],
  ["cut by the photo's border", { left: 290, top: 200, width: 110, height: 100 }],
])("removes what is %s", (_how, other) => {
  const { candidates, kept } = choose([middle, other]);
  expect(kept).toEqual([true, false]);
  expect(candidates.map(({ score: _, ...candidate }) => candidate)).toEqual([
    { ...boxOf(middle), chosen: true },
    { ...boxOf(other), chosen: false },
  ]);
});

it("names the best one first, wherever it stands", () => {
  const { candidates, kept } = choose([{ ...middle, left: 20, width: 40, height: 50 }, middle]);
  expect(kept).toEqual([false, true]);
  expect(candidates[0]).toEqual({ ...boxOf(middle), score: 1, chosen: true });
});

it("keeps two that are as good", () => {
  const { candidates, kept } = choose([
    { ...middle, left: 90 },
    { ...middle, left: 220 },
  ]);
  expect([kept, candidates.map(({ chosen }) => chosen)]).toEqual([
    [true, true],
    [true, true],
  ]);
});

it("keeps all on a plain backdrop", () => {
  expect(choose([middle, { left: 290, top: 120, width: 40, height: 50 }], true).kept).toEqual([true, true]);
});

it.each<[string, readonly Thing[]]>([
  ["one thing", [middle]],
  ["parts with a narrow gap", [middle, { ...middle, left: 242, width: 60 }]],
  ["loose small parts", [middle, { left: 280, top: 60, width: 20, height: 20 }]],
])("sees no candidates in %s, and removes nothing", (_what, things) => {
  const { candidates, kept } = choose(things);
  expect(candidates).toEqual([]);
  expect(kept.every(Boolean)).toBe(true);
});

it("removes a small part with the thing that it is nearest to", () => {
  const other: Thing = { left: 300, top: 140, width: 50, height: 50 };
  const { kept } = choose([middle, other, { left: 360, top: 150, width: 10, height: 10 }]);
  expect(kept).toEqual([true, false, false]);
});

it("sees two things also where a thin line beside one reaches almost to the other", () => {
  const other: Thing = { left: 300, top: 140, width: 50, height: 50 };
  const { candidates } = choose([middle, other, { left: 240, top: 160, width: 57, height: 2 }]);
  expect(candidates.map(({ chosen }) => chosen)).toEqual([true, false]);
});

it("names five at most", () => {
  const things = Array.from({ length: 8 }, (_, i) => ({ left: 10 + i * 48, top: 120, width: 30, height: 60 }));
  expect(choose(things).candidates).toHaveLength(5);
});

function boxOf({ left, top, width, height }: Thing) {
  return { left, top, width, height };
}
