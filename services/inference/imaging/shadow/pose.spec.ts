import { existsSync } from "node:fs";
import path from "node:path";
import type { PoseParameters } from "@packshot/domain/edits/shadow.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { estimatePose, type ProductPose, setDown } from "./pose.ts";

type Inside = (x: number, y: number) => boolean;

function poseOf(inside: Inside, requested: PoseParameters = {}, shadow?: Inside): ProductPose {
  const { alpha } = drawnCutOut(300, 300, inside);
  const dark = shadow && Uint8Array.from(alpha, (a, i) => (a === 0 && shadow(i % 300, Math.floor(i / 300)) ? 60 : 0));
  return estimatePose(alpha, 300, 300, requested, dark && { alpha: dark, width: 300 })!;
}

const any =
  (...shapes: readonly Inside[]): Inside =>
  (x, y) =>
    shapes.some((inside) => inside(x, y));
const ellipse =
  (cx: number, cy: number, rx: number, ry: number): Inside =>
  (x, y) =>
    ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1;
/** A polygon, by the number of its edges to the right of a point. */
const polygon =
  (...corners: readonly (readonly [number, number])[]): Inside =>
  (x, y) =>
    corners.filter(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length]!;
      return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax);
    }).length %
      2 ===
    1;
/** Turned clockwise about the middle of the drawing. */
const turned =
  (inside: Inside, degrees: number): Inside =>
  (x, y) => {
    const c = Math.cos((degrees * Math.PI) / 180);
    const s = Math.sin((degrees * Math.PI) / 180);
    return inside(150 + c * (x - 150) + s * (y - 150), 150 - s * (x - 150) + c * (y - 150));
  };
const cylinder = (cx: number, top: number, bottom: number, radius: number, sine: number): Inside =>
  any(
    box(cx - radius, top, cx + radius, bottom),
    ellipse(cx, bottom, radius, radius * sine),
    ellipse(cx, top, radius, radius * sine),
  );

const boxAtAnAngle = polygon([150, 240], [70, 200], [70, 100], [140, 70], [220, 105], [220, 205]);
const sofa = any(box(50, 110, 250, 150), box(40, 135, 260, 190), box(55, 190, 65, 204), box(235, 190, 245, 204));
const table = any(box(60, 90, 240, 104), box(66, 104, 76, 220), box(224, 104, 234, 220));
const bicycle = any(
  (x, y) => [95, 205].some((cx) => Math.abs(Math.hypot(x - cx, y - 180) - 42) < 4),
  polygon([95, 182], [130, 120], [190, 120], [205, 182], [198, 182], [186, 126], [134, 126], [99, 182]),
);
const saltMills = any(cylinder(115, 100, 200, 28, 0.7), cylinder(190, 90, 190, 28, 0.7));
const flatWatch = any(ellipse(150, 150, 34, 34), box(136, 50, 164, 250));
const tee = polygon(
  [120, 60],
  [180, 60],
  [205, 70],
  [250, 125],
  [222, 145],
  [200, 118],
  [202, 245],
  [98, 245],
  [100, 118],
  [78, 145],
  [50, 125],
  [95, 70],
);

const hoodie = polygon(
  [150, 46],
  [132, 54],
  [131, 92],
  [100, 104],
  [78, 150],
  [70, 205],
  [88, 208],
  [102, 160],
  [102, 214],
  [198, 214],
  [198, 160],
  [212, 208],
  [230, 205],
  [222, 150],
  [200, 104],
  [169, 92],
  [168, 54],
);
const dryer = any(
  box(60, 80, 215, 122),
  ellipse(215, 101, 22, 21),
  polygon([168, 118], [192, 118], [194, 196], [180, 200]),
  polygon([180, 196], [186, 196], [196, 212], [258, 206], [258, 211], [192, 218]),
);
const blender = any(
  polygon([132, 60], [168, 60], [164, 150], [136, 150]),
  polygon([134, 150], [166, 150], [176, 226], [124, 226]),
  ellipse(150, 226, 26, 8),
  box(130, 46, 170, 60),
);

