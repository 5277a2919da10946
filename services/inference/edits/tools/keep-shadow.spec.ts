/** A photo's own shadow as an image of its own: real edits of drawn photos, measured on the bytes of their files. */
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { drawnMugs, type Mug, mugsSize } from "../../../../testing/images/drawn-mugs.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { runEdit } from "./run-edit.ts";

const red: Mug = { x: 250, y: 480, height: 300, color: "#b03428" };
const blue: Mug = { x: 640, y: 480, height: 300, color: "#2a4f8f" };
const paper = await drawnMugs([]);
const photo = await drawnMugs([red]);

async function edit(source: Buffer, parameters: EditParameters) {
  return await runEdit(editInput(source, bundledModels, { parameters }));
}

const pixelsOf = async (image: Buffer) => await sharp(image).removeAlpha().raw().toBuffer();

it("looks like the photo where the result lies on the shadow on the bare ground", async () => {
  const { result, shadow, report } = await edit(photo, { keepShadow: true });
  expect(report.naturalShadow).toBe("separated");
  expect(await sharp(shadow!.bytes).metadata()).toMatchObject({ format: "png", hasAlpha: true, ...mugsSize });
  const layers = [{ input: shadow!.bytes }, { input: result.bytes }];
  const composed = await pixelsOf(await sharp(paper).composite(layers).png().toBuffer());
  const wanted = await pixelsOf(photo);
  const bare = await pixelsOf(paper);
  let composedError = 0;
  let bareError = 0;
  let count = 0;
  // Around the mug's foot, where its shadow is.
  for (let y = 460; y < 520; y++) {
    for (let at = (y * mugsSize.width + 110) * 3; at < (y * mugsSize.width + 420) * 3; at++) {
      composedError += Math.abs(composed[at]! - wanted[at]!);
      bareError += Math.abs(bare[at]! - wanted[at]!);
      count++;
    }
  }
  expect(bareError / count, "the shadow is there").toBeGreaterThan(15);
  expect(composedError / count).toBeLessThan(3);
});

it("is not looked for where pose and kind leave it without use", async () => {
  const reportOf = async (tool: "ai-shadows", parameters: EditParameters) =>
    (await runEdit(editInput(photo, bundledModels, { tool, parameters }))).report;
  expect(await reportOf("ai-shadows", {})).toMatchObject({ naturalShadow: "separated", shadow: { kind: "natural" } });
  expect(await reportOf("ai-shadows", { pose: "standing" })).toMatchObject({ naturalShadow: "separated" });
  expect(await reportOf("ai-shadows", { shadow: { kind: "cast" } })).toMatchObject({ naturalShadow: "separated" });
  for (const shadow of [{ kind: "cast" }, { softness: 0.4 }] as const) {
    const report = await reportOf("ai-shadows", { pose: "standing", shadow });
    expect(report, "it says from where the light comes").toMatchObject({ naturalShadow: "separated" });
  }
  for (const shadow of [{ kind: "contact" }, { kind: "cast", direction: 90 }] as const) {
    const report = await reportOf("ai-shadows", { pose: "standing", shadow });
    expect(report).toMatchObject({ shadow: { kind: shadow.kind, stanceConfidence: 1 } });
    expect(report).not.toHaveProperty("naturalShadow");
  }
});

it("has the result's layout, and a crop cuts neither off", async () => {
  const output = { crop: "product", width: 400, height: 500, padding: 0.1 } as const;
  const { result, shadow } = await edit(photo, { keepShadow: true, output });
  expect([shadow!.width, shadow!.height]).toEqual([400, 500]);
  const alpha = async (image: Buffer) => await sharp(image).ensureAlpha().extractChannel(3).raw().toBuffer();
  const product = await alpha(result.bytes);
  const black = await alpha(shadow!.bytes);
  const rowsOf = (plane: Buffer, least: number) => {
    const rows = Array.from({ length: 500 }, (_, y) => plane.subarray(y * 400, (y + 1) * 400).some((a) => a > least));
    return [rows.indexOf(true), rows.lastIndexOf(true)] as const;
  };
  const [, foot] = rowsOf(product, 128);
  const [from, to] = rowsOf(black, 8);
  expect(from, "it begins beside the foot").toBeLessThan(foot);
  expect(to, "and goes on below it").toBeGreaterThan(foot + 10);
  expect(to, "within the padding").toBeLessThan(450);
});

it("gives way to a preset, whose image is opaque, and the report says so", async () => {
  const { shadow, report } = await edit(photo, { keepShadow: true, preset: "square-white" });
  expect([shadow, report.naturalShadow, report.overridden]).toEqual([undefined, undefined, ["keepShadow"]]);
});

it("is that of the thing at the point", async () => {
  const { shadow } = await edit(await drawnMugs([red, blue]), { keepShadow: true, point: { x: "30%" } });
  const alpha = await sharp(shadow!.bytes).extractChannel(3).raw().toBuffer();
  const most = (from: number, to: number) =>
    alpha.reduce((max, a, i) => (i % mugsSize.width >= from && i % mugsSize.width < to ? Math.max(max, a) : max), 0);
  expect(most(0, 450)).toBeGreaterThan(40);
  expect(most(450, 900)).toBe(0);
});

it("is not told from a ground that is not plain, and the report says so", async () => {
  const { shadow, report } = await edit(await drawnMugs([red], "room"), { keepShadow: true });
  expect([shadow, report.naturalShadow]).toEqual([undefined, "backdrop_not_plain"]);
});

it("is not made unless it is asked for, and the result is the same with it", async () => {
  const without = await edit(photo, {});
  const with_ = await edit(photo, { keepShadow: true });
  expect([without.shadow, without.report.naturalShadow]).toEqual([undefined, undefined]);
  expect(with_.result.bytes.equals(without.result.bytes)).toBe(true);
});
