import { describe, expect, it } from "vitest";
import { invertWithin, traceOutlines } from "./outlines.ts";

const size = { width: 7, height: 5 };

function maskOf(rows: readonly string[]): Uint8Array {
  return Uint8Array.from(rows.join(""), (mark) => (mark === "#" ? 1 : 0));
}

const ring = maskOf([
  ".......", //
  ".####..",
  ".#..#.#",
  ".####.#",
  ".......",
]);

describe("traceOutlines", () => {
  it("goes around each part, and around its holes", () => {
    const outlines = traceOutlines(ring, size).map((outline) => outline.length / 2);
    expect(outlines).toEqual([4 + 4 + 3 + 3, 2 + 4, 2 + 2 + 1 + 1]);
  });

  it("goes around what touches the image's border", () => {
    const whole = new Uint8Array(size.width * size.height).fill(1);
    expect(traceOutlines(whole, size).map((outline) => outline.length / 2)).toEqual([2 * (7 + 5)]);
  });
});

describe("invertWithin", () => {
  it("fills what was traced", () => {
    const drawn = new Uint8Array(ring.length);
    for (const outline of traceOutlines(ring, size)) invertWithin(drawn, outline, size);
    expect(drawn).toEqual(ring);
  });

  it("turns over the cells whose center is within", () => {
    const mask = maskOf([".......", "..#....", ".......", ".......", "......."]);
    invertWithin(mask, [1.4, 0.4, 4.6, 0.4, 4.6, 1.6, 1.4, 1.6], size);
    expect(mask).toEqual(maskOf([".####..", ".#.##..", ".......", ".......", "......."]));
  });

  it("leaves out what lies beyond the image", () => {
    const mask = new Uint8Array(ring.length);
    invertWithin(mask, [-3, -3, 20, -3, 20, 1, -3, 1], size);
    expect(mask).toEqual(maskOf(["#######", ".......", ".......", ".......", "......."]));
  });
});
