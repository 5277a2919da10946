import { describe, expect, it } from "vitest";
import type { Size } from "../../pixels/geometry.ts";
import { frayedEdge, frayedEdgeMax } from "./frayed-edge.ts";

const side = 400;
const ground = 230;
const pale = 220;
const dark = 120;

type Radius = (angle: number) => number;

const smooth: Radius = () => 120;
/** Steps of so many pixels in and out, each the 64th of a turn long. */
const stepsOf =
  (depth: number): Radius =>
  (angle) =>
    120 + (Math.floor((32 * angle) / Math.PI) % 2 === 0 ? depth : -depth);

interface Drawn {
  /** The matte's pixels for each of the photo's. */
  readonly scale?: number;
  /** Where the network surely sees the edge; without it, it is not sure within ten pixels of the smooth one. */
  readonly seenAt?: Radius;
}

function fray(radiusAt: Radius, product: number, { scale = 1, seenAt }: Drawn = {}): number {
  const draw = ({ width, height }: Size, radius: Radius) =>
    Uint8Array.from({ length: width * height }, (_, i) => {
      const x = (((i % width) + 0.5) * side) / width - side / 2;
      const y = ((Math.floor(i / width) + 0.5) * side) / height - side / 2;
      return Math.hypot(x, y) < radius(Math.atan2(y, x) + Math.PI) ? 255 : 0;
    });
  const photo = { width: side, height: side };
  const size = { width: scale * side, height: scale * side };
  const rgb = Uint8Array.from(draw(photo, smooth), (at) => (at > 0 ? product : ground));
  const colors = new Uint8Array(3 * rgb.length);
  for (let i = 0; i < colors.length; i++) colors[i] = rgb[Math.floor(i / 3)]!;
  const inner = draw(photo, seenAt ?? (() => 110));
  const outer = draw(photo, seenAt ?? (() => 130));
  const prior = { ...photo, alpha: inner.map((at, i) => (at + outer[i]!) >> 1), networkPixel: 2 };
  return frayedEdge(draw(size, radiusAt), size, { ...photo, rgb: colors }, prior);
}

describe("frayedEdge", () => {
  it("finds the notches and spikes of a pale product's edge, at any size of the matte", () => {
    expect(fray(stepsOf(4), pale)).toBeGreaterThan(0.1);
    expect(fray(stepsOf(4), pale, { scale: 3 })).toBeGreaterThan(0.1);
  });

  it("finds none where the network is sure of them", () => {
    expect(fray(stepsOf(4), pale, { seenAt: stepsOf(4) })).toBe(0);
  });

  it("finds none where the network's edge goes through the middle of them, and it doubts nothing", () => {
    expect(fray(stepsOf(2.5), pale)).toBeGreaterThan(frayedEdgeMax);
    expect(fray(stepsOf(2.5), pale, { seenAt: smooth })).toBe(0);
  });

  it.each([
    ["a smooth edge", smooth, pale],
    ["the steps of single pixels", stepsOf(0.7), pale],
    ["a rough edge in a color of its own", stepsOf(4), dark],
  ])("finds none in %s", (_what, radius, product) => {
    expect(fray(radius, product)).toBe(0);
  });

  it("is 0 where there is no edge", () => {
    expect(fray(() => 0, pale)).toBe(0);
    expect(fray(() => 1000, pale)).toBe(0);
  });
});
