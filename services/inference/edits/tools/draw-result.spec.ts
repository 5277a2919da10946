/** What stands behind a product, around it and over it, measured on the result's pixels. */
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { tiffBytes } from "../../../../testing/images/tiff-bytes.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import { runEdit } from "./run-edit.ts";

const models: ModelClient = {
  describe: async () => ({ width: 8, height: 8, channels: "rgb", testTimeAugmentation: false, version: "1" }),
  predict: async () => Promise.reject(new Error("a mask needs no model")),
};

const size = { width: 240, height: 160 };
/** A red square on a ground that is green at the left and blue at the right. */
const photo = await sharp(
  Buffer.from(
    `<svg width="240" height="160"><rect width="120" height="160" fill="#20a040"/><rect x="120" width="120" height="160" fill="#2040c0"/><rect x="90" y="50" width="60" height="60" fill="#d02020"/></svg>`,
  ),
)
  .removeAlpha()
  .png()
  .toBuffer();
const mask = await sharp(
  Buffer.from(
    `<svg width="240" height="160"><rect width="240" height="160"/><rect x="90" y="50" width="60" height="60" fill="#fff"/></svg>`,
  ),
)
  .removeAlpha()
  .png()
  .toBuffer();

async function edit(parameters: EditParameters, files: { logo?: Buffer; background?: Buffer } = {}) {
  const { result, report } = await runEdit(editInput(photo, models, { mask, parameters, ...files }));
  const { data, info } = await sharp(result.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { report, at, info };
}

const near = (color: readonly number[], expected: readonly number[], by = 3) =>
  color.every((value, i) => Math.abs(value - expected[i]!) <= by);

const red = [208, 32, 32, 255];
const green = [32, 160, 64, 255];
const blue = [32, 64, 192, 255];

describe("the background", () => {
  it("original: the photo is behind the product, and beyond its border the color", async () => {
    const { at, info } = await edit({ background: { kind: "original", color: "#102030" }, output: { padding: 0.1 } });
    expect(info).toMatchObject({ width: 300, height: 200 });
    expect([at(5, 100), at(60, 100), at(240, 100), at(150, 100)]).toEqual([[16, 32, 48, 255], green, blue, red]);
  });

  it("original: a crop to the product still shows the photo around it", async () => {
    const { at, info } = await edit({ background: { kind: "original" }, output: { crop: "product", padding: 0.2 } });
    expect(info).toMatchObject({ width: 100, height: 100 });
    expect([at(5, 50), at(95, 50), at(50, 50)]).toEqual([green, blue, red]);
  });

  it("blur: the photo is out of focus, without a glow of the product around it", async () => {
    const { at } = await edit({ background: { kind: "blur", blur: 0.4 } });
    expect(near(at(4, 80), green, 12)).toBe(true);
    expect(near(at(235, 80), blue, 12)).toBe(true);
    expect(at(120, 80)).toEqual(red);
    // Just above the product, where a plain blur of the photo would be reddish, and where green meets blue.
    const [r, g, b] = at(119, 46);
    expect(r).toBeLessThan(45);
    expect(g).toBeGreaterThan(70);
    expect(b).toBeGreaterThan(80);
  });

  describe("of a photo with transparency", () => {
    const magenta = [255, 0, 255];
    const hidesMagenta = async () => {
      const { data, info } = await sharp(photo).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      for (let i = 0; i < data.length; i += 4) if ((i / 4) % info.width >= 180) data.set([...magenta, 0], i);
      return await sharp(data, { raw: { ...size, channels: 4 } })
        .png()
        .toBuffer();
    };
    const draw = async (background: EditParameters["background"], parameters: EditParameters = {}, ownMask = true) => {
      const files = ownMask ? { mask } : {};
      const input = editInput(await hidesMagenta(), models, { ...files, parameters: { ...parameters, background } });
      const { result } = await runEdit(input);
      const { data, info } = await sharp(result.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    };

    it("original: shows the color where it shows nothing, and the photo elsewhere", async () => {
      const at = await draw({ kind: "original", color: "#102030" });
      expect([at(200, 80), at(30, 80), at(160, 80), at(120, 80)]).toEqual([
        [16, 32, 48],
        green.slice(0, 3),
        blue.slice(0, 3),
        red.slice(0, 3),
      ]);
      expect((await draw({ kind: "original" }, { existingAlpha: "keep" }, false))(200, 80)).toEqual([255, 255, 255]);
    });

    it("original: shows all of it where its transparency is to be ignored", async () => {
      expect((await draw({ kind: "original" }, { existingAlpha: "ignore" }))(200, 80)).toEqual(magenta);
    });

    it.each([0.1, 0.5, 1])("blur of %d: has nothing of the colors that it does not show", async (blur) => {
      const at = await draw({ kind: "blur", blur });
      for (const x of [170, 185, 200, 235]) expect(at(x, 80)[0], `at ${x}`).toBeLessThan(75);
    });
  });

  it("gradient: runs from one color to the other in its direction", async () => {
    const down = await edit({ background: { kind: "gradient", color: "#000000", colorTo: "#ffffff" } });
    expect(down.at(10, 0)[0]).toBeLessThan(3);
    expect(down.at(10, 159)[0]).toBeGreaterThan(252);
    expect(near(down.at(10, 80), [128, 128, 128, 255])).toBe(true);
    const right = await edit({ background: { kind: "gradient", color: "#000000", colorTo: "#ffffff", angle: 90 } });
    expect(right.at(0, 10)[0]).toBeLessThan(3);
    expect(right.at(239, 150)[0]).toBeGreaterThan(252);
  });

  it("image and color: as their short forms make them", async () => {
    const background = await sharp({ create: { ...size, channels: 3, background: "#334455" } })
      .png()
      .toBuffer();
    const picture = { imageUrl: "https://shop.example/wall.png" };
    const long = await edit({ background: { kind: "image", ...picture } }, { background });
    expect([long.at(5, 5), long.report.digitalSourceType]).toEqual([[51, 68, 85, 255], "composite"]);
    const color = await edit({ background: { kind: "color", color: "#33445580" } });
    const short = await edit({ output: { background: "#33445580" } });
    expect(color.at(5, 5)).toEqual(short.at(5, 5));
  });

  it("goes before its short forms, which are named", async () => {
    const { at, report } = await edit({
      background: { kind: "color", color: "#00ff00" },
      output: { background: "#ff0000" },
      backgroundImage: { imageUrl: "https://shop.example/wall.png" },
    });
    expect(at(2, 2)).toEqual([0, 255, 0, 255]);
    expect(report.overridden).toEqual(["output.background", "backgroundImage"]);
  });

  it("is not there with alphaOnly", async () => {
    const { at } = await edit({ alphaOnly: true, background: { kind: "gradient" }, outline: {} });
    expect([at(5, 5), at(120, 80)]).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });
});

describe("the outline", () => {
  it("lies around the product at its width, and nowhere in it", async () => {
    const { at } = await edit({ outline: { width: 0.1, color: "#ffee00" } });
    expect(at(120, 80)).toEqual(red);
    expect(near(at(87, 80), [255, 238, 0, 255])).toBe(true);
    expect(near(at(120, 46), [255, 238, 0, 255])).toBe(true);
    expect(at(80, 80)[3]).toBe(0);
  });

  it("lies over what is behind", async () => {
    const { at } = await edit({ outline: { width: 0.1 }, background: { kind: "original" } });
    expect([near(at(87, 80), [255, 255, 255, 255]), at(60, 80)]).toEqual([true, green]);
  });

  it("is in a crop to the product", async () => {
    const { at, info } = await edit({ outline: { width: 0.1, color: "#ffee00" }, output: { crop: "product" } });
    expect(info.width).toBeGreaterThanOrEqual(72);
    expect(near(at(Math.floor((info.width - 60) / 2) - 3, Math.floor(info.height / 2)), [255, 238, 0, 255])).toBe(true);
  });

  it("is as wide in a large result, which is measured in fewer cells", async () => {
    const { at } = await edit({ outline: { width: 0.1, color: "#ffee00" }, output: { width: 2880 } });
    expect(near(at(1080 - 60, 960), [255, 238, 0, 255])).toBe(true);
    expect(at(1080 - 84, 960)[3]).toBe(0);
  });
});

describe("the logo", () => {
  const png = async (color: string) =>
    await sharp({ create: { width: 40, height: 20, channels: 4, background: color } })
      .png()
      .toBuffer();

  it.each([
    ["bottom-right", 240 - 16 - 8, 160 - 16 - 4],
    ["top-left", 16 + 8, 16 + 4],
  ] as const)("stands in the corner %s, as large and as far from it as asked for", async (corner, x, y) => {
    const logo = await png("#ffffff");
    const { at } = await edit(
      { logo: { corner, size: 0.2, margin: 0.1 }, output: { background: "#000000" } },
      { logo },
    );
    expect(at(x, y)).toEqual([255, 255, 255, 255]);
    expect(at(x, corner === "top-left" ? 14 : 146)).toEqual([0, 0, 0, 255]);
  });

  it("lets through what its transparency and its opacity let", async () => {
    const { at } = await edit(
      { logo: { size: 0.2, opacity: 0.5 }, output: { background: "#000000" } },
      { logo: await png("#ffffff80") },
    );
    expect(near(at(240 - 5 - 8, 160 - 5 - 4), [64, 64, 64, 255])).toBe(true);
  });

  it.each(["uchar", "ushort"] as const)("of %s has its colors, converted from its profile", async (depth) => {
    const orange = { r: 230, g: 120, b: 40 };
    const plain = await sharp({ create: { width: 40, height: 20, channels: 3, background: orange } })
      .png()
      .toBuffer();
    const p3 = sharp(plain).withIccProfile("p3");
    const logo = await (depth === "ushort" ? p3.toColorspace("rgb16") : p3).png().toBuffer();
    expect((await sharp(logo).metadata()).depth).toBe(depth);
    const { at } = await edit({ logo: { size: 0.2 }, output: { background: "#000000" } }, { logo });
    expect(at(240 - 5 - 8, 160 - 5 - 4)).toSatisfy((color: number[]) => near(color, [230, 120, 40, 255], 2));
  });

  it("that is a TIFF with a selection beside its colors is no transparent one", async () => {
    const colors = Array.from({ length: 40 * 20 }, () => [10, 200, 30, 0]).flat();
    const page = { width: 40, height: 20, photometric: 2, samplesPerPixel: 4, extraSamples: [0] };
    const logo = tiffBytes({ ...page, data: Uint8Array.from(colors) });
    const { at } = await edit({ logo: { size: 0.2 }, output: { background: "#000000" } }, { logo });
    expect(near(at(240 - 5 - 8, 160 - 5 - 4), [10, 200, 30, 255])).toBe(true);
  });

  it("stands in a scene, too", async () => {
    const logo = await png("#00ff00");
    const input = editInput(photo, models, {
      tool: "ai-bg",
      mask,
      logo,
      parameters: { logo: { corner: "top-right" } },
    });
    const { result } = await runEdit({ ...input, parameters: { ...input.parameters, output: { format: "png" } } });
    const { data, info } = await sharp(result.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (10 * info.width + info.width - 15) * 3;
    expect([...data.subarray(at, at + 3)]).toEqual([0, 255, 0]);
  });

  it("that cannot be read fails the job, by name", async () => {
    await expect(edit({ logo: {} }, { logo: Buffer.from("no picture") })).rejects.toMatchObject({
      code: "logo_unusable",
      message: expect.stringMatching(/^The logo cannot be used: /),
    });
  });
});
