import { describe, expect, it } from "vitest";
import type { Camera } from "../canvas/camera.ts";
import type { Motif } from "../motifs/motifs.ts";
import { darkenContact } from "./touch-ground.ts";

const camera: Camera = {
  width: 200,
  height: 160,
  view: "level",
  size: 100,
  baseX: 100,
  baseY: 120,
  horizonY: 40,
  distance: 300,
};
/** A drawing 80 pixels high whose lowest point is at row 100. */
const spot = { x: 100, y: 60, reach: 40, turn: 0 };

function darkened(isInside: (x: number, y: number) => boolean) {
  const motif: Motif = ({ x, y }, out) => {
    out[3] = isInside(x, y) ? 1 : 0;
  };
  const light = new Float32Array(camera.width * camera.height * 3).fill(1);
  darkenContact(light, camera, { motif, spot, halfWide: 40, halfTall: 40, footY: 100 });
  return (x: number, y: number) => light[(y * camera.width + x) * 3]!;
}

describe("what a drawn thing keeps from the ground that it touches", () => {
  it("is most of the light below a ball, less at its sides and none farther away", () => {
    const at = darkened((x, y) => Math.hypot(x, y) < 1);
    expect(at(100, 100)).toBeLessThan(0.45);
    expect(at(100, 104)).toBeLessThan(0.8);
    expect(at(64, 100)).toBeGreaterThan(at(100, 100) + 0.3);
    expect(at(100, 135)).toBe(1);
    expect(at(20, 100)).toBe(1);
  });

  it("is below each of two things, of which one stands farther back, and not between them", () => {
    const at = darkened((x, y) => Math.hypot(x + 0.6, y + 0.6) < 0.4 || Math.hypot(x - 0.6, y + 0.4) < 0.4);
    expect(at(76, 100)).toBeLessThan(0.45);
    expect(at(124, 92)).toBeLessThan(0.45);
    expect(at(100, 100)).toBeGreaterThan(0.7);
  });

  it("ends without a step in front of it", () => {
    const at = darkened((x, y) => Math.hypot(x, y) < 1);
    const column = Array.from({ length: 59 }, (_, i) => at(100, 101 + i));
    const steps = column.slice(1).map((one, i) => one - column[i]!);
    // The last step from what is darkened to what is not is no larger than those before it fade.
    expect(column.at(-1)).toBe(1);
    expect(steps[column.indexOf(1) - 1]).toBeLessThan(0.004);
  });

  it("is none below what hangs over", () => {
    const at = darkened((x, y) => (Math.abs(x + 0.7) < 0.3 && y < 0) || y > 0.2);
    expect(at(72, 100)).toBeLessThan(0.45);
    expect(at(130, 100)).toBeGreaterThan(0.95);
  });
});
