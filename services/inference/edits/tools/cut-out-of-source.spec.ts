/** Sources that bring an alpha of their own. The model of these tests takes the left half of what it sees for product. */
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { tiffBytes } from "../../../../testing/images/tiff-bytes.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import { runEdit } from "./run-edit.ts";

const width = 240;
const height = 160;
const side = 64;

function countingModels() {
  let predictions = 0;
  const models: ModelClient = {
    describe: async () => ({ width: side, height: side, channels: "rgb", testTimeAugmentation: false, version: "1" }),
    predict: async () => {
      predictions++;
      const data = Uint8Array.from({ length: side * side }, (_, i) => (i % side < side / 2 ? 255 : 0));
      return { output: { shape: [1, side, side, 1], data }, modelName: "half", modelVersion: "1" };
    },
  };
  return { models, predictions: () => predictions };
}

type AlphaAt = (x: number, y: number) => number;

/** A white mug with an open handle and a soft rim. */
const mug: AlphaAt = (x, y) => {
  const body = Math.abs(x - 100) < 50 && Math.abs(y - 80) < 60;
  const ring = Math.abs(Math.hypot(x - 150, y - 80) - 30);
  const handle = x >= 150 ? Math.max(0, Math.min(1, 6 - ring)) : 0;
  return body ? 255 : Math.round(255 * handle);
};

/** White over hidden white, as editors leave it below what they erase. */
function rgbaPixels(alphaAt: AlphaAt): Buffer {
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let i = 0; i < width * height; i++) pixels[i * 4 + 3] = alphaAt(i % width, Math.floor(i / width));
  return pixels;
}

const rgba = (alphaAt: AlphaAt) => sharp(rgbaPixels(alphaAt), { raw: { width, height, channels: 4 } });

async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const alpha = Uint8Array.from({ length: info.width * info.height }, (_, i) => data[i * info.channels + 3]!);
  return { data, info, alpha };
}

const truth = Uint8Array.from({ length: width * height }, (_, i) => mug(i % width, Math.floor(i / width)));

async function edit(source: Uint8Array, changes: Parameters<typeof editInput>[2] = {}) {
  const { models, predictions } = countingModels();
  const output = await runEdit(editInput(source, models, changes));
  return { ...output, predictions: predictions() };
}

it("makes variations with the seeds that follow, each as an edit with its seed makes it", async () => {
  const source = await rgba(mug).png().toBuffer();
  const of = async (parameters: EditParameters) => await edit(source, { tool: "ai-bg", parameters });
  const theme = "oak table, morning light";
  const { result, variations = [], timings, report } = await of({ theme, seed: 4_294_967_294, variations: 3 });
  const alone = await Promise.all([4_294_967_294, 4_294_967_295, 0].map((seed) => of({ theme, seed })));
  expect([result, ...variations.map(({ image }) => image)].map(({ bytes }) => bytes.toString("base64"))).toEqual(
    alone.map((single) => single.result.bytes.toString("base64")),
  );
  expect(alone[0]).not.toHaveProperty("variations");
  // Each has a report of what differs from the first's.
  for (const [index, variation] of variations.entries()) {
    expect({ ...report, ...variation.report }).toEqual(alone[index + 1]!.report);
    expect(Object.keys(variation.report)).not.toContain("quality");
    expect(variation.report.shadow).not.toEqual(report.shadow);
  }
  expect(Object.keys(timings)).toEqual(Object.keys(alone[0]!.timings));
});

