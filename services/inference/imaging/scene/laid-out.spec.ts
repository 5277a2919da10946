import { expect, it } from "vitest";
import { estimatePose, type ProductPose } from "../shadow/pose.ts";
import { isLaidOut } from "./laid-out.ts";

const side = 200;

type Box = readonly [left: number, top: number, right: number, bottom: number];

function posed(boxes: readonly Box[]): ProductPose {
  const alpha = new Uint8Array(side * side);
  for (const [left, top, right, bottom] of boxes)
    for (let y = top; y < bottom; y++) alpha.fill(255, y * side + left, y * side + right);
  const pose = estimatePose(alpha, side, side)!;
  return { ...pose, stance: "standing", view: "level", confidence: 0.8 };
}

const rows = (count: number, gap: number): Box[] =>
  Array.from({ length: count }, (_, row) => [20, 20 + row * gap, 60, 20 + row * gap + 24]);

const kit = posed([[80, 20, 110, 180], ...rows(4, 40), [130, 30, 170, 60], [130, 90, 170, 150]]);

it("a kit whose parts lie above each other was laid out", () => {
  expect(isLaidOut(kit)).toBe(true);
});

it("it stands where that is sure or asked for, and whatever lies or hangs is left as it is", () => {
  expect(isLaidOut({ ...kit, confidence: 1 })).toBe(false);
  expect(isLaidOut({ ...kit, stance: "lying" })).toBe(false);
});

it.each([
  ["a set that stands in a row", Array.from({ length: 6 }, (_, i): Box => [10 + 30 * i, 60 + 8 * i, 32 + 30 * i, 150])],
  ["a few parts above each other", rows(4, 40)],
  [
    "a rear row that the front one covers",
    Array.from(
      { length: 6 },
      (_, i): Box => [10 + 30 * i, i % 2 === 0 ? 40 : 80, 32 + 30 * i, i % 2 === 0 ? 110 : 150],
    ),
  ],
  [
    "a crowd of crumbs beside a product",
    [[80, 20, 110, 180], ...rows(7, 22).map(([x, y]): Box => [x, y, x + 3, y + 3])],
  ],
] as const)("%s was not", (_, boxes) => {
  expect(isLaidOut(posed(boxes as readonly Box[]))).toBe(false);
});
