/** @module-tag long */
import { readFileSync } from "node:fs";
import type { Check } from "@packshot/domain/edits/edit-report.ts";
import { type EditParameters, type OutputPreset, outputPresets } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { reportMatte } from "../../imaging/matting/report/matte-report.ts";
import { cutOutImage } from "../../imaging/output/cut-out-image.ts";
import { presetRules } from "../../imaging/output/preset-rules.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import { encodeEdited } from "./encode-edited.ts";

/** A box of 1,640 × 1,500 pixels: a little too small for a frame of Etsy's size. */
const wideProduct = drawnCutOut(2000, 1800, box(100, 100, 1740, 1600));
const tallProduct = drawnCutOut(1200, 2600, box(100, 50, 1050, 2550));
const smallProduct = drawnCutOut(400, 400, box(50, 50, 350, 350));

async function encode(cut: CutOut, parameters: EditParameters) {
  const { width, height, rgb } = cut;
  const { result, report } = await encodeEdited({
    input: editInput(new Uint8Array(), {} as ModelClient, { parameters }),
    photo: { format: "png", width, height, rgb },
    flat: rgb,
    cut,
    matteReport: reportMatte(cut.alpha, cut, { uncertainty: 0, expectedOverlap: 1, filledGaps: 0 }),
    edited: cutOutImage(cut),
  });
  const { data, info } = await sharp(result.bytes).raw().toBuffer({ resolveWithObject: true });
  return { result, report: report as { checks: Check[]; overridden?: string[] }, data, info };
}

/** What another than us would measure: the box of all that is not white, as shares of the frame. */
function measure({ data, info }: Awaited<ReturnType<typeof encode>>) {
  let left = info.width;
  let right = 0;
  let top = info.height;
  let bottom = 0;
  for (let i = 0; i < info.width * info.height; i++) {
    // JPEG rings near an edge.
    if (data[i * 3]! > 200 && data[i * 3 + 1]! > 200 && data[i * 3 + 2]! > 200) continue;
    const x = i % info.width;
    const y = (i - x) / info.width;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return Math.max((right - left + 1) / info.width, (bottom - top + 1) / info.height);
}

describe.each(outputPresets)("the preset %s", (preset) => {
  const { fillMin, fillMax = 1, sideMin, sideMax, aspect } = presetRules[preset];

  it.each([
    ["wide", wideProduct],
    ["tall", tallProduct],
  ])("shows a %s product as its marketplace asks, measured on the bytes", async (_name, cut) => {
    const encoded = await encode(cut, { preset });
    const { info, report, result } = encoded;
    expect(await sharp(result.bytes).metadata()).toMatchObject({ format: "jpeg", space: "srgb" });
    expect(info.width / info.height).toBeCloseTo(aspect, 2);
    const short = Math.min(info.width, info.height);
    const long = Math.max(info.width, info.height);
    expect(long).toBeGreaterThanOrEqual(sideMin);
    expect(short).toBeLessThanOrEqual(sideMax);
    const fill = measure(encoded);
    expect(fill).toBeGreaterThanOrEqual(fillMin - 0.005);
    expect(fill).toBeLessThanOrEqual(fillMax + 0.005);
    expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(report).not.toHaveProperty("overridden");
  });

  it("says of a product with too few pixels that there are no more", async () => {
    const { report } = await encode(smallProduct, { preset });
    const side = report.checks.find(({ name }) => name.startsWith(`at least ${sideMin} px`));
    const isTooSmall = (side!.value as number) < sideMin;
    expect(side).toMatchObject({
      passed: true,
      ...(isTooSmall && { note: expect.stringContaining("no more pixels") }),
    });
  });
});

describe("checks of a preset", () => {
  it("fail where the request asks for a frame that the marketplace refuses", async () => {
    const failed = async (preset: OutputPreset, output: NonNullable<EditParameters["output"]>) =>
      (await encode(wideProduct, { preset, output })).report.checks.flatMap(({ name, passed }) =>
        passed ? [] : [name],
      );
    expect(await failed("etsy", { width: 1000, height: 1000 })).toEqual([
      "at least 2000 px on the shortest side",
      "aspect ratio 4:3",
    ]);
    expect(await failed("shopify-square", { width: 1000, height: 900 })).toEqual(["aspect ratio 1:1"]);
    expect(await failed("google-shopping", { width: 400 })).toEqual(["at least 500 px"]);
    expect(await failed("zalando", { width: 900 })).toEqual([]);
  });

  it("differ between google-shopping and square-white, as their frames do", async () => {
    const google = await encode(wideProduct, { preset: "google-shopping" });
    const white = await encode(wideProduct, { preset: "square-white" });
    expect(google.report.checks.map(({ name }) => name)).not.toEqual(white.report.checks.map(({ name }) => name));
    expect(google.info.width).not.toBe(white.info.width);
  });
});

describe("what a preset decides itself", () => {
  it("is named in the report where the request asks for something else", async () => {
    const unknown = { margin: { top: "5%" }, scale: 0.5, position: { x: 0 }, maxMegapixels: 1 } as const;
    const output = {
      format: "png",
      padding: 0.2,
      crop: "none",
      background: "#00ff00",
      height: 900,
      ...unknown,
    } as const;
    const { report } = await encode(smallProduct, { preset: "ebay", output });
    expect(report.overridden).toEqual([
      "output.format",
      "output.height",
      "output.padding",
      "output.crop",
      "output.margin",
      "output.scale",
      "output.position",
      "output.maxMegapixels",
      "output.background",
    ]);
  });

  it("is not named where the request asks for the same, or for what a preset leaves open", async () => {
    const output = {
      format: "jpeg",
      crop: "product",
      background: "#FFFFFF",
      width: 800,
      height: 800,
      quality: 80,
    } as const;
    const { report, info } = await encode(smallProduct, { preset: "ebay", output: { ...output, align: "top" } });
    expect(report).not.toHaveProperty("overridden");
    expect(info).toMatchObject({ width: 800, height: 800 });
  });

  it("is nothing with alphaOnly, which overrides the preset", async () => {
    const { report } = await encode(smallProduct, { preset: "ebay", alphaOnly: true });
    expect(report).toMatchObject({ overridden: ["preset"] });
    expect(report.checks).toBeUndefined();
  });
});

it("docs/presets.md has the rule, the source and the date of every preset", () => {
  const document = readFileSync(new URL("../../../../docs/presets.md", import.meta.url), "utf8");
  for (const preset of outputPresets) {
    const { source, sideMin, sideMax, fill, megabytesMax } = presetRules[preset];
    const row = document.split("\n").find((line) => line.startsWith(`| \`${preset}\` |`));
    const facts = [sideMin, sideMax].map((px) => px.toLocaleString("en-US"));
    facts.push(`${Math.round(fill * 100)} %`, ...(megabytesMax === undefined ? [] : [`${megabytesMax} MB`]));
    facts.push(...(source === null ? ["ours"] : [source.url, source.readAt]));
    for (const fact of facts) expect(row, `${preset}: ${fact}`).toContain(fact);
  }
});
