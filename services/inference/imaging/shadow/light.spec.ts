import { describe, expect, it } from "vitest";
import { drawLight, elevationOf, lampRays, skyRays } from "./light.ts";

describe("drawLight", () => {
  it("stays within its bounds for every seed, and uses both sides", () => {
    const sides = new Set<string>();
    for (let seed = 0; seed < 400; seed++) {
      const light = drawLight(seed, { direction: seed % 360 });
      sides.add(drawLight(seed).directionDeg < 180 ? "right" : "left");
      expect(light.elevationDeg).toBeGreaterThanOrEqual(46);
      expect(light.elevationDeg).toBeLessThan(62);
      expect(light.opacity).toBeLessThanOrEqual(1);
    }
    expect(sides.size).toBe(2);
  });

  it("comes from the side of the photo's light, with the other draws of the seed", () => {
    for (let seed = 0; seed < 40; seed++) {
      const right = drawLight(seed, {}, "right");
      expect(right.directionDeg).toBeLessThan(180);
      expect(drawLight(seed, {}, "left")).toEqual({ ...right, directionDeg: 360 - right.directionDeg });
      expect(drawLight(seed, { direction: 300 }, "right"), "a requested side goes before it").toEqual({
        ...right,
        directionDeg: 300,
      });
    }
  });

  it("comes from higher and from a larger lamp where no side is known, so that the shadow is short and soft", () => {
    for (let seed = 0; seed < 40; seed++) {
      const known = drawLight(seed, {}, "left");
      const neutral = drawLight(seed);
      expect(neutral.elevationDeg).toBeGreaterThan(known.elevationDeg + 5);
      expect(neutral.softness).toBeGreaterThan(known.softness + 0.1);
      expect(drawLight(seed, { softness: 0.1, length: 2 })).toMatchObject({
        softness: 0.1,
        elevationDeg: elevationOf(2),
      });
    }
  });

  it("takes requested values without changing the other draws", () => {
    const drawn = drawLight(9, { direction: 90 });
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
