import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { decodePhoto } from "../codec/decode.ts";
import type { Photo } from "../pixels/photo.ts";
import { measureSource } from "./measure-source.ts";

const size = 1_200;
const box = { left: 300, top: 200, width: 600, height: 800 };

/** A product with stripes and lettering on a light ground, and its matte. */
function drawing(product = "#8a3324", ground = "#efece6"): Buffer {
  const stripes = Array.from({ length: 20 }, (_, n) => {
    const y = box.top + 20 + n * 38;
    return `<rect x="${box.left + 40}" y="${y}" width="${520 - 12 * n}" height="14" fill="#e8d8b0"/>`;
  });
  return Buffer.from(
    `<svg width="${size}" height="${size}"><rect width="100%" height="100%" fill="${ground}"/>` +
      `<rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" fill="${product}"/>${stripes.join("")}</svg>`,
  );
}

const alpha = (() => {
  const matte = new Uint8Array(size * size);
  for (let y = box.top; y < box.top + box.height; y++) {
    matte.fill(255, y * size + box.left, y * size + box.left + box.width);
  }
  return matte;
})();

const drawn = sharp(drawing()).removeAlpha();
const photoOf = async (bytes: Buffer): Promise<Photo> => await decodePhoto(bytes, { maxPixels: 2e7 });
const measured = async (picture: Sharp) => measureSource(await photoOf(await picture.png().toBuffer()), alpha);

describe("a photo's measures", () => {
  it("are those of a sharp, well exposed photo without blocks or a frame", async () => {
    const measures = await measured(drawn.clone());
    expect(measures).toMatchObject({
      blocking: 1,
      productPixels: 800,
      things: 1,
      otherThings: 0,
      border: 0,
      overlay: 0,
    });
    expect(measures.sharpness).toBeGreaterThan(0.9);
    expect(measures.exposure.highlight).toBeCloseTo(0.924, 2);
    expect(measures.exposure).toMatchObject({ clippedWhite: 0, clippedBlack: 0 });
    expect(measures.exposure.lightness).toBeGreaterThan(0.3);
  });

  it("fall in sharpness the more the photo is blurred", async () => {
    const sharpness = async (sigma: number) => (await measured(drawn.clone().blur(sigma))).sharpness!;
    const little = await sharpness(1);
    const more = await sharpness(2);
    const most = await sharpness(4);
    expect(little).toBeLessThan(0.6);
    expect(more).toBeLessThan(0.3);
    expect(most).toBeLessThan(more);
  });

  it("judge a large photo's edges at the size of a smaller one's", async () => {
    const large = await sharp(await drawn.clone().png().toBuffer())
      .resize(3 * size, 3 * size)
      .png()
      .toBuffer();
    const matte = new Uint8Array(9 * size * size);
    for (let y = 3 * box.top; y < 3 * (box.top + box.height); y++) {
      matte.fill(255, 3 * (y * size + box.left), 3 * (y * size + box.left + box.width));
    }
    const { sharpness, productPixels } = measureSource(await photoOf(large), matte);
    expect(productPixels).toBe(2_400);
    expect(sharpness).toBeGreaterThan(0.45);
  });

  it("say nothing of sharpness where nothing has an edge", async () => {
    const plain = sharp({ create: { width: size, height: size, channels: 3, background: "#888888" } });
    expect((await measured(plain)).sharpness).toBeNull();
  });

  it("tell blocks in pixels, also where the grid begins elsewhere and the file is another", async () => {
    // As photos have them: smooth changes of light, which blocks turn into steps.
    const light = Buffer.from(
      `<svg width="${size}" height="${size}"><defs><radialGradient id="g"><stop offset="0" stop-color="#f0e8d8"/>` +
        `<stop offset="1" stop-color="#303848"/></radialGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
    );
    const compressed = async (quality: number) => {
      const jpeg = await sharp(light).removeAlpha().jpeg({ quality }).toBuffer();
      const cropped = sharp(jpeg).extract({ left: 3, top: 5, width: size - 8, height: size - 8 });
      return (await measured(cropped.extend({ left: 4, right: 4, top: 4, bottom: 4, extendWith: "copy" }))).blocking;
    };
    expect(await compressed(95)).toBeLessThan(2);
    expect(await compressed(8)).toBeGreaterThan(4);
  });

  it("tell what is clipped at both ends, and what is dark all over", async () => {
    const white = await measured(sharp(drawing("#ffffff")).removeAlpha());
    expect(white.exposure.clippedWhite).toBeGreaterThan(0.5);
    const black = await measured(sharp(drawing("#000000")).removeAlpha());
    expect(black.exposure.clippedBlack).toBeGreaterThan(0.5);
    expect(black.exposure.highlight).toBeGreaterThan(0.9);
    expect((await measured(drawn.clone().linear(0.4, 0))).exposure.highlight).toBeLessThan(0.4);
  });

  it("have the light of the whole photo under a caller's mask, and of what is seen where the photo is a cut-out", async () => {
    const photo = await photoOf(await drawn.clone().png().toBuffer());
    const { exposure } = measureSource(photo, alpha);
    expect(measureSource({ ...photo, alpha, alphaBelowMask: null }, alpha).exposure).toEqual(exposure);
    const cutOut = measureSource({ ...photo, alpha }, alpha).exposure;
    expect(cutOut.highlight).toBeLessThan(exposure.highlight - 0.05);
    expect(measureSource({ ...photo, alpha }, alpha).overlay).toBeNull();
    expect(cutOut.lightness).toBeCloseTo(exposure.lightness, 1);
  });

  it("have the width of a frame, and of bars at two sides, but none for a ground or a table's edge", async () => {
    const inner = (margin: number) =>
      drawn
        .clone()
        .resize(size - 2 * margin, size - 2 * margin, { fit: "fill" })
        .png()
        .toBuffer();
    const framed = sharp(await inner(20)).extend({ top: 20, bottom: 20, left: 20, right: 20, background: "#203040" });
    expect((await measured(framed)).border).toBe(20);
    const bars = sharp(
      await drawn
        .clone()
        .resize(size, size - 120, { fit: "fill" })
        .png()
        .toBuffer(),
    );
    expect((await measured(bars.extend({ top: 60, bottom: 60, background: "#000000" }))).border).toBe(60);
    const table = sharp(
      await drawn
        .clone()
        .resize(size, size - 100, { fit: "fill" })
        .png()
        .toBuffer(),
    );
    expect((await measured(table.extend({ bottom: 100, background: "#604020" }))).border).toBe(0);
  });

  it("count the things that may be the product, and those that were left out for little", async () => {
    const thing = { ...box, score: 1, chosen: true };
    const photo = await photoOf(await drawn.clone().png().toBuffer());
    const others = [thing, { ...thing, score: 0.7 }, { ...thing, score: 0.4, chosen: false }];
    const measures = measureSource(photo, alpha, [...others, { ...thing, score: 0.1, chosen: false }]);
    expect(measures).toMatchObject({ things: 4, otherThings: 1 });
  });
});
