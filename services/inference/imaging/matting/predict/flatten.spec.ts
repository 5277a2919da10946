import { describe, expect, it } from "vitest";
import { flattenForMatting } from "./flatten.ts";

const pixel = (rgb: readonly number[], alpha: number) => ({
  format: "png" as const,
  width: 2,
  height: 1,
  rgb: Uint8Array.from([...rgb, 10, 20, 30]),
  alpha: Uint8Array.from([255, alpha]),
});

describe("flattenForMatting", () => {
  it("returns the pixels of an opaque photo as they are", () => {
    const { alpha: _, ...photo } = pixel([1, 2, 3], 255);
    expect(flattenForMatting(photo)).toBe(photo.rgb);
  });

  it("lays a dark product on white", () => {
    expect([...flattenForMatting(pixel([40, 40, 40], 0))]).toEqual([40, 40, 40, 255, 255, 255]);
  });

  it("lays a light product on gray, so that it stands out", () => {
    expect([...flattenForMatting(pixel([250, 250, 250], 0))]).toEqual([250, 250, 250, 96, 96, 96]);
  });
});
