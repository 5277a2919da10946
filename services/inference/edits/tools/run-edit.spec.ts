import { toolIds } from "@packshot/domain/edits/tools.ts";
import { stages } from "@packshot/domain/jobs/stages.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import * as odd from "../../../../testing/images/odd-images.ts";
import { bundledModels, createBundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ImageDecoder } from "../../decoder/image-decoder.ts";
import { decodePhoto } from "../../imaging/codec/decode.ts";
import { runEdit } from "./run-edit.ts";

const edit = (source: Uint8Array, changes: Parameters<typeof editInput>[2] = {}) =>
  runEdit(editInput(source, bundledModels, changes));

const drawn = new Map<string, Promise<Buffer>>();

/** A red body on a light sweep, with a soft shadow that must not be kept and a hole that must open; each size is drawn once. */
function handledMug(width = 600, height = 450): Promise<Buffer> {
  const size = `${width} × ${height}`;
  const known = drawn.get(size) ?? drawHandledMug(width, height);
  drawn.set(size, known);
  return known;
}

async function drawHandledMug(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = (x / width) * 600;
      const v = (y / height) * 450;
      const body = Math.abs(u - 250) < 90 && Math.abs(v - 230) < 120;
      const ring = Math.hypot(u - 370, v - 230);
      const handle = ring > 40 && ring < 62 && u > 335;
      const shade = 1 - 0.3 * Math.exp(-(((u - 280) / 160) ** 2) - ((v - 365) / 22) ** 2);
      const paper = [236, 234, 230].map((c) => c * shade - v / 60);
      const color = body || handle ? [170, 40, 45].map((c) => c * (0.75 + 0.25 * Math.cos((u - 230) / 60))) : paper;
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = Math.round(color[c]!);
    }
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const alphaAt = async (bytes: Buffer, x: number, y: number) => {
  const { data, info } = await sharp(bytes).extractChannel(3).raw().toBuffer({ resolveWithObject: true });
  return data[y * info.width + x]!;
};

describe("ai-bg", () => {
  it("lays down what a flat lay names", async () => {
    const parameters = { theme: "flat lay on white linen", seed: 7 };
    const { report } = await edit(await handledMug(), { tool: "ai-bg", parameters });
    expect(report).toMatchObject({ scene: { view: "above" }, shadow: { stance: "lying" } });
  });
});

it.each(toolIds)("has only stages that the contract and the console know: %s", async (tool) => {
  const announced: string[] = [];
  const parameters = tool === "ai-bg" ? { seed: 7, theme: "oak table", tone: "neutral" as const } : { seed: 7 };
  const { timings } = await edit(await handledMug(), { tool, parameters, onStage: (stage) => announced.push(stage) });
  const told = Object.keys(timings);
  for (const name of told) expect(stages).toHaveProperty([name]);
  expect(announced.toSorted()).toEqual(told.map((name) => name.slice(name.indexOf(".") + 1)).toSorted());
});

it("adds up the parts of several files", async () => {
  const outputs = [{ name: "a" }, { name: "b", shadow: {} }, { name: "c", shadow: {} }] as const;
  const { timings } = await edit(await handledMug(), { tool: "mask", parameters: { seed: 7, outputs } });
  expect(Object.keys(timings).slice(-4)).toEqual(["encode", "ai-shadows", "ai-shadows.shadow", "ai-shadows.compose"]);
});

