import { expect, it } from "vitest";
import { spreadGround } from "./ground-colors.ts";
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
