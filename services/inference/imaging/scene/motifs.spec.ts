import { expect, it } from "vitest";
import { parasol } from "./motifs.ts";

/** Green of a parasol at a point, and how much of it is there. */
function parasolAt(x: number, y: number): readonly [number, number] {
  const out = new Float32Array(4);
  parasol([0.8, 0.8, 0.8], [0.8, 0.8, 0.8])({ x, y, soft: 0.01, lampX: -0.4, lampY: 0.7 }, out);
  return [out[1]!, out[3]!];
}

it("a parasol's canopy is round to the lamp, its inside in shade, and its pole below it", () => {
  const [lit] = parasolAt(-0.5, 0.62);
  const [shaded] = parasolAt(0.5, 0.62);
  const [inside] = parasolAt(0.25, 0.37);
  expect(lit).toBeGreaterThan(1.2 * shaded);
  expect(shaded).toBeGreaterThan(1.2 * inside);
  expect([parasolAt(0, -0.5)[1], parasolAt(0.2, -0.5)[1], parasolAt(0.9, 0.9)[1]]).toEqual([1, 0, 0]);
});
