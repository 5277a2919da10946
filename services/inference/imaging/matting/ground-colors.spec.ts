import { expect, it } from "vitest";
import { countBlocks, spreadGround } from "./ground-colors.ts";
import type { WorkGrid } from "./work-grid.ts";

it("says of one cell what it says along its row", () => {
  const width = 70;
  const height = 50;
  const lab = Float32Array.from({ length: 3 * width * height }, (_, at) => 50 + 40 * Math.sin(at / 97) + (at % 3));
  const isKnown = Uint8Array.from({ length: width * height }, (_, cell) => (cell % 70 < 30 || cell > 2800 ? 1 : 0));
  const ground = spreadGround({ width, height, lab } as WorkGrid, isKnown);
  const row = new Float32Array(3 * width);
  const color = new Float32Array(3);
  for (const y of [0, 17, 49]) {
    ground.alongRow(y, row);
    for (const x of [0, 7, 33, 69]) {
      ground.at(x, y, color);
      expect([...color]).toEqual([...row.subarray(3 * x, 3 * x + 3)]);
    }
  }
});

it("sums up the known cells of each block, in doubles", () => {
  for (const [width, height] of [
    [70, 50],
    [16, 16],
    [5, 33],
  ] as const) {
    const lab = Float32Array.from({ length: 3 * width * height }, (_, at) => 50 + 40 * Math.sin(at / 7) + (at % 3));
    const isKnown = Uint8Array.from({ length: width * height }, (_, cell) => (cell % 3 === 0 ? 0 : 1));
    const blocks = Math.ceil(width / 16);
    const sums = new Float64Array(4 * blocks * Math.ceil(height / 16));
    for (const cell of isKnown.keys()) {
      if (isKnown[cell] === 0) continue;
      const x = cell % width;
      const block = 4 * (Math.floor((cell - x) / width / 16) * blocks + Math.floor(x / 16));
      for (const c of [0, 1, 2]) sums[block + c]! += lab[3 * cell + c]!;
      sums[block + 3]! += 1;
    }
    // Blocks of a few cells are unknown.
    for (let at = 0; at < sums.length; at += 4) if (sums[at + 3]! < 16) sums.fill(0, at, at + 4);
    expect(countBlocks({ width, height, lab }, isKnown).sums).toEqual(sums);
  }
});
