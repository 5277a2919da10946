/** Choosing one of several things by a point: real edits of drawn photos, measured on the bytes of their results. */
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { bodyOf, drawnMugs, type Mug, mugsSize } from "../../../../testing/images/drawn-mugs.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { pointInView } from "../../imaging/matting/photo-region.ts";
import { runEdit } from "./run-edit.ts";

const red: Mug = { x: 250, y: 480, height: 300, color: "#b03428" };
const blue: Mug = { x: 640, y: 480, height: 300, color: "#2a4f8f" };
const source = await drawnMugs([red, blue]);
const atRed = { x: "30%", y: "330px" };
const atBlue = { x: "640px", y: "55%" };

async function edit(parameters: EditParameters, tool: ToolId = "mask") {
  const { result, report } = await runEdit(editInput(source, bundledModels, { tool, parameters }));
  const { data, info } = await sharp(result.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  /** The share of a mug's body that is opaque. */
  const shown = (mug: Mug) => {
    const { left, top, right, bottom } = bodyOf(mug);
    let opaque = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) if (data[(y * info.width + x) * 4 + 3]! > 128) opaque++;
    }
    return opaque / ((right - left) * (bottom - top));
  };
  return { report, info, shown };
}

it.each([
  ["left", atRed, red, blue],
  ["right", atBlue, blue, red],
])("keeps the %s mug alone, in its place in the photo", async (_side, point, chosen, other) => {
  const { info, shown, report } = await edit({ point });
  expect(info).toMatchObject(mugsSize);
  expect(shown(chosen)).toBeGreaterThan(0.95);
  expect(shown(other)).toBe(0);
  const { left, top, right, bottom } = bodyOf(chosen);
  const box = report.foreground as { left: number; top: number; width: number; height: number };
  for (const [found, drawn] of [
    [box.left, left],
    [box.top, top],
    [box.top + box.height, bottom],
  ] as const) {
    expect(Math.abs(found - drawn)).toBeLessThanOrEqual(3);
  }
  expect(box.left + box.width, "with its handle").toBeGreaterThan(right + 30);
  expect(report.parts).toBe(1);
});

it("asks for review where a point on one of two overlapping mugs keeps both", async () => {
  const behind: Mug = { ...blue, x: 530 };
  const overlapping = editInput(await drawnMugs([red, behind]), bundledModels, { parameters: { point: atRed } });
  const { report } = await runEdit(overlapping);
  expect(report).toMatchObject({ quality: "review", reasons: [expect.stringMatching(/^uncertain_choice: /)] });
  const { report: ofOne } = await edit({ point: atRed });
  expect(ofOne).toMatchObject({ quality: "ok", reasons: [] });
});

it("takes the photo's middle for a coordinate that is left out", async () => {
  const { shown } = await edit({ point: { x: "30%" } });
  expect([shown(red) > 0.95, shown(blue)]).toEqual([true, 0]);
});

it("takes what rounds to the photo's edge for the edge", () => {
  const whole = { width: 900, height: 600 };
  expect(pointInView({ x: "100.000001%", y: "100.05%" }, whole)).toEqual({ x: 899, y: 599 });
  expect(() => pointInView({ x: "100.1%" }, whole)).toThrow("is beyond the photo");
});

it("chooses within a region, beyond which all is removed", async () => {
  const { shown } = await edit({ region: { left: "10%", right: "250px" }, point: { x: "25%" } });
  expect(shown(red)).toBeGreaterThan(0.45);
  expect(shown(red)).toBeLessThan(0.52);
  expect(shown(blue)).toBe(0);
});

it("stands the chosen thing alone on its shadow", async () => {
  const { shown } = await edit({ point: atRed }, "ai-shadows");
  expect([shown(red) > 0.95, shown(blue) < 0.05]).toEqual([true, true]);
});

it.each([
  ["on the background", { point: { x: "2%", y: "5%" } }, "no_product_found"],
  ["on the ground between both", { point: { x: "52%", y: "60%" } }, "no_product_found"],
  ["beyond the photo", { point: { x: "901px" } }, "point_out_of_bounds"],
  ["beyond the region", { point: atBlue, region: { right: "50%" } }, "point_out_of_bounds"],
])("a point %s fails", async (_where, parameters, code) => {
  await expect(edit(parameters)).rejects.toMatchObject({ code });
});
