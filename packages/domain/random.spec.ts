import { describe, expect, it } from "vitest";
import { createRandom, hashText } from "./random.ts";

const draw = (seed: number, count: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

describe("createRandom", () => {
  it("gives the same numbers for the same seed, and others for the next seed", () => {
    expect(draw(7, 20)).toEqual(draw(7, 20));
    expect(draw(7, 20)).not.toEqual(draw(8, 20));
  });

  it("is uniform in [0, 1)", () => {
    const numbers = draw(0, 20_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, n) => sum + n, 0) / numbers.length).toBeCloseTo(0.5, 2);
  });

  it("picks every choice and stays within its bounds", () => {
    const random = createRandom(4_294_967_295);
    const seen = new Set(Array.from({ length: 200 }, () => random.pick(["a", "b", "c"])));
    expect([...seen].sort()).toEqual(["a", "b", "c"]);
    for (let i = 0; i < 200; i++) {
      expect([2, 3, 4]).toContain(random.integer(2, 4));
      expect(random.between(-1, 1)).toBeLessThan(1);
    }
  });
});

describe("hashText", () => {
  it("gives different texts different hashes", () => {
    expect(new Set(["", "a", "b", "ab", "ba"].map(hashText)).size).toBe(5);
  });
});
