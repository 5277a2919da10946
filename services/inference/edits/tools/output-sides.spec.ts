/** Results whose sides are longer than their format can have. */
import { type OutputFormat, tools } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { outputSideMax } from "../../imaging/codec/encode.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import { runEdit } from "./run-edit.ts";

const models: ModelClient = {
  describe: async () => ({ width: 8, height: 8, channels: "rgb", testTimeAugmentation: false, version: "1" }),
  predict: async () => Promise.reject(new Error("a cut-out needs no model")),
};

/** A cut-out of a long bar, so that nothing is predicted. */
async function bar(width: number, height: number): Promise<Buffer> {
  const inner = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const half = { left: 2, top: 2 };
  const product = { create: { ...inner, channels: 4, background: "#a33" } } as const;
  return await sharp({ create: { width, height, channels: 4, background: "#0000" } })
    .composite([{ input: await sharp(product).png().toBuffer(), ...half }])
    .png({ compressionLevel: 1 })
    .toBuffer();
}

const edit = async (source: Buffer, format: OutputFormat, more = {}) =>
  await runEdit(editInput(source, models, { parameters: { output: { format, ...more } } }));

describe("a side that is longer than the format can have", () => {
  it.each([
    ["webp", 16_383],
    ["avif", 16_384],
    ["jpeg", 65_500],
  ] as const)("of %s is scaled down, and the report says from what", async (format, sideMax) => {
    const size = { width: sideMax + 1, height: 12 };
    const { result, report } = await edit(await bar(size.width, size.height), format);
    expect(report.scaledFrom).toEqual(size);
    expect(result.width).toBeLessThanOrEqual(sideMax);
    expect(result.width).toBeGreaterThan(sideMax - 2);
    expect(await sharp(result.bytes).metadata()).toMatchObject({ width: result.width, height: result.height });
  });

  it("comes from one side alone that was asked for, as well: then it has 8192 pixels in each format", async () => {
    const { result, report } = await edit(await bar(400, 8), "png", { height: 400 });
    expect(report.scaledFrom).toEqual({ width: 20_000, height: 400 });
    expect([result.width, result.height]).toEqual([8192, 163]);
  });

  it("comes from padding, as well", async () => {
    const { result, report } = await edit(await bar(1000, 10), "png", { padding: 0.45 });
    expect(report.scaledFrom).toEqual({ width: 10_000, height: 100 });
    expect([result.width, result.height]).toEqual([8192, 82]);
  });

  it("is left as it is where the format has room", async () => {
    const source = await bar(16_384, 12);
    const { result, report } = await edit(source, "png");
    expect([result.width, report]).toEqual([16_384, expect.not.objectContaining({ scaledFrom: expect.anything() })]);
  });
});

it("a margin that is cut is named in the report", async () => {
  const margin = { top: "900px", left: "40px" };
  const { result, report } = await edit(await bar(20, 12), "png", { crop: "product", margin });
  expect([result.width, result.height, report.overridden]).toEqual([50, 506, ["output.margin.top"]]);
});

it("no size that a request may name is longer than a format can have: the rest is refused as invalid_request", () => {
  const { output } = tools.mask.parameters.properties as unknown as {
    output: { properties: Record<"width" | "height", { maximum: number }> };
  };
  for (const sideMax of Object.values(outputSideMax)) {
    expect(output.properties.width.maximum).toBeLessThanOrEqual(sideMax);
    expect(output.properties.height.maximum).toBeLessThanOrEqual(sideMax);
  }
});
