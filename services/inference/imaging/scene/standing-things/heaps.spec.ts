import { createRandom } from "@packshot/domain/random.ts";
import { describe, expect, it } from "vitest";
import type { Motif } from "../motifs/motifs.ts";
import { namedThings } from "../words/named-things.ts";
import { heaps } from "./heaps.ts";

const across = 80;

/** Red, green, blue and the opacity of a heap's points, row by row from its top. */
function points(motif: Motif, aspect: number): number[][][] {
  const out = new Float32Array(4);
  const rows = Math.round(across / aspect);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: across }, (_, column) => {
      const point = { x: (2 * (column + 0.5)) / across - 1, y: (1 - (2 * (row + 0.5)) / rows) / aspect };
      motif({ ...point, soft: 0.02, lampX: 0.4, lampY: 0.7 }, out);
      return [...out];
    }),
  );
}

describe.each([...heaps])("a heap of %s", (name, { aspect, make }) => {
  it("is a thing of the lexicon", () => {
    expect([...namedThings.values()].map((thing) => thing.name)).toContain(name);
  });

  it("is another one each time", () => {
    const [one, other] = [3, 4].map((seed) => points(make(createRandom(seed)), aspect).flat());
    const changed = one!.filter((point, i) => point.some((value, c) => Math.abs(value - other![i]![c]!) > 0.05));
    expect(changed.length).toBeGreaterThan(0.08 * one!.length);
  });

  it("fills its frame, and lies in it whole", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const rows = points(make(createRandom(seed)), aspect).map((row) => row.map((point) => point[3]!));
      const solid = rows.map((row) => row.filter((value) => value > 0.5).length);
      expect(solid.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.2 * rows.length * across);
      // What is opaque does not touch the frame; what shades the ground may.
      expect(solid[0]).toBe(0);
      expect(rows.filter((row) => row[0]! > 0.5 || row[across - 1]! > 0.5)).toEqual([]);
    }
  });
});
