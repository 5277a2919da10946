import { expect, it } from "vitest";
import { heart, parasol } from "./motifs.ts";
import { starfish } from "./shore.ts";

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

it("a heart has no second outline in it: it darkens most at its own", () => {
  const out = new Float32Array(4);
  const shadeAt = (y: number) => {
    heart([0.5, 0.1, 0.1])({ x: 0, y, soft: 0.01, lampX: 0, lampY: 0 }, out);
    return out[0]!;
  };
  expect(shadeAt(-0.3) - shadeAt(-0.5)).toBeLessThan(shadeAt(-0.5) - shadeAt(-0.7));
});

it("a starfish has arms that are slim at their ends", () => {
  const out = new Float32Array(4);
  const covered = Array.from({ length: 360 }, (_, degrees) => (degrees * Math.PI) / 180).filter((turn) => {
    const at = { x: 0.85 * Math.cos(turn), y: 0.85 * Math.sin(turn) };
    starfish([0.5, 0.2, 0.1], 3)({ ...at, soft: 0.01, lampX: 0, lampY: 0 }, out);
    return out[3]! > 0.5;
  });
  expect(covered.length).toBeGreaterThan(20);
  expect(covered.length).toBeLessThan(100);
});
