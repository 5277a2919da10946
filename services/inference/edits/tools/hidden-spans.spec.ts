import { describe, expect, it } from "vitest";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import { hiddenBy } from "./hidden-spans.ts";

const width = 1_000;
const height = 700;

/** A block with hard edges; its row `slit` is transparent. */
function block(slit?: number): CutOut {
  const alpha = new Uint8Array(width * height);
  for (let y = 100; y < 600; y++) alpha.fill(y === slit ? 0 : 255, y * width + 100, y * width + 900);
  return { width, height, rgb: new Uint8Array(), alpha };
}

describe.each(["above", "level"] as const)("from a camera that looks %s, hiddenBy", (view) => {
  it.each([1, 0.7, 0.4, 0.3])("hides what no pixel shows, in a scene of %d of the image's sides", (scale) => {
    const camera = { width: Math.round(width * scale), height: Math.round(height * scale), view };
    const margin = view === "above" ? 2 : Math.ceil(0.03 * camera.width);
    const { from, to } = hiddenBy(block(), camera);
    const middle = camera.height >> 1;
    expect(from[middle]).toBe(Math.ceil(100 * scale) + margin);
    expect(to[middle]).toBe(Math.floor(900 * scale) - margin);
    expect(from[2]! < to[2]!).toBe(false);
  });

  it.each([1, 0.7, 0.4, 0.3])("hides nothing that a slit of one row shows, in a scene of %d", (scale) => {
    const camera = { width: Math.round(width * scale), height: Math.round(height * scale), view };
    // Eleven rows, so that of each three or four that become one every one is a slit's once.
    for (let slit = 300; slit < 311; slit++) {
      const { from, to } = hiddenBy(block(slit), camera);
      const inScene = ((slit + 0.5) * camera.height) / height - 0.5;
      for (const y of [Math.floor(inScene), Math.ceil(inScene)]) expect(from[y]! < to[y]!, `${slit}: ${y}`).toBe(false);
      expect(from.filter((start, y) => start < to[y]!).length).toBeGreaterThan(0.6 * camera.height);
    }
  });
});
