import { describe, expect, it } from "vitest";
import { resamplePlane } from "./resample.ts";

/** A linear gradient over the whole plane, sampled at each pixel's center. */
function gradient(width: number, height: number, along: "x" | "y"): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const position = along === "x" ? ((i % width) + 0.5) / width : (Math.floor(i / width) + 0.5) / height;
    return Math.min(255, Math.round(256 * position));
  });
}

describe("resamplePlane", () => {
  it.each([
    [32, 128],
    [32, 100],
    [320, 1080],
    [200, 64],
  ])("from %d to %d shifts nothing", (from, to) => {
    for (const along of ["x", "y"] as const) {
      const size = { width: from, height: from };
      const out = resamplePlane(gradient(from, from, along), size, { width: to, height: to });
      const expected = gradient(to, to, along);
      const inner = Array.from({ length: to >> 1 }, (_, i) => (to >> 2) + i);
      const at = (i: number) => (along === "x" ? (to >> 1) * to + i : i * to + (to >> 1));
      const shift = inner.reduce((sum, i) => sum + out[at(i)]! - expected[at(i)]!, 0) / inner.length;
      expect(Math.abs(shift), along).toBeLessThan(0.26);
    }
  });

  it("resamples a step symmetrically", () => {
    const step = Uint8Array.from({ length: 32 * 4 }, (_, i) => (i % 32 >= 16 ? 255 : 0));
    const out = resamplePlane(step, { width: 32, height: 4 }, { width: 128, height: 4 });
    for (let k = 0; k < 10; k++) expect(out[64 + k]! + out[63 - k]!).toBeCloseTo(255, -0.5);
  });

  it("changes nothing at the same size, and stretches a single pixel over everything", () => {
    const plane = gradient(9, 7, "x");
    expect(resamplePlane(plane, { width: 9, height: 7 }, { width: 9, height: 7 })).toEqual(plane);
    const one = resamplePlane(Uint8Array.of(77), { width: 1, height: 1 }, { width: 5, height: 3 });
    expect(new Set(one)).toEqual(new Set([77]));
  });
});