describe("mask", () => {
  it("cuts the product out, with its handle open and without its shadow", async () => {
    const stages: string[] = [];
    const source = await handledMug();
    const { result, thumbnail, model: used, report, timings } = await edit(source, { onStage: (s) => stages.push(s) });
    expect(result).toMatchObject({ contentType: "image/png", width: 600, height: 450 });
    expect(await alphaAt(result.bytes, 250, 230)).toBe(255);
    expect(await alphaAt(result.bytes, 370, 230), "inside the handle").toBe(0);
    expect(await alphaAt(result.bytes, 422, 230), "the handle itself").toBe(255);
    expect(await alphaAt(result.bytes, 300, 368), "the shadow").toBe(0);
    expect(thumbnail).toMatchObject({ contentType: "image/webp", width: 512 });
    expect(used).toMatch(/^packshot-mask@/);
    expect(report).toMatchObject({ quality: "ok", holes: 1, parts: 1, changedOpaqueShare: 0, borderContact: 0 });
    expect(stages).toEqual(["decode", "prepare", "predict", "refine", "foreground", "mask", "encode"]);
    expect(Object.keys(timings).sort()).toEqual([...stages].sort());
  });

  it("frees the photo's planes with the edit", async () => {
    const decoded: Uint8Array[] = [];
    const decoder = {
      async decodePhoto(...asked: Parameters<typeof decodePhoto>) {
        const photo = await decodePhoto(...asked);
        decoded.push(photo.rgb);
        return photo;
      },
    } as ImageDecoder;
    await edit(await handledMug(), { decoder });
    expect(decoded.map(({ length }) => length)).toEqual([0]);
  });

  it("makes a thumbnail that shows the same as the result, edges included", async () => {
    const { result, thumbnail } = await edit(await handledMug());
    const onMagenta = async (bytes: Buffer) =>
      await sharp(bytes).flatten({ background: "#ff00ff" }).resize({ width: 512 }).raw().toBuffer();
    const whole = await onMagenta(result.bytes);
    const small = await onMagenta(thumbnail.bytes);
    const differences = whole.map((v, i) => Math.abs(v - small[i]!));
    expect(differences.reduce((a, b) => a + b, 0) / differences.length, "mean").toBeLessThan(1);
    // A shift, or old background at the rim, would show at every edge.
    expect(differences.filter((d) => d > 60).length / differences.length).toBeLessThan(0.001);
  });

  it("gives the same bytes for the same source and seed", async () => {
    const source = await handledMug();
    const models = createBundledModels();
    const a = await edit(source, { models });
    const b = await edit(source, { models });
    expect(a.result.bytes.equals(b.result.bytes)).toBe(true);
    expect(a.thumbnail.bytes.equals(b.thumbnail.bytes)).toBe(true);
  });

  it("returns the matte itself with alphaOnly", async () => {
    const source = await handledMug();
    const { result } = await edit(source, { parameters: { alphaOnly: true } });
    expect(await sharp(result.bytes).metadata()).toMatchObject({ channels: 1, space: "b-w" });
    const matte = await sharp(result.bytes).toColorspace("b-w").raw().toBuffer();
    const cutOut = await edit(source);
    expect(matte.equals(await sharp(cutOut.result.bytes).extractChannel("alpha").raw().toBuffer())).toBe(true);
  });

  it.each(["webp", "avif", "jpeg"] as const)("returns the matte as %s", async (format) => {
    const { result } = await edit(await handledMug(), { parameters: { alphaOnly: true, output: { format } } });
    const { data, info } = await sharp(result.bytes).toColorspace("b-w").raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 600, height: 450, channels: 1 });
    expect(data[230 * info.width + 250]).toBeGreaterThan(250);
    expect(data[10 * info.width + 10]).toBeLessThan(5);
  });

  it.each([
    ["webp", "image/webp"],
    ["avif", "image/avif"],
    ["jpeg", "image/jpeg"],
  ] as const)("answers in %s", async (format, contentType) => {
    const { result, thumbnail } = await edit(await handledMug(), { parameters: { output: { format } } });
    expect(result.contentType).toBe(contentType);
    expect((await sharp(thumbnail.bytes).metadata()).hasAlpha, "as the result has").toBe(format !== "jpeg");
    expect(await sharp(result.bytes).metadata()).toMatchObject({ width: 600, height: 450 });
  });

  it("lays the product out by its parameters", async () => {
    const output = { width: 300, height: 300, padding: 0.1, crop: "product", background: "#00ff00" } as const;
    const { result } = await edit(await handledMug(), { parameters: { output } });
    const { data, info } = await sharp(result.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 300, height: 300 });
    expect([...data.subarray(0, 3)]).toEqual([0, 255, 0]);
    const middle = (150 * 300 + 130) * info.channels;
    expect(data[middle]!).toBeGreaterThan(100);
  });

  it.each([
    ["a square of a wide photo", { width: 400, height: 400 }, 400, 400],
    ["a larger square", { width: 900, height: 900 }, 900, 900],
    ["padding", { padding: 0.2 }, 1000, 750],
    ["the product alone in a tall frame", { width: 200, height: 400, crop: "product", align: "bottom" }, 200, 400],
  ] as const)("paints the scene to the edges of its frame: %s", async (_what, output, width, height) => {
    const parameters = { theme: "dark oak table, evening", output: { ...output, format: "png" } } as const;
    const { result } = await edit(await handledMug(), { tool: "ai-bg", parameters });
    const { data, info } = await sharp(result.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width, height, channels: 3 });
    const isWhite = (x: number, y: number) =>
      data
        .subarray((y * width + x) * 3)
        .subarray(0, 3)
        .every((c) => c > 250);
    const middles = [
      [width >> 1, 0],
      [width >> 1, height - 1],
      [0, height >> 1],
      [width - 1, height >> 1],
    ] as const;
    expect(middles.filter(([x, y]) => isWhite(x, y))).toEqual([]);
    // The red body is there, no larger than its frame.
    const reds = Array.from({ length: width * height }, (_, i) => i).filter(
      (i) => data[i * 3]! > 90 && data[i * 3 + 1]! < 75 && data[i * 3 + 2]! < 80,
    );
    expect(reds.length).toBeGreaterThan(width * height * 0.03);
  });

  it.each(["amazon-main", "square-white"] as const)("meets the preset %s", async (preset) => {
    const { result, report } = await edit(await handledMug(2400, 1800), { parameters: { preset } });
    const { data, info } = await sharp(result.bytes).raw().toBuffer({ resolveWithObject: true });
    const metadata = await sharp(result.bytes).metadata();
    expect(metadata).toMatchObject({ format: "jpeg", space: "srgb" });
    expect(Math.min(info.width, info.height)).toBeGreaterThanOrEqual(1600 * (metadata.width >= 1600 ? 1 : 0));
    const isWhite = (i: number) => data[i * 3] === 255 && data[i * 3 + 1] === 255 && data[i * 3 + 2] === 255;
    let left = info.width;
    let right = 0;
    let top = info.height;
    let bottom = 0;
    for (let i = 0; i < info.width * info.height; i++) {
      if (data[i * 3 + 1]! > 200) continue;
      const x = i % info.width;
      const y = (i - x) / info.width;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    expect(Math.max((right - left + 1) / info.width, (bottom - top + 1) / info.height)).toBeGreaterThanOrEqual(0.85);
    for (let i = 0; i < info.width * 10; i++) expect(isWhite(i)).toBe(true);
    const checks = report.checks as { name: string; passed: boolean }[];
    expect(checks).toHaveLength(4);
    expect(checks.filter((check) => !check.passed)).toEqual([]);
  });

  it("drops GPS and keeps the profile", async () => {
    const source = await sharp(await handledMug())
      .withIccProfile("p3")
      .withExifMerge({ IFD0: { Copyright: "shop" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" } })
      .jpeg()
      .toBuffer();
    expect((await sharp(source).metadata()).exif).toBeDefined();
    const { result } = await edit(source);
    const metadata = await sharp(result.bytes).metadata();
    expect(metadata.exif).toBeUndefined();
    expect(metadata.icc?.equals((await sharp(source).metadata()).icc!)).toBe(true);
  });
});

describe("odd input", () => {
  it.each([
    ["a truncated JPEG", "image_unreadable", odd.truncatedJpeg],
    ["an empty file", "unsupported_media_type", () => Buffer.alloc(0)],
    ["a file that is not an image", "unsupported_media_type", odd.notAnImage],
    ["an SVG", "unsupported_media_type", odd.svg],
    ["a 200-megapixel PNG", "image_too_large", odd.pngBomb],
    ["a single pixel", "no_product_found", odd.onePixel],
  ])("%s fails with %s", async (_name, code, make) => {
    await expect(edit(await make())).rejects.toMatchObject({ code });
  });

  it.each([
    ["a CMYK JPEG", odd.cmykJpeg],
    ["a 16-bit PNG", odd.png16],
    ["an animated GIF", odd.animatedGif],
    ["an animated WebP", odd.animatedWebp],
    ["an image with alpha", odd.withAlpha],
  ] as const)("%s is cut out", async (_name, make) => {
    const { result } = await edit(await make());
    expect(result).toMatchObject({ width: 320, height: 240 });
    expect(await alphaAt(result.bytes, 120, 125)).toBe(255);
    expect(await alphaAt(result.bytes, 300, 20)).toBe(0);
  });

  it("a photo turned by EXIF comes back upright", async () => {
    const { result } = await edit(await odd.rotatedJpeg());
    expect(result).toMatchObject({ width: 240, height: 320 });
    expect((await sharp(result.bytes).metadata()).orientation ?? 1).toBe(1);
    expect(await alphaAt(result.bytes, 239 - 125, 120)).toBe(255);
  });

  it.each([[255], [128], [0]])("an empty scene of gray %d has no product", async (gray) => {
    const empty = await sharp({
      create: { width: 500, height: 400, channels: 3, background: `rgb(${gray},${gray},${gray})` },
    })
      .jpeg()
      .toBuffer();
    await expect(edit(empty)).rejects.toMatchObject({ code: "no_product_found" });
  });

  it.each([
    [
      60,
      "No product stands out in the picture. It has only 60 × 60 pixels. Send a larger photo, or one taken from nearer.",
    ],
    [500, "No product stands out in the picture. Name it by point or region, or send a maskImage."],
  ])(
    "an empty photo of %d pixels a side says what to do, and asks for more pixels only where it has few",
    async (side, message) => {
      const empty = await sharp({ create: { width: side, height: side, channels: 3, background: "white" } })
        .png()
        .toBuffer();
      await expect(edit(empty)).rejects.toMatchObject({ code: "no_product_found", message });
    },
  );

  it("an empty region is to be widened, and not to be given", async () => {
    const empty = await sharp({ create: { width: 500, height: 500, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    const message = "No product stands out in the region. Widen the region, or name the product by point.";
    const refused = edit(empty, { parameters: { region: { right: "50%" } } });
    await expect(refused).rejects.toMatchObject({ code: "no_product_found", message });
  });

  it("a cancelled edit stops with the signal's reason", async () => {
    const cancelled = new AbortController();
    const reason = new Error("cancelled");
    const source = await handledMug();
    const onStage = (stage: string) => {
      if (stage === "refine") cancelled.abort(reason);
    };
    await expect(edit(source, { signal: cancelled.signal, onStage })).rejects.toBe(reason);
  });
});
