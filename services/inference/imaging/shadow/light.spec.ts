import { describe, expect, it } from "vitest";
import { drawLight, lampRays, skyRays } from "./light.ts";

describe("drawLight", () => {
  it("stays within its bounds for every seed, and uses both sides", () => {
    const sides = new Set<string>();
    for (let seed = 0; seed < 400; seed++) {
      const light = drawLight(seed);
      expect(light.elevationDeg).toBeGreaterThanOrEqual(46);
      expect(light.elevationDeg).toBeLessThan(62);
      expect(light.opacity).toBeLessThanOrEqual(1);
      sides.add(light.directionDeg < 180 ? "right" : "left");
    }
    expect(sides.size).toBe(2);
  });

  it("takes requested values without changing the other draws", () => {
    const drawn = drawLight(9);
    expect(drawLight(9, { direction: 10 })).toEqual({ ...drawn, directionDeg: 10 });
    expect(drawLight(9, { direction: 360, softness: 0, opacity: 0 })).toEqual({
      ...drawn,
      directionDeg: 0,
      softness: 0,
      opacity: 0,
    });
  });
});

describe("rays", () => {
  it("point away from the lamp", () => {
    const rays = lampRays({ ...drawLight(1), directionDeg: 90, elevationDeg: 45, softness: 0 }, 50);
    const mean = (plane: Float32Array) => plane.reduce((sum, value) => sum + value, 0) / plane.length;
    expect(mean(rays.x)).toBeCloseTo(-1, 1);
    expect(mean(rays.z)).toBeCloseTo(0, 1);
  });

  it("of the sky favor no side", () => {
    const { x, z } = skyRays(200);
    expect(Math.abs(x.reduce((sum, value) => sum + value, 0)) / 200).toBeLessThan(0.05);
    expect(Math.abs(z.reduce((sum, value) => sum + value, 0)) / 200).toBeLessThan(0.05);
  });
});
