import { describe, expect, it } from "vitest";
import { traceGround } from "./ground.ts";
import { createSilhouette } from "./silhouette.ts";
import { standingParts } from "./standing-parts.ts";

type Box = readonly [left: number, top: number, right: number, bottom: number];

const pitch = 0.4;

function partsOf(...boxes: readonly Box[]) {
  const alpha = new Uint8Array(200 * 160);
  for (const [left, top, right, bottom] of boxes) {
    for (let y = top; y < bottom; y++) alpha.fill(255, y * 200 + left, y * 200 + right);
  }
  const silhouette = createSilhouette(alpha, 200, 160)!;
  return standingParts(silhouette, traceGround(silhouette, pitch), pitch);
}

describe("standingParts", () => {
  it("is one part where all stands on one line", () => {
    expect(partsOf([20, 20, 180, 140])).toHaveLength(1);
    expect(partsOf([20, 60, 90, 140], [110, 40, 180, 138])).toHaveLength(1);
  });

  it("gives what stands farther back a ground line of its own, on the same base", () => {
    const [front, behind, ...rest] = partsOf([20, 100, 130, 150], [140, 60, 180, 110]);
    expect(rest).toEqual([]);
    const { silhouette, ground } = behind!;
    expect(silhouette.bottom * silhouette.cellPx).toBeCloseTo(110, 0);
    const middle = Math.floor((silhouette.left + silhouette.right) / 2);
    expect(ground.contact[middle]).toBeGreaterThan(0.9);
    expect(ground.groundRow[middle]! * silhouette.cellPx).toBeCloseTo(110, -0.5);
    expect(ground.baseRow).toBe(front!.ground.baseRow);
  });

  it("gives the pieces of a kit that is laid out ground lines far behind the front one", () => {
    const [, behind, ...rest] = partsOf([20, 110, 130, 150], [140, 50, 180, 80]);
    expect(rest).toEqual([]);
    expect(behind!.ground.contact[Math.floor(160 / behind!.silhouette.cellPx)]).toBeGreaterThan(0.9);
  });

  const seat: Box = [30, 30, 170, 60];
  const frontLegs: readonly Box[] = [
    [34, 60, 42, 150],
    [158, 60, 166, 150],
  ];

  it("gives each rear leg of one thing its own ground line, and leaves what it carries in front", () => {
    const [front, left, right, ...rest] = partsOf(seat, ...frontLegs, [70, 60, 76, 128], [122, 60, 128, 126]);
    expect(rest).toEqual([]);
    for (const [leg, middle, foot] of [
      [left!, 73, 128],
      [right!, 125, 126],
    ] as const) {
      const { silhouette, ground } = leg;
      const column = Math.floor(middle / silhouette.cellPx);
      expect(silhouette.top * silhouette.cellPx).toBeCloseTo(60, 0);
      expect(ground.contact[column]).toBeGreaterThan(0.9);
      expect(ground.groundRow[column]! * silhouette.cellPx).toBeCloseTo(foot, -0.5);
      expect(front!.ground.contact[column]).toBeLessThan(0.1);
      expect(ground.baseRow).toBe(front!.ground.baseRow);
    }
  });

  it("gives what is partly hidden by a piece in front a ground line of its own, as a rear shoe", () => {
    const [front, rear, ...rest] = partsOf([20, 40, 110, 122], [100, 60, 180, 150]);
    expect(rest).toEqual([]);
    const { silhouette, ground } = rear!;
    expect(silhouette.right * silhouette.cellPx).toBeCloseTo(100, -0.5);
    expect(ground.groundRow[60]! * silhouette.cellPx).toBeCloseTo(122, -0.5);
    expect(ground.contact[60]).toBeGreaterThan(0.9);
    expect(front!.silhouette.left * front!.silhouette.cellPx).toBeCloseTo(100, -0.5);
  });

  /** A body whose lower left edge is round, by 24 columns for 20 rows. */
  const roundBody = Array.from(
    { length: 24 },
    (_, i): Box => [20 + i, 20, 21 + i, 102 + Math.round(20 * Math.sqrt(i / 23))],
  );

  it("gives a round body behind its open drawer a ground line of its own, and none to a seat beside a leg", () => {
    const body: Box = [44, 20, 110, 122];
    const [, rear, ...rest] = partsOf(...roundBody, [44, 20, 60, 122], body, [60, 90, 180, 150]);
    expect(rest).toEqual([]);
    expect(rear!.silhouette.bottom * rear!.silhouette.cellPx).toBeCloseTo(122, -0.5);
    expect(partsOf(...roundBody, body, [54, 122, 64, 150], [110, 20, 180, 122])).toHaveLength(1);
  });

  const staggered: readonly Box[] = [
    [10, 30, 70, 110],
    [60, 50, 125, 130],
    [120, 60, 190, 155],
  ];

  it.each([
    ["from left to right", (box: Box): Box => box],
    ["from right to left", ([left, top, right, bottom]: Box): Box => [200 - right, top, 200 - left, bottom]],
  ])("gives each of three pieces that are staggered %s a ground line of its own", (_name, mirrored) => {
    const parts = partsOf(...staggered.map(mirrored)).toSorted((a, b) => a.silhouette.bottom - b.silhouette.bottom);
    // Columns are those of what stands in front there, with what shows above it.
    const visible: readonly Box[] = [
      [10, 30, 60, 110],
      [60, 30, 120, 130],
      [120, 50, 190, 155],
    ];
    expect(parts).toHaveLength(3);
    for (const [index, box] of visible.map(mirrored).entries()) {
      const { silhouette, ground } = parts[index]!;
      const { left, top, right, bottom, cellPx } = silhouette;
      const found = [left, top, right, bottom].map((cell) => cell * cellPx);
      for (const [side, px] of found.entries()) expect(px).toBeCloseTo(box[side]!, -0.5);
      const middle = Math.floor((left + right) / 2);
      expect(ground.groundRow[middle]! * cellPx).toBeCloseTo(box[3], -0.5);
      expect(ground.contact[middle]).toBeGreaterThan(0.9);
    }
  });

  it.each<[string, ...Box[]]>([
    ["held up, as a nozzle", [20, 20, 110, 80], [100, 20, 140, 150]],
    ["open above, as a handle", [20, 60, 110, 64], [20, 60, 26, 122], [20, 116, 110, 122], [100, 40, 180, 150]],
    ["narrow, as a spout", [90, 40, 110, 122], [100, 40, 190, 150]],
    ["standing where the border cuts what is in front", [20, 40, 110, 130], [100, 60, 180, 160]],
  ])("takes for nothing hidden what is %s", (_name, ...pieces) => {
    expect(partsOf(...pieces)).toHaveLength(1);
  });

  it.each<[string, Box]>([
    ["too high to stand behind", [70, 60, 76, 95]],
    ["short, as the wave of a hem", [70, 60, 76, 66]],
    ["that joins a lower part, as a handle does", [42, 110, 60, 120]],
  ])("takes for no leg what is %s", (_name, piece) => {
    expect(partsOf(seat, ...frontLegs, piece)).toHaveLength(1);
  });

  it("leaves what is on top of another, too high, or cut by the border where it was", () => {
    expect(partsOf([40, 60, 160, 150], [60, 30, 140, 50])).toHaveLength(1);
    expect(partsOf([20, 110, 80, 150], [90, 10, 140, 30])).toHaveLength(1);
    expect(partsOf([20, 20, 90, 160], [110, 40, 180, 160])).toHaveLength(1);
  });
});
