import { expect, it } from "vitest";
import { inKernelMemory, kernelBytes } from "../../kernels/kernel-memory.ts";
import { countBlocks, lightnessOfGround, spreadGround } from "./ground-colors.ts";
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

it.each<[string, (x: number, y: number) => boolean]>([
  ["around a product", (x, y) => Math.hypot(x - 100, y - 75) > 60],
  ["in one block", (x, y) => x > 150 && x < 158 && y > 3 && y < 9],
  ["in blocks of which few have enough cells", (x, y) => (37 * x + 91 * y) % 113 < ((x >> 4) + (y >> 4)) % 9],
  ["nowhere", () => false],
])("says the same of the lightness alone, where the ground is known %s", (_where, isKnownAt) => {
  const width = 362;
  const height = 277;
  const stride = 12;
  const lab = Float32Array.from({ length: 3 * width * height }, (_, at) => 50 + 40 * Math.sin(at / 97) + (at % 3));
  const isKnown = Uint8Array.from({ length: width * height }, (_, i) =>
    isKnownAt(i % width, Math.floor(i / width)) ? 1 : 0,
  );
  const grid = { width, height, lab } as WorkGrid;
  const everywhere = spreadGround(grid, isKnown);
  const color = new Float32Array(3);
  const above = (cell: number) => {
    everywhere.at(cell % width, Math.floor(cell / width), color);
    return lab[3 * cell]! - color[0]!;
  };
  const cells = Int32Array.from({ length: Math.ceil(isKnown.length / 61) }, (_, n) => 61 * n);
  const isPale = (cell: number) => above(cell) >= 4 && lab[3 * cell]! - above(cell) >= 55;
  const isSample = (cell: number) => [cell % width, Math.floor(cell / width)].every((at) => at % stride === stride / 2);
  const known = [...isKnown.keys()].filter((cell) => isKnown[cell] === 1 && isSample(cell));
  inKernelMemory(() => {
    const ground = lightnessOfGround(grid, isKnown);
    const marks = kernelBytes(isKnown.length).fill(0);
    const pale = cells.filter(isPale);
    expect(ground.markPale(cells, 4, 55, marks)).toBe(pale.length);
    expect([...marks.keys()].filter((cell) => marks[cell] === 1)).toEqual([...pale]);
    expect(Array.from(cells, ground.above)).toEqual(Array.from(cells, above));
    expect([...ground.differences(stride)]).toEqual(known.map((cell) => Math.abs(above(cell))));
  });
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