describe("estimatePose", () => {
  it.each([
    ["a box seen at an angle", boxAtAnAngle],
    ["a sofa on feet", sofa],
    ["a table", table],
    ["a bicycle", bicycle],
    ["two mills seen at 45°", saltMills],
    ["a can from above", cylinder(150, 110, 200, 60, 0.6)],
    ["a blender", blender],
  ])("lets %s stand", (_name, inside) => {
    const pose = poseOf(inside);
    expect(pose).toMatchObject({ stance: "standing", view: "level" });
    expect(pose.confidence).toBeGreaterThan(0.7);
  });

  it.each([30, 45, 60, -35, 125])("lets a watch lie that points %i° off the vertical", (degrees) => {
    expect(poseOf(turned(flatWatch, degrees))).toMatchObject({ stance: "lying", view: "above" });
  });

  it("lays down a hair dryer, whose grip is no foot", () => {
    expect(poseOf(dryer)).toMatchObject({ stance: "lying", view: "above" });
  });

  it.each([
    ["tee", tee],
    ["hoodie", hoodie],
  ])("lets a garment hang before a plane that is parallel to the image: a %s", (_name, inside) => {
    expect(poseOf(inside)).toMatchObject({ stance: "hanging", view: "above" });
  });

  it("lets what the lower border cuts float, without a contact along the border", () => {
    const pose = poseOf(box(90, 100, 210, 300));
    expect(pose).toMatchObject({ stance: "floating", reason: "cut-at-bottom", view: "level" });
    expect(Math.max(...pose.ground.contact)).toBe(0);
    // A person whose legs are cut, below a wide skirt.
    const legs: Inside = (x, y) => box(125, 200, 137, 300)(x, y) || box(162, 200, 174, 300)(x, y);
    const person: Inside = (x, y) => box(95, 60, 205, 200)(x, y) || legs(x, y);
    expect(poseOf(person)).toMatchObject({ stance: "floating", reason: "cut-at-bottom" });
  });

  it("lets what has its shadow apart below it float", () => {
    const can = cylinder(150, 80, 180, 40, 0.1);
    expect(poseOf(can, {}, ellipse(150, 220, 50, 8))).toMatchObject({ stance: "floating", reason: "shadow-apart" });
    expect(poseOf(can, {}, ellipse(150, 186, 50, 8))).toMatchObject({ stance: "standing" });
    const shoes: Inside = (x, y) => ellipse(113, 120, 32, 70)(x, y) || ellipse(187, 120, 32, 70)(x, y);
    expect(poseOf(shoes)).toMatchObject({ stance: "lying" });
    expect(poseOf(shoes, {}, ellipse(150, 210, 60, 8))).toMatchObject({ stance: "floating", reason: "shadow-apart" });
  });

  it("sets down what floated: on its foot, or laid on a ground that is seen from above", () => {
    const shoes: Inside = (x, y) => ellipse(113, 120, 32, 70)(x, y) || ellipse(187, 120, 32, 70)(x, y);
    const apart = ellipse(150, 270, 60, 8);
    const rest = (inside: Inside) => setDown(poseOf(inside, {}, apart));
    const laid = { stance: "lying", view: "above", reason: "seen-from-above" };
    expect(rest(shoes)).toMatchObject(laid);
    expect(rest(tee)).toMatchObject({ stance: "hanging", view: "above" });
    expect(rest(cylinder(150, 80, 180, 40, 0.1))).toMatchObject({ stance: "standing", view: "level" });
    expect(rest(cylinder(150, 80, 180, 40, 0.1))).not.toHaveProperty("reason");
    expect(setDown(poseOf(box(90, 100, 210, 300)))).toMatchObject({ stance: "floating", reason: "cut-at-bottom" });
  });

  it("believes a shadow all around more than the outline", () => {
    const disc = ellipse(150, 150, 80, 80);
    const without = poseOf(disc);
    const halo = poseOf(disc, {}, ellipse(150, 150, 92, 92));
    const below = poseOf(disc, {}, ellipse(150, 226, 70, 14));
    expect(without.stance).toBe("standing");
    expect(halo.stance === "standing" ? halo.confidence : 0).toBeLessThan(without.confidence - 0.1);
    expect(below).toMatchObject({ stance: "standing" });
    expect(below.confidence).toBeGreaterThanOrEqual(without.confidence);
  });

  it("does not let hang what has its shadow right below it", () => {
    const hung = poseOf(tee);
    const grounded = poseOf(tee, {}, ellipse(150, 250, 90, 12));
    expect(hung.stance).toBe("hanging");
    expect(grounded.stance === "hanging" ? grounded.confidence : 0).toBeLessThan(hung.confidence - 0.05);
  });

  it("takes the pose and the camera of the request", () => {
    expect(poseOf(table, { pose: "lying" })).toMatchObject({ stance: "lying", view: "above", confidence: 1 });
    expect(poseOf(table, { pose: "hanging" })).toMatchObject({ stance: "hanging", view: "above" });
    expect(poseOf(table, { pose: "lying", camera: "level" })).toMatchObject({ stance: "lying", view: "level" });
    const watch = turned(flatWatch, 45);
    expect(poseOf(watch, { pose: "standing" })).toMatchObject({ stance: "standing", view: "level" });
    expect(poseOf(watch, { camera: "level" }).stance).toBe("standing");
    expect(poseOf(table, { camera: "above" }).pitch).toBeGreaterThan(poseOf(table, { camera: "level" }).pitch + 0.4);
  });

  it("sees from a round base how far the camera looks down", () => {
    const [level, high] = [0.05, 0.6].map((sine) => poseOf(cylinder(150, 110, 210, 60, sine)).pitch);
    expect(level!).toBeLessThan(0.3);
    expect(high!).toBeGreaterThan(level! + 0.15);
  });
});

