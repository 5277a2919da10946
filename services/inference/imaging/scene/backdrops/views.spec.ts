import { createRandom } from "@packshot/domain/random.ts";
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { createCanvas } from "../canvas/canvas.ts";
import { createNoise } from "../canvas/noise.ts";
import { planScene } from "../plan/scene-plan.ts";
import { settings } from "../words/lexicon.ts";
import { parseTheme } from "../words/theme.ts";
import type { BackdropInput } from "./painter.ts";
import { paintView } from "./views.ts";

const side = 120;

/** The green of a window that fills the canvas, by rows. */
function viewOf(place: string): Float32Array {
  const canvas = createCanvas(side, side);
  const plan = { ...planScene(parseTheme("living room"), "one text", 7), view: settings.get(place)! };
  const input = { canvas, plan, noise: createNoise(createRandom(5)), aspect: 1 } as BackdropInput;
  inKernelMemory(() => paintView(input, { left: 0, right: 1, top: 0, foot: 1 }));
  return canvas.planes[1];
}

/** How much the rows from…to of the picture vary, over their mean. */
function variation(plane: Float32Array, from: number, to: number): number {
  const part = plane.subarray(from * side, to * side);
  const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
  return Math.sqrt(part.reduce((sum, value) => sum + (value - mean) ** 2, 0) / part.length) / mean;
}

describe("what is seen through a window", () => {
  it.each(["garden", "autumn"])("has trees with lit crowns, not cut from paper: %s", (place) => {
    // These rows show the nearest trees alone.
    expect(variation(viewOf(place), 100, 120)).toBeGreaterThan(0.08);
  });

  it("has a sea without crowns", () => {
    expect(variation(viewOf("sea"), 100, 120)).toBeLessThan(0.01);
  });
});
