/**
 * Region, margin, scale, position, size and background of an edit, measured on the bytes of its result.
 * @module-tag long
 */
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { runEdit } from "./run-edit.ts";

const width = 600;
const height = 400;
/** Two boxes on light paper: a red one on the left, 120 × 200 from (60, 100), and a blue one on the right. */
const red = { left: 60, top: 100, width: 120, height: 200 };
const blue = { left: 400, top: 140, width: 140, height: 160 };

async function twoBoxes(): Promise<Buffer> {
  const box = ({ left, top, ...size }: typeof red, background: string) => ({
    left,
    top,
    input: { create: { ...size, channels: 3 as const, background } },
  });
  return await sharp({ create: { width, height, channels: 3, background: "#eceae6" } })
    .composite([box(red, "#aa2222"), box(blue, "#2233aa")])
    .png()
    .toBuffer();
}

const source = await twoBoxes();

async function edit(parameters: EditParameters, background?: Uint8Array, tool: ToolId = "mask") {
  const changes = { parameters, background, tool };
  const { result, report } = await runEdit(editInput(source, bundledModels, changes));
  const { data, info } = await sharp(result.bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    return [...data.subarray(at, at + info.channels)];
  };
  return { result, report, info, pixel };
}

/** The box of the pixels that `isProduct` says belong to it. */
function boxOf({ info, pixel }: Awaited<ReturnType<typeof edit>>, isProduct: (pixel: number[]) => boolean) {
  const found = { left: info.width, top: info.height, right: 0, bottom: 0 };
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      if (!isProduct(pixel(x, y))) continue;
      found.left = Math.min(found.left, x);
      found.top = Math.min(found.top, y);
      found.right = Math.max(found.right, x + 1);
      found.bottom = Math.max(found.bottom, y + 1);
    }
  }
  return { left: found.left, top: found.top, width: found.right - found.left, height: found.bottom - found.top };
}

const isOpaque = (pixel: number[]) => pixel[3]! > 128;
const aroundRed = { left: "5%", top: "60px", right: "40%", bottom: "340px" };

/** Within two pixels: an edge may lie between two. */
function expectBox(found: typeof red, wanted: typeof red): void {
  for (const side of ["left", "top", "width", "height"] as const) {
    expect(Math.abs(found[side] - wanted[side]), `${side} of ${JSON.stringify(found)}`).toBeLessThanOrEqual(2);
  }
}

it("cuts out what lies in the region, in the size of the whole photo", async () => {
  const edited = await edit({ region: aroundRed });
  expect(edited.info).toMatchObject({ width, height });
  expectBox(boxOf(edited, isOpaque), red);
  expectBox(edited.report.foreground as typeof red, red);
  expect(edited.pixel(120, 200)).toEqual([170, 34, 34, 255]);
});

it("cuts a product off at the region's edge, to the pixel", async () => {
  const edited = await edit({ region: { ...aroundRed, right: "150px" } });
  const { left, width: kept } = boxOf(edited, ([, , , alpha]) => alpha! > 0);
  expect(left + kept).toBe(150);
});

it.each([
  ["empty", { left: "200px", right: "100px" }],
  ["beyond the photo", { right: "601px" }],
])("a region that is %s fails", async (_what, region) => {
  await expect(edit({ region })).rejects.toMatchObject({ code: "region_out_of_bounds" });
});

it("adds margins to the crop, in pixels and as shares of the product", async () => {
  const margin = { left: "30px", top: "10%", bottom: "0%" };
  const edited = await edit({ region: aroundRed, output: { crop: "product", margin } });
  expect(Math.abs(edited.info.width - 150)).toBeLessThanOrEqual(2);
  expect(Math.abs(edited.info.height - 220)).toBeLessThanOrEqual(2);
  expectBox(boxOf(edited, isOpaque), { left: 30, top: 20, width: 120, height: 200 });
});

it("adds margins of more pixels than the product has, up to 500, and shares of it up to 100%", async () => {
  const margin = { left: "450px", top: "900px", right: "150%" };
  const edited = await edit({ region: aroundRed, output: { crop: "product", margin } });
  const { left, top, width: shown } = boxOf(edited, isOpaque);
  expect([left, top]).toEqual([450, 500]);
  expect(Math.abs(edited.info.width - 450 - 2 * shown)).toBeLessThanOrEqual(2);
});

it("scales the product to its share of the frame, in the middle", async () => {
  const edited = await edit({ region: aroundRed, output: { scale: 0.8 } });
  expect(edited.info).toMatchObject({ width, height });
  expectBox(boxOf(edited, isOpaque), { left: 204, top: 40, width: 192, height: 320 });
});