describe("the ground", () => {
  const groundOf = (inside: Inside) => poseOf(inside, { pose: "standing" }).ground;
  const range = (contact: Float32Array, from: number, to: number) => contact.slice(from, to);

  it("touches a box along its whole lower edge", () => {
    const { contact } = groundOf(box(100, 80, 200, 240));
    expect(contact.filter((share) => share > 0.8).length).toBeGreaterThan(90);
  });

  it("does not touch a handle that hangs over it", () => {
    const { contact } = groundOf(
      any(box(120, 100, 220, 240), (x, y) => Math.abs(Math.hypot(x - 118, y - 160) - 37) < 7),
    );
    expect(Math.max(...range(contact, 70, 105))).toBeLessThan(0.1);
  });

  it("touches each foot of a sofa, each leg and each wheel, and nothing between them", () => {
    const at = (inside: Inside, x: number) => {
      const { silhouette, ground } = poseOf(inside, { pose: "standing" });
      const column = Math.floor(x / silhouette.cellPx);
      return Math.max(...range(ground.contact, column - 1, column + 2));
    };
    for (const [shape, touching, between] of [
      [sofa, [60, 240], 150],
      [table, [71, 229], 150],
      [bicycle, [95, 205], 150],
    ] as const) {
      for (const x of touching) expect(at(shape, x)).toBeGreaterThan(0.8);
      expect(at(shape, between)).toBeLessThan(0.1);
    }
  });

  it("follows both lower edges of a box that stands on its corner", () => {
    const { silhouette, ground } = poseOf(boxAtAnAngle);
    const at = (x: number) => ground.contact[Math.floor(x / silhouette.cellPx)]!;
    for (const x of [80, 110, 150, 180, 210]) expect(at(x)).toBeGreaterThan(0.6);
  });

  it("ignores small components of the matte below the product", () => {
    expect(groundOf(any(box(100, 60, 200, 200), box(150, 270, 152, 272))).baseRow).toBeLessThan(205);
  });
});

const photos = path.resolve(process.env.PACKSHOT_SHARED ?? "../shared", "photos");

describe.skipIf(!existsSync(photos))("estimatePose on product photos", () => {
  it.each([
    ["studio-mighty-mug", "standing"],
    ["studio-apple-drink", "standing"],
    ["studio-blue-plimsolls-4", "standing"],
    ["scene-wb07-brown-0", "standing"],
    ["scene-mb02-gray-0", "standing"],
    ["scene-ug05-gr-0", "standing"],
    ["studio-white-plimsolls-1", "lying"],
  ])("%s: %s", async (name, stance) => {
    const mask = sharp(path.join(photos, `${name}.mask.png`)).extractChannel(0);
    const { data, info } = await mask.raw().toBuffer({ resolveWithObject: true });
    expect(estimatePose(data, info.width, info.height)!.stance).toBe(stance);
  });
});
