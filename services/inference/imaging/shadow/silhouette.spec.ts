import { describe, expect, it } from "vitest";
import { createSilhouette } from "./silhouette.ts";

function silhouetteOf(width: number, height: number, isOpaque: (x: number, y: number) => boolean) {
  const alpha = Uint8Array.from({ length: width * height }, (_, i) =>
    isOpaque(i % width, Math.floor(i / width)) ? 255 : 0,
  );
  return createSilhouette(alpha, width, height);
}

describe("createSilhouette", () => {
  it("is null only where no pixel is opaque", () => {
    expect(silhouetteOf(30, 20, () => false)).toBeNull();
    expect(silhouetteOf(30, 20, (x, y) => x === 7 && y === 3)).toMatchObject({ left: 7, right: 8, top: 3, bottom: 4 });
  });

  it.each([1, 2, 3])("has what is %i pixels wide and far higher, wherever its cells begin", (wide) => {
    for (let from = 40; from < 50; from++) {
      const silhouette = silhouetteOf(90, 1240, (x, y) => x >= from && x < from + wide && y >= 20 && y < 1220)!;
      const { left, right, top, bottom, cellPx } = silhouette;
      expect(left * cellPx).toBeLessThan(from + wide);
      expect(right * cellPx).toBeGreaterThan(from);
      expect(right - left).toBeLessThanOrEqual(2);
      expect(Math.abs(top * cellPx - 20)).toBeLessThan(cellPx);
      expect(Math.abs(bottom * cellPx - 1220)).toBeLessThan(cellPx);
    }
  });

  it.each([1, 2, 3])("has all of what is %i pixels wide and far higher, and has a wide part, too", (wide) => {
    for (let from = 40; from < 50; from++) {
      const isBead = (x: number, y: number) => Math.hypot(x - from, y - 60) < 20;
      const isNeedle = (x: number, y: number) => x >= from && x < from + wide && y >= 20 && y < 1220;
      const { top, bottom, cellPx } = silhouetteOf(90, 1240, (x, y) => isBead(x, y) || isNeedle(x, y))!;
      expect(Math.abs(top * cellPx - 20)).toBeLessThan(cellPx);
      expect(Math.abs(bottom * cellPx - 1220)).toBeLessThan(cellPx);
    }
  });

  it("has a pattern whose pieces are all alike and small", () => {
    const isDot = (x: number, y: number) => x % 8 === 4 && y % 8 === 4;
    expect(silhouetteOf(160, 160, isDot)).toMatchObject({ left: 4, top: 4, right: 157, bottom: 157 });
  });

  it("drops what is small beside the product", () => {
    const silhouette = silhouetteOf(200, 200, (x, y) => (x < 150 && y > 50 && y < 150) || (x === 190 && y === 10));
    expect(silhouette!.right * silhouette!.cellPx).toBeLessThan(152);
  });

  it("reaches to the right border with what is cut there, in images of any width", () => {
    for (let width = 300; width < 330; width++) {
      const { right, cellPx } = silhouetteOf(width, 40, (x) => x >= 20)!;
      expect(right * cellPx, `${width} pixels wide`).toBeGreaterThan(width - 1);
    }
  });
});
