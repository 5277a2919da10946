import { describe, expect, it } from "vitest";
import type { Size } from "../../pixels/geometry.ts";
import { fitBackdrop } from "../evidence/backdrop.ts";
import type { Prior } from "../evidence/prior.ts";
import { refineMatte } from "../refine-matte.ts";

const side = 320;
type Color = readonly [number, number, number];
type Shape = (x: number, y: number) => boolean;

/** Deterministic grain. */
const grainAt = (i: number) => (((i * 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 4;

const disk =
  (x0: number, y0: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - x0, y - y0) < radius;
const box =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x < right && y >= top && y < bottom;
const but =
  (shape: Shape, ...without: readonly Shape[]): Shape =>
  (x, y) =>
    shape(x, y) && !without.some((other) => other(x, y));

const white: Color = [246, 246, 245];
const blue: Color = [40, 70, 150];

interface Drawing {
  /** All that is not backdrop in color. */
  readonly painted: Shape;
  /** What the network says, 0…1, of each pixel. */
  readonly prior: (x: number, y: number) => number;
  /** The colors behind the product; by default all white. */
  readonly behind?: (x: number, y: number) => Color;
}

/** @returns whether the pixel is opaque in the refined matte */
function refine({ painted, prior, behind = () => white }: Drawing): Shape {
  const size: Size = { width: side, height: side };
  const rgb = new Uint8Array(side * side * 3);
  const alpha = new Uint8Array(side * side);
  for (let i = 0; i < alpha.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    const color = painted(x, y) ? blue : behind(x, y);
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = Math.max(0, Math.min(255, Math.round(color[c]! + grainAt(i))));
    alpha[i] = Math.round(255 * prior(x, y));
  }
  const network: Prior = { ...size, alpha, networkPixel: 1 };
  const { alpha: matte } = refineMatte(rgb, size, { ...size, rgb }, network, fitBackdrop(rgb, side));
  return (x, y) => matte[y * side + x]! >= 128;
}

/** A matte of the shape, with `inner` where the gap is. */
const priorOf = (shape: Shape, gap: Shape, inner: number) => (x: number, y: number) =>
  gap(x, y) ? inner : shape(x, y) ? 1 : 0;

const bag = box(70, 160, 250, 290);
const handleOpening = but(disk(160, 160, 62), box(0, 160, 320, 320));
const handle = but(disk(160, 160, 80), box(0, 160, 320, 320));
const bagWithHandle: Shape = (x, y) => (bag(x, y) || handle(x, y)) && !handleOpening(x, y);

const mug = box(80, 60, 240, 280);
const print = disk(160, 170, 40);

const logo = but(disk(160, 170, 45), disk(160, 170, 25));
const ring = disk(160, 160, 110);
const finger = disk(160, 160, 80);

const watch: Shape = (x, y) => disk(160, 160, 70)(x, y) || box(125, 20, 195, 300)(x, y);
const dial = disk(160, 160, 58);
const hands: Shape = (x, y) => box(157, 125, 163, 163)(x, y) || box(157, 157, 190, 163)(x, y);

/** Two tones behind the product, which no smooth backdrop fits. */
const room = (_x: number, y: number): Color => (y < 150 ? white : [120, 90, 60]);

describe("what is enclosed by a product and has the backdrop's color", () => {
  it.each([0.05, 0.4, 0.7])("opens a bag's handle where the network says %d", (inner) => {
    const isOpaque = refine({ painted: bagWithHandle, prior: priorOf(bag, handleOpening, inner) });
    expect(isOpaque(160, 130)).toBe(false);
    expect([isOpaque(160, 240), isOpaque(160, 90)]).toEqual([true, true]);
  });

  it("opens a bag's handle of which the network is sure that it is none", () => {
    const isOpaque = refine({ painted: bagWithHandle, prior: priorOf(bagWithHandle, handleOpening, 1) });
    expect(isOpaque(160, 130), "the backdrop goes on beyond the handle").toBe(false);
  });

  it.each([0.95, 1])("leaves a white print on a mug closed where the network says %d", (inner) => {
    const isOpaque = refine({ painted: but(mug, print), prior: priorOf(mug, print, inner) });
    expect([isOpaque(160, 170), isOpaque(100, 100)]).toEqual([true, true]);
    expect(isOpaque(40, 170)).toBe(false);
  });

  it("leaves a logo's counter closed", () => {
    const counter = disk(160, 170, 25);
    const shirt = box(60, 40, 260, 290);
    const isOpaque = refine({ painted: (x, y) => shirt(x, y) && !counter(x, y), prior: priorOf(shirt, counter, 0.9) });
    expect(isOpaque(160, 170)).toBe(true);
    const onWhite = refine({
      painted: (x, y) => logo(x, y) || but(shirt, box(63, 43, 257, 287))(x, y),
      prior: priorOf(shirt, counter, 0.9),
    });
    expect([onWhite(160, 170), onWhite(160, 100)], "a logo on a white shirt").toEqual([true, true]);
  });

  it("opens a ring", () => {
    const isOpaque = refine({ painted: but(ring, finger), prior: priorOf(ring, finger, 0.1) });
    expect([isOpaque(160, 160), isOpaque(160, 65)]).toEqual([false, true]);
  });

  it("leaves a watch's face closed, though it is white and its bezel narrow", () => {
    const isOpaque = refine({
      painted: (x, y) => (watch(x, y) && !dial(x, y)) || hands(x, y),
      prior: priorOf(watch, dial, 0.97),
    });
    expect([isOpaque(130, 140), isOpaque(190, 185)]).toEqual([true, true]);
  });

  it("in a room, opens a handle of which the network is not sure, and leaves a print of the wall's color closed", () => {
    const opening = refine({ painted: bagWithHandle, prior: priorOf(bagWithHandle, handleOpening, 0.4), behind: room });
    expect(opening(160, 120)).toBe(false);
    const high = disk(160, 110, 30);
    const printed = refine({ painted: but(mug, high), prior: priorOf(mug, high, 0.4), behind: room });
    expect(printed(160, 110)).toBe(true);
  });
});