describe("a source that is a cut-out already", () => {
  const tiff = () =>
    tiffBytes({ width, height, photometric: 2, samplesPerPixel: 4, extraSamples: [2], data: rgbaPixels(mug) });
  it.each<[string, (drawn: Sharp) => Promise<Buffer> | Buffer]>([
    ["a PNG", (drawn) => drawn.png().toBuffer()],
    ["a PNG of 16 bits", (drawn) => drawn.toColorspace("rgb16").png().toBuffer()],
    ["a WebP", (drawn) => drawn.webp().toBuffer()],
    ["a TIFF", tiff],
  ])("keeps its own alpha as the matte: %s", async (_, make) => {
    const { result, report, model, predictions, timings } = await edit(await make(rgba(mug)));
    const { alpha, data } = await pixelsOf(result.bytes);
    expect(Buffer.compare(alpha, truth)).toBe(0);
    expect([predictions, model, report.sourceAlpha, report.quality]).toEqual([0, null, "used", "ok"]);
    expect(report).not.toHaveProperty("expectedOverlap");
    expect(timings).toHaveProperty("decode");
    // What was hidden is not handed out.
    expect([...data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  });

  it("keeps the alpha of an AVIF, which its encoder changed", async () => {
    const source = await rgba(mug).avif({ quality: 50 }).toBuffer();
    const { result, report, predictions } = await edit(source);
    expect(Buffer.compare((await pixelsOf(result.bytes)).alpha, (await pixelsOf(source)).alpha)).toBe(0);
    expect([predictions, report.sourceAlpha]).toEqual([0, "used"]);
  });

  it("keeps glass as transparent as it is", async () => {
    const glass: AlphaAt = (x, y) => (mug(x, y) > 0 ? 90 : 0);
    const { result, report } = await edit(await rgba(glass).png().toBuffer());
    expect(new Set((await pixelsOf(result.bytes)).alpha)).toEqual(new Set([0, 90]));
    expect(report).toMatchObject({ sourceAlpha: "used", quality: "ok" });
  });

  it.each(["ai-shadows", "ai-bg"] as const)("is not predicted for %s either", async (tool) => {
    const source = await rgba(mug).png().toBuffer();
    const { report, predictions, model } = await edit(source, { tool });
    expect([predictions, model, report.sourceAlpha]).toEqual([0, null, "used"]);
  });

  it("is cropped, cut to a region and chosen from by a point as any other", async () => {
    const source = await rgba(mug).png().toBuffer();
    const cropped = await edit(source, { parameters: { output: { crop: "product" } } });
    expect(cropped.result).toMatchObject({ width: 135, height: 119 });
    const region = await edit(source, { parameters: { region: { left: "0%", right: "50%" } } });
    const { alpha } = await pixelsOf(region.result.bytes);
    expect([alpha[80 * width + 100], alpha[80 * width + 178]]).toEqual([255, 0]);
    const two: AlphaAt = (x, y) => (Math.hypot(x - 60, y - 80) < 30 || Math.hypot(x - 180, y - 80) < 30 ? 255 : 0);
    const pair = await rgba(two).png().toBuffer();
    const chosen = await pixelsOf((await edit(pair, { parameters: { point: { x: "75%", y: "50%" } } })).result.bytes);
    expect([chosen.alpha[80 * width + 60], chosen.alpha[80 * width + 180]]).toEqual([0, 255]);
    await expect(edit(pair, { parameters: { point: { x: "50%", y: "5%" } } })).rejects.toMatchObject({
      code: "no_product_found",
    });
    expect([cropped.predictions, region.predictions]).toEqual([0, 0]);
  });

  it("that is a rectangle asks for a review, because it may be a photo in a frame", async () => {
    const framed: AlphaAt = (x, y) => (x > 20 && x < 220 && y > 20 && y < 140 ? 255 : 0);
    const { report } = await edit(await rgba(framed).png().toBuffer());
    expect(report).toMatchObject({ sourceAlpha: "used", quality: "review" });
  });
});

describe("a photo with an alpha that cuts nothing out", () => {
  const rounded: AlphaAt = (x, y) => {
    const dx = Math.max(0, 20 - x, x - (width - 21));
    const dy = Math.max(0, 20 - y, y - (height - 21));
    return Math.hypot(dx, dy) > 20 ? 0 : 255;
  };
  it.each<[string, AlphaAt]>([
    ["a small hole", (x, y) => (Math.hypot(x - 40, y - 80) < 10 ? 0 : 255)],
    ["rounded corners", rounded],
    ["bars above and below, as on a square canvas", (_, y) => (y > 40 && y < 120 ? 255 : 0)],
    ["bars at both sides", (x) => (x > 30 && x < 210 ? 255 : 0)],
  ])("is predicted, and what it hides stays hidden: %s", async (_, alphaAt) => {
    const { result, report, predictions, model } = await edit(await rgba(alphaAt).png().toBuffer());
    expect([predictions, model, report.sourceAlpha]).toEqual([1, "half@1", "combined"]);
    const { alpha } = await pixelsOf(result.bytes);
    for (let i = 0; i < alpha.length; i++) {
      expect(alpha[i]).toBeLessThanOrEqual(alphaAt(i % width, Math.floor(i / width)));
    }
  });

  it("is predicted as any other where the alpha is opaque", async () => {
    const { report, predictions } = await edit(
      await rgba(() => 255)
        .png()
        .toBuffer(),
    );
    expect(predictions).toBe(1);
    expect(report.sourceAlpha).toBeUndefined();
  });

  const remedy = "To take it as opaque, set existingAlpha to ignore.";
  const half = { region: { left: "60%" } };
  it.each<[string, AlphaAt, EditParameters, string]>([
    ["all", () => 0, {}, ": the photo is transparent everywhere."],
    ["all of what is kept", () => 0, { existingAlpha: "keep" }, ": the photo is transparent everywhere."],
    // Where the model finds nothing.
    ["the point", () => 0, { point: { x: "99%", y: "50%" } }, " at the point: the photo is transparent there."],
    ["the region", (x) => (x < width / 2 ? 255 : 0), half, " in the region: the photo is transparent there."],
  ])("has no product where %s is transparent, and says so", async (_what, alphaAt, parameters, words) => {
    const refused = edit(await rgba(alphaAt).png().toBuffer(), { parameters });
    const message = `No product stands out${words} ${remedy}`;
    await expect(refused).rejects.toMatchObject({ code: "no_product_found", message });
  });

  it("has a channel that may be anything, which the report names", async () => {
    const source = tiffBytes({
      width,
      height,
      photometric: 2,
      samplesPerPixel: 4,
      extraSamples: [0],
      data: rgbaPixels(mug),
    });
    const { report, predictions } = await edit(source);
    expect([predictions, report.sourceAlpha]).toEqual([1, "ignored"]);
  });
});

describe("existingAlpha", () => {
  const rounded: AlphaAt = (x, y) => (Math.hypot(Math.max(0, 12 - x), Math.max(0, 12 - y)) > 12 ? 0 : 255);

  it("keep takes any transparency for the matte, and ignore takes none", async () => {
    const source = await rgba(rounded).png().toBuffer();
    const kept = await edit(source, { parameters: { existingAlpha: "keep" } });
    const { alpha } = await pixelsOf(kept.result.bytes);
    expect(alpha).toEqual(Uint8Array.from(alpha.keys(), (i) => rounded(i % width, Math.floor(i / width))));
    expect([kept.predictions, kept.report.sourceAlpha, kept.model]).toEqual([0, "used", null]);

    const ignored = await edit(await rgba(mug).png().toBuffer(), { parameters: { existingAlpha: "ignore" } });
    expect([ignored.predictions, ignored.report.sourceAlpha]).toEqual([1, "ignored"]);
    expect((await pixelsOf(ignored.result.bytes)).alpha[10 * width + 10], "the model's half").toBe(255);
  });

  it("keep predicts where there is no transparency", async () => {
    const opaque = await rgba(() => 255)
      .removeAlpha()
      .png()
      .toBuffer();
    expect((await edit(opaque, { parameters: { existingAlpha: "keep" } })).predictions).toBe(1);
  });
});

describe("maskImage", () => {
  const product: AlphaAt = (x, y) => (Math.abs(x - 120) < 60 && Math.abs(y - 80) < 50 ? 255 : 0);
  /** A dark product on light paper. */
  const photo = async () => {
    const pixels = Buffer.alloc(width * height * 3);
    for (let i = 0; i < width * height; i++) {
      pixels.fill(product(i % width, Math.floor(i / width)) > 0 ? 40 : 230, i * 3, i * 3 + 3);
    }
    return await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
  };
  const gray = (alphaAt: AlphaAt) => {
    const plane = Buffer.alloc(width * height);
    for (let i = 0; i < plane.length; i++) plane[i] = alphaAt(i % width, Math.floor(i / width));
    return sharp(plane, { raw: { width, height, channels: 1 } });
  };

  it.each<[string, () => Promise<Buffer>]>([
    ["a gray PNG", async () => await gray(product).png().toBuffer()],
    ["a picture whose alpha it is", async () => await rgba(product).png().toBuffer()],
    [
      "twice as large",
      async () =>
        await gray(product)
          .resize(width * 2, height * 2, { kernel: "nearest" })
          .png()
          .toBuffer(),
    ],
    [
      "ten times as large",
      async () =>
        await gray(product)
          .resize(width * 10, height * 10, { kernel: "nearest" })
          .png()
          .toBuffer(),
    ],
    [
      "on its side, ten times as large, with alpha",
      async () =>
        await sharp(await rgba(product).png().toBuffer())
          .rotate(270)
          .resize(height * 10, width * 10, { kernel: "nearest" })
          .withMetadata({ orientation: 6 })
          .webp({ lossless: true })
          .toBuffer(),
    ],
    [
      "half as large",
      async () =>
        await gray(product)
          .resize(width / 2, height / 2)
          .png()
          .toBuffer(),
    ],
  ])("is the matte, and no model runs: %s", async (_, mask) => {
    const { result, predictions, model, report } = await edit(await photo(), { mask: await mask() });
    const { alpha } = await pixelsOf(result.bytes);
    expect([predictions, model, report.quality]).toEqual([0, null, "ok"]);
    const wrong = alpha.filter((a, i) => a >= 128 !== product(i % width, Math.floor(i / width)) > 0).length;
    // A corner of the half size is round.
    expect(wrong).toBeLessThanOrEqual(4);
  });

  it("that shows the product outside of the region is not blamed for the region", async () => {
    const mask = await gray(product).png().toBuffer();
    const failure = edit(await photo(), { mask, parameters: { region: { right: "10%" } } });
    const remedy = "Move or widen the region to hold what the mask shows.";
    const message = `No product stands out in the region: the mask shows nothing there. ${remedy}`;
    await expect(failure).rejects.toMatchObject({ code: "no_product_found", message });
  });

  it("with refine, has its edge moved to the photo's, without a prediction", async () => {
    const tooWide = await gray((x, y) => (Math.abs(x - 120) < 61.5 && Math.abs(y - 80) < 51.5 ? 255 : 0))
      .png()
      .toBuffer();
    const of = async (refine: boolean) => {
      const output = await edit(await photo(), { mask: tooWide, parameters: { refine } });
      const { alpha } = await pixelsOf(output.result.bytes);
      const wrong = alpha.filter((a, i) => a >= 128 !== product(i % width, Math.floor(i / width)) > 0).length;
      return { wrong, predictions: output.predictions };
    };
    const plain = await of(false);
    const refined = await of(true);
    expect(plain.wrong).toBeGreaterThan(300);
    expect(refined.wrong).toBeLessThan(plain.wrong / 4);
    expect(refined.predictions).toBe(0);
  });

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    [
      "another aspect ratio",
      async () => await gray(product).resize(200, 160, { fit: "fill" }).png().toBuffer(),
      /200 × 160 .* 240 × 160/,
    ],
    [
      "nothing in it",
      async () =>
        await gray(() => 0)
          .png()
          .toBuffer(),
      /shows nothing/,
    ],
    ["no picture", async () => Buffer.from("no picture"), /The mask cannot be used/],
    [
      "more pixels than a camera's picture",
      async () =>
        await gray(product)
          .resize(width * 26, height * 26)
          .png()
          .toBuffer(),
      /6240 × 4160 pixels .* the limit is 25 MP/,
    ],
  ])("fails by a code of its own with %s", async (_, mask, message) => {
    const failure = edit(await photo(), { mask: await mask() });
    await expect(failure).rejects.toMatchObject({ code: "mask_unusable", message: expect.stringMatching(message) });
  });

  it("shows no more of a cut-out than the cut-out has, unless its alpha is ignored", async () => {
    const cutOut = await rgba(mug).png().toBuffer();
    const of = async (alphaAt: AlphaAt, existingAlpha?: "ignore") =>
      await edit(cutOut, { mask: await gray(alphaAt).png().toBuffer(), parameters: { existingAlpha } });
    const shown = async ({ result }: Awaited<ReturnType<typeof of>>) => (await pixelsOf(result.bytes)).alpha;
    expect(Buffer.compare(await shown(await of(() => 255)), truth)).toBe(0);
    const beside: AlphaAt = (x) => (x >= 200 ? 255 : 0);
    await expect(of(beside)).rejects.toMatchObject({
      code: "mask_unusable",
      message: expect.stringMatching(/transparent in the photo.*existingAlpha to ignore/),
    });
    const all = Uint8Array.from(truth, (_, i) => beside(i % width, 0));
    expect(Buffer.compare(await shown(await of(beside, "ignore")), all)).toBe(0);
  });

  it.each(["ai-shadows", "ai-bg"] as const)("counts for %s, too", async (tool) => {
    const { predictions } = await edit(await photo(), { tool, mask: await gray(product).png().toBuffer() });
    expect(predictions).toBe(0);
  });
});
