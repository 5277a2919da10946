import { existsSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { createSilhouette } from "./silhouette.ts";
import type { Stance } from "./stance.ts";
import { estimateStance } from "./stance.ts";

const stanceOf = (inside: (x: number, y: number) => boolean, allowFlatLay = true): Stance => {
  const { alpha } = drawnCutOut(300, 300, inside);
  return estimateStance(createSilhouette(alpha, 300, 300)!, allowFlatLay);
};

describe("estimateStance", () => {
  it("lets a box touch the ground along its whole lower edge", () => {
    const stance = stanceOf(box(100, 80, 200, 240));
    if (stance.kind !== "standing") throw new Error("a box stands");
    const touching = stance.contact.filter((share) => share > 0.8).length;
    expect(touching).toBeGreaterThan(90);
  });

  it("lets a handle hang over the ground", () => {
    const mug = stanceOf(
      (x, y) =>
        box(120, 100, 220, 240)(x, y) || (Math.hypot(x - 118, y - 160) < 45 && Math.hypot(x - 118, y - 160) > 30),
    );
    if (mug.kind !== "standing") throw new Error("a mug stands");
    expect(Math.max(...mug.contact.slice(70, 105))).toBeLessThan(0.1);
  });

  it("follows a sole that recedes from the viewer", () => {
    const shoe = stanceOf((x, y) => x >= 50 && x < 250 && y < 160 + (x - 50) * 0.35 && y > 60 + (x - 50) * 0.35);
    if (shoe.kind !== "standing") throw new Error("a shoe stands");
    expect(shoe.groundRow[60]!).toBeLessThan(shoe.groundRow[200]! - 20);
    expect(shoe.contact[60]!).toBeGreaterThan(0.6);
  });

  it("ignores small components of the matte below the product", () => {
    const stance = stanceOf((x, y) => box(100, 60, 200, 200)(x, y) || box(150, 270, 152, 272)(x, y));
    expect(stance).toMatchObject({ kind: "standing" });
    if (stance.kind === "standing") expect(stance.baseRow).toBeLessThan(205);
  });

  it("lets every product stand where the scene has no view from above", () => {
    const toes = (x: number, y: number) => [90, 190].some((cx) => ((x - cx) / 44) ** 2 + ((y - 150) / 100) ** 2 < 1);
    expect(stanceOf(toes)).toMatchObject({ kind: "flat-lay", reason: "seen-from-above" });
    expect(stanceOf(toes, false)).toMatchObject({ kind: "standing" });
  });
});

const photos = path.resolve(process.env.PACKSHOT_SHARED ?? "../shared", "photos");

describe.skipIf(!existsSync(photos))("estimateStance on product photos", () => {
  it.each([
    ["studio-mighty-mug", "standing"],
    ["studio-apple-drink", "standing"],
    ["studio-blue-plimsolls-4", "standing"],
    ["scene-wb07-brown-0", "standing"],
    ["scene-mb02-gray-0", "standing"],
    ["scene-ug05-gr-0", "standing"],
    ["studio-white-plimsolls-1", "flat-lay"],
    ["white-ug04-bk-0", "flat-lay"],
  ])("%s: %s", async (name, kind) => {
    const mask = sharp(path.join(photos, `${name}.mask.png`)).extractChannel(0);
    const { data, info } = await mask.raw().toBuffer({ resolveWithObject: true });
    expect(estimateStance(createSilhouette(data, info.width, info.height)!, true).kind).toBe(kind);
  });
});
