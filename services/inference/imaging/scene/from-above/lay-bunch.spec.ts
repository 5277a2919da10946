import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { fromHex } from "../canvas/color.ts";
import { bunchAt } from "./lay-bunch.ts";

const from = { x: -1, y: -1, turn: Math.PI / 4, long: 0.8 };

/** The color of a motif's middle. */
function middleOf(motif: ReturnType<typeof bunchAt>[number]["motif"]): number[] {
  const out = new Float32Array(4);
  motif({ x: 0.1, y: 0.01, soft: 0.05, lampX: 0.5, lampY: 0.5 }, out);
  return [...out.subarray(0, 3)];
}

it("ends each stalk in a head that lies upon all stalks, and no part is green", () => {
  const stamps = bunchAt(from, null, createRandom(3));
  const stalks = stamps.slice(0, stamps.length / 2);
  for (const [i, stalk] of stalks.entries()) {
    const { spot } = stamps[stalks.length + i]!;
    const tipX = stalk.spot.x + stalk.spot.reach * Math.cos(stalk.spot.turn);
    const tipY = stalk.spot.y + stalk.spot.reach * Math.sin(stalk.spot.turn);
    expect(Math.hypot(spot.x - tipX, spot.y - tipY)).toBeLessThan(spot.reach);
  }
  for (const { motif } of stamps) {
    const [red, green] = middleOf(motif);
    expect(green!).toBeLessThan(red!);
  }
});

it("takes the theme's color", () => {
  const heads = bunchAt(from, fromHex("#7d4a8f"), createRandom(3)).slice(17);
  const tails = heads.filter((_, stem) => stem % 2 === 0).map(({ motif }) => middleOf(motif));
  for (const [red, green, blue] of tails) expect(Math.min(red!, blue!)).toBeGreaterThan(0.9 * green!);
});