it.each([
  [{ x: 0, y: 0 }, 0, 0],
  [{ x: 1, y: 1 }, 480, 200],
  [{ x: 0.5 }, 240, 100],
])("places the product at %j without changing its size", async (position, left, top) => {
  const edited = await edit({ region: aroundRed, output: { position } });
  expectBox(boxOf(edited, isOpaque), { left, top, width: 120, height: 200 });
  expectBox(edited.report.foreground as typeof red, { left, top, width: 120, height: 200 });
});

it.each([
  { scale: 0.5, width: 500, height: 500 },
  { crop: "product", margin: { left: "40%", right: "40%", bottom: "40%" } },
] as const)("a shadow fades out wherever the frame has room for it: %j", async (output) => {
  const parameters = {
    region: aroundRed,
    shadow: { kind: "float" },
    output: { ...output, background: "#ffffff" },
  } as const;
  const { info, pixel } = await edit(parameters, undefined, "ai-shadows");
  const isGray = ([r, g, b]: number[]) => Math.abs(r! - g!) < 8 && Math.abs(g! - b!) < 8;
  let steepest = 0;
  let darkest = 255;
  for (let y = 0; y < info.height - 1; y++) {
    for (let x = 0; x < info.width - 1; x++) {
      const around = [pixel(x, y), pixel(x + 1, y), pixel(x, y + 1)];
      if (!around.every(isGray)) continue;
      const [here, right, below] = around.map(([value]) => value!) as [number, number, number];
      steepest = Math.max(steepest, Math.abs(here - right), Math.abs(here - below));
      darkest = Math.min(darkest, here);
    }
  }
  expect(darkest).toBeLessThan(235);
  expect(steepest).toBeLessThan(14);
});

it("scales a result down to its largest number of pixels, and enlarges none", async () => {
  const small = await edit({ region: aroundRed, output: { maxMegapixels: 0.06 } });
  expect(small.info).toMatchObject({ width: 300, height: 200 });
  expectBox(small.report.foreground as typeof red, { left: 30, top: 50, width: 60, height: 100 });
  expect((await edit({ region: aroundRed, output: { maxMegapixels: 1 } })).info).toMatchObject({ width, height });
});

it("lays the product over a color that lets half of the light through", async () => {
  const edited = await edit({ region: aroundRed, output: { background: "#00ff0080" } });
  expect(edited.pixel(10, 10)).toEqual([0, 255, 0, 128]);
  expect(edited.pixel(500, 220), "outside the region").toEqual([0, 255, 0, 128]);
  expect(edited.pixel(120, 200)).toEqual([170, 34, 34, 255]);
});

it("lays the product over a picture that covers the frame", async () => {
  // Wider than the frame: its outer parts, which are black, are cut off.
  const picture = await sharp({ create: { width: 1200, height: 400, channels: 3, background: "#000000" } })
    .composite([
      { left: 300, top: 0, input: { create: { width: 600, height: 400, channels: 3, background: "#00ff00" } } },
    ])
    .png()
    .toBuffer();
  const edited = await edit({ region: aroundRed }, picture);
  expect(edited.info).toMatchObject({ width, height, channels: 3 });
  expect([edited.pixel(2, 2), edited.pixel(597, 397)]).toEqual([
    [0, 255, 0],
    [0, 255, 0],
  ]);
  expect(edited.pixel(120, 200)).toEqual([170, 34, 34]);
  const alphaOnly = await edit({ region: aroundRed, alphaOnly: true }, picture);
  expect(
    alphaOnly.pixel(2, 2).every((value) => value === 0),
    "a matte has no background",
  ).toBe(true);
});

it("lays a product with a color profile over a picture in sRGB", async () => {
  const wide = await sharp(source).withIccProfile("p3").png().toBuffer();
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#808080" } })
    .png()
    .toBuffer();
  const { result } = await runEdit(
    editInput(wide, bundledModels, { parameters: { region: aroundRed }, background: picture }),
  );
  const { icc } = await sharp(result.bytes).metadata();
  const shown = await sharp(result.bytes).raw().toBuffer();
  const at = (200 * width + 120) * 3;
  // The photo's own red, as sRGB has it, and the picture as it was.
  for (const [i, wanted] of [170, 34, 34].entries()) expect(Math.abs(shown[at + i]! - wanted)).toBeLessThanOrEqual(3);
  expect([icc, [...shown.subarray(0, 3)]]).toEqual([undefined, [128, 128, 128]]);
});

it.each([
  ["text", Buffer.from("no image")],
  ["cut short", (await sharp(source).jpeg().toBuffer()).subarray(0, 2_000)],
])("a background picture that is %s fails by a code of its own", async (_what, background) => {
  await expect(edit({ region: aroundRed }, background)).rejects.toMatchObject({ code: "background_unusable" });
});
