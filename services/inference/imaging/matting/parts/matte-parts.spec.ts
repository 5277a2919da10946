import { expect, it } from "vitest";
import { labelComponents } from "../../pixels/connected-components.ts";
import { boxesOfParts, keepPartAt, partAt } from "./matte-parts.ts";

const size = { width: 200, height: 100 };
const large = { left: 10, top: 20, width: 60, height: 50 };
const other = { left: 120, top: 30, width: 50, height: 40 };
/** Next to the large one, and of less than a tenth of its size. */
const small = { left: 76, top: 40, width: 6, height: 6 };

function draw(boxes: readonly (typeof large)[], value = 255): Uint8Array {
  const plane = new Uint8Array(size.width * size.height);
  for (const { left, top, width, height } of boxes) {
    for (let y = top; y < top + height; y++) plane.fill(value, y * size.width + left, y * size.width + left + width);
  }
  return plane;
}

it("finds the part at a point, and within reach of it", () => {
  const parts = labelComponents(draw([large, other], 1), size);
  const at = (x: number, y: number, reach = 0) => boxesOfParts(parts, size)[partAt(parts, size, { x, y }, reach)];
  expect(at(10, 20)).toEqual(large);
  expect(at(169, 69)).toEqual(other);
  expect(at(115, 50, 5)).toEqual(other);
  expect(partAt(parts, size, { x: 114, y: 50 }, 5)).toBe(0);
});

it("keeps the part at the point and the small ones near it, soft edges too", () => {
  const alpha = draw([large, small, other]);
  alpha[45 * size.width + 70] = 40;
  alpha[45 * size.width + 171] = 40;
  const wanted = draw([large, small]);
  wanted[45 * size.width + 70] = 40;
  keepPartAt(alpha, size, { x: 30, y: 30 });
  expect(alpha).toEqual(wanted);
});

it("keeps a small part alone where the point is on it", () => {
  const alpha = draw([large, small, other]);
  keepPartAt(alpha, size, { x: 78, y: 42 });
  expect(alpha).toEqual(draw([small]));
});

it("keeps nothing where the point is on no part", () => {
  const alpha = draw([large, other]);
  keepPartAt(alpha, size, { x: 95, y: 90 });
  expect(alpha.every((value) => value === 0)).toBe(true);
});
