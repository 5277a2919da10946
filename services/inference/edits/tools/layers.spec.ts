/** Layers of a result: real edits of a drawn photo, whose files are composed by another program, libvips. */
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { editedWithScene, editedWithShadow } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { drawnMugs, type Mug } from "../../../../testing/images/drawn-mugs.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { runEdit } from "./run-edit.ts";

const red: Mug = { x: 250, y: 480, height: 300, color: "#b03428" };
const photo = await drawnMugs([red]);
const picture = await sharp({
  create: {
    width: 300,
    height: 300,
    channels: 3,
    background: "#304050",
    noise: { type: "gaussian", mean: 90, sigma: 30 },
  },
})
  .jpeg()
  .toBuffer();

async function edit(tool: "ai-shadows" | "ai-bg", parameters: EditParameters, background?: Buffer) {
  const input = { tool, parameters: { layers: true, ...parameters }, ...(background && { background }) };
  return await runEdit(editInput(photo, bundledModels, input));
}

const rgbaOf = async (image: Buffer) => await sharp(image).ensureAlpha().raw().toBuffer();

/** RGBA planes, the first of them lowest, on a gray ground: color values, unrounded. */
function laidOnGround(planes: readonly Buffer[], ground: number): Float64Array {
  const values = new Float64Array((planes[0]!.length / 4) * 3).fill(ground);
  for (const plane of planes) {
    for (let from = 0, to = 0; from < plane.length; from += 4, to += 3) {
      const alpha = plane[from + 3]! / 255;
      for (let c = 0; c < 3; c++) values[to + c] = values[to + c]! * (1 - alpha) + plane[from + c]! * alpha;
    }
  }
  return values;
}

/** The largest difference of a color value on each ground, where both lie on it. */
async function largestDifferences({ result, layers }: Awaited<ReturnType<typeof edit>>, grounds: readonly number[]) {
  const planes = await Promise.all(layers!.map(({ image }) => rgbaOf(image.bytes)));
  const whole = await rgbaOf(result.bytes);
  return grounds.map((ground) => {
    const made = laidOnGround(planes, ground);
    const wanted = laidOnGround([whole], ground);
    expect(made.length).toBe(wanted.length);
    let most = 0;
    for (let at = 0; at < made.length; at++) most = Math.max(most, Math.abs(made[at]! - wanted[at]!));
    return most;
  });
}

const shadowAlone = ["shadow", "product"];
const all = ["background", ...shadowAlone];
const png = { format: "png" } as const;
const small = { crop: "product", width: 333, height: 250, padding: 0.1 } as const;

it.each([
  ["ai-shadows", { shadow: { kind: "cast", direction: 80 } }, shadowAlone],
  ["ai-shadows", { shadow: { kind: "reflection", color: "#204060" }, output: small }, shadowAlone],
  ["ai-shadows", { output: { ...small, background: "#e0d0c0" } }, all],
  ["ai-shadows", { output: { background: "#e0d0c080" } }, all],
  ["ai-bg", { theme: "oak table, morning light", output: png }, all],
  ["ai-bg", { theme: "black gloss, dramatic", harmonize: 1, output: { ...png, width: 500, height: 300 } }, all],
  ["ai-bg", { theme: "white podium", output: { ...png, width: 1500, height: 900, scale: 0.4 } }, all],
] as const)("of %s with %j give its result", async (tool, parameters, names) => {
  const edited = await edit(tool, parameters);
  expect(edited.layers!.map(({ name }) => name)).toEqual(names);
  const { width, height } = edited.result;
  for (const { image } of edited.layers!) expect(image).toMatchObject({ contentType: "image/png", width, height });
  expect(Math.max(...(await largestDifferences(edited, [0, 120, 255])))).toBeLessThanOrEqual(1);
});

it("have the picture behind the product as their lowest", async () => {
  const edited = await edit("ai-shadows", { output: { width: 400, height: 400 } }, picture);
  expect(edited.layers!.map(({ name }) => name)).toEqual(all);
  expect(Math.max(...(await largestDifferences(edited, [255])))).toBeLessThanOrEqual(1);
  const [lowest, ...above] = edited.layers!.map(({ image }) => image.bytes);
  const composed = sharp(lowest).composite(above.map((input) => ({ input })));
  const byLibvips = await rgbaOf(await composed.png().toBuffer());
  const wanted = await rgbaOf(edited.result.bytes);
  expect(byLibvips.reduce((most, value, i) => Math.max(most, Math.abs(value - wanted[i]!)), 0)).toBeLessThanOrEqual(1);
});

it("are those of a canvas that has grown, in which the product is where the report says", async () => {
  const shadow = { kind: "cast", direction: 90, length: 2.5 } as const;
  const edited = await edit("ai-shadows", { shadow, output: { fit: "grow", width: 600 } });
  const { grown, foreground } = edited.report as Record<string, Record<"left" | "width", number>>;
  expect(grown!.left).toBeGreaterThan(100);
  expect(edited.result.width).toBe(600);
  const alone = await edit("ai-shadows", { shadow });
  const photographed = (alone.report.foreground as { left: number }).left;
  const scale = 600 / (alone.result.width + grown!.left);
  expect(Math.abs(foreground!.left - (photographed + grown!.left) * scale)).toBeLessThanOrEqual(1);
  expect(Math.max(...(await largestDifferences(edited, [255])))).toBeLessThanOrEqual(1);
});

it("each show what they are named after", async () => {
  const theme = { theme: "white studio", shadow: { kind: "cast", direction: 90 }, output: png } as const;
  const { layers } = await edit("ai-bg", theme);
  const [background, shadow, product] = layers!.map(({ image }) => image.bytes);
  const meanAlpha = async (image: Buffer, left: number, top: number) => {
    const box = { left, top, width: 8, height: 8 };
    const alpha = await sharp(image).ensureAlpha().extractChannel(3).extract(box).raw().toBuffer();
    return alpha.reduce((sum, value) => sum + value, 0) / alpha.length;
  };
  expect([await meanAlpha(background!, 250, 350), await meanAlpha(product!, 250, 350)]).toEqual([255, 255]);
  const beside = [130, 468] as const;
  expect(await meanAlpha(product!, ...beside)).toBe(0);
  expect(await meanAlpha(shadow!, ...beside)).toBeGreaterThan(40);
  expect(await meanAlpha(shadow!, 500, 100), "nothing falls on the wall").toBe(0);
  expect((await edit("ai-bg", { ...theme, layers: false })).layers).toBeUndefined();
});

it.each([
  ["scene", editedWithScene],
  ["shadow", editedWithShadow],
])("the image of a %s with layers is not composed before its pixels are read", async (_tool, edited) => {
  const parameters = { seed: 1, model: "mask", layers: true };
  const { signal } = new AbortController();
  const crate = drawnCutOut(80, 60, box(30, 20, 50, 50));
  const image = await edited(crate, { parameters, maxPixels: 1e6, signal, onStage: () => {} });
  expect(image.layers).toBeDefined();
  expect(Object.getOwnPropertyDescriptor(image, "pixels")?.get).toBeDefined();
});
