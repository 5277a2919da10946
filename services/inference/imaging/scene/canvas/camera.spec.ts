import { expect, it } from "vitest";
import { estimatePose } from "../../shadow/pose.ts";
import { fitCamera, rowBehind, withFeetBelow } from "./camera.ts";

const side = 240;

function posed(isInside: (x: number, y: number) => boolean, pitch = 0.45) {
  const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
    isInside(i % side, Math.floor(i / side)) ? 255 : 0,
  );
  const pose = { ...estimatePose(alpha, side, side, { pose: "standing" })!, pitch };
  const camera = fitCamera(pose, side, side, 1, pose.pitch);
  // A table ends at one and a half times the product's distance from the lens.
  return { behind: rowBehind(camera, pose), tableEnd: camera.horizonY + (camera.baseY - camera.horizonY) / 1.5 };
}

it("lets the ground go on behind a low round thing that is seen from above", () => {
  const rim = (x: number, y: number) => ((x - 120) / 90) ** 2 + ((y - 110) / 40) ** 2 < 1;
  const disc = posed((x, y) => rim(x, y) || rim(x, y - 20));
  // The rear of its base is at row 90, and its foot at 170.
  expect(disc.behind).toBeLessThanOrEqual(90);
  expect(disc.tableEnd).toBeGreaterThan(100);
});

it("lets the ground go on behind a shoe that stands farther back, and not behind a lid in the air", () => {
  const pair = (rearFoot: number) =>
    posed((x, y) => {
      const isFront = x > 20 && x < 150 && y > 120 && y < 220;
      return isFront || (x > 160 && x < 220 && y > rearFoot - 60 && y < rearFoot);
    }, 0.2);
  const shoes = pair(156);
  expect(shoes.tableEnd).toBeGreaterThan(160);
  expect(shoes.behind).toBeLessThan(156);
  expect(pair(90).behind).toBeGreaterThan(156);
});

it("does not move the end of the ground behind a bottle, and asks for none below what hangs", () => {
  const bottle = posed((x, y) => Math.abs(x - 120) < 25 && y > 40 && y < 200);
  expect(bottle.behind).toBeGreaterThan(bottle.tableEnd);
  const shirt = Uint8Array.from({ length: side * side }, (_, i) => (Math.abs((i % side) - 120) < 60 ? 255 : 0));
  const hung = estimatePose(shirt, side, side, { pose: "hanging" });
  expect(rowBehind(fitCamera(hung, side, side, 1, 0.3), hung)).toBe(side);
});

it("keeps the horizon and the ground's tilt where the feet are below the image", () => {
  const camera = fitCamera(null, side, side, 1, 0.3);
  const { baseY, horizonY, distance } = withFeetBelow(camera, 0.6);
  expect(baseY).toBeCloseTo(camera.baseY + 0.6 * camera.size);
  expect(horizonY).toBe(camera.horizonY);
  expect((baseY - horizonY) / distance).toBeCloseTo(0.3);
});
