/** A matte that is made once: edits that take it give the bytes that they give without it, and ask no model. */
import type { EditParameters, OutputRequest, ToolId } from "@packshot/domain/edits/tools.ts";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawnMugs, type Mug, mugsSize } from "../../../../testing/images/drawn-mugs.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import {
  isTooFine,
  type KeptMatte,
  packMatte,
  setSoftColors,
  softColorsOf,
  unpackMatte,
} from "../cut-out/kept-matte.ts";
import type { EditInput } from "../edit.ts";
import { runEdit } from "./run-edit.ts";

let predictions = 0;
const models: ModelClient = {
  describe: bundledModels.describe,
  predict: async (request) => {
    predictions++;
    return await bundledModels.predict(request);
  },
};

const red: Mug = { x: 250, y: 480, height: 300, color: "#b03428" };
const blue: Mug = { x: 640, y: 480, height: 300, color: "#2a4f8f" };
const onPaper = await drawnMugs([red]);
const pair = await drawnMugs([red, blue]);
const inRoom = await drawnMugs([red], "room");

/** With rounded corners, which stay transparent in a predicted matte. */
async function withCorners(): Promise<Buffer> {
  const { width, height } = mugsSize;
  const corners = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="40"/></svg>`,
  );
  return await sharp(onPaper)
    .ensureAlpha()
    .composite([{ input: corners, blend: "dest-in" }])
    .png()
    .toBuffer();
}

async function edit(source: Buffer, tool: ToolId, parameters: EditParameters, kept: Partial<EditInput> = {}) {
  return await runEdit(editInput(source, models, { tool, parameters, ...kept }));
}

type Wanted = readonly [ToolId, EditParameters];
const region = { left: "0%", right: "60%" };
const point = { x: "30%", y: "330px" };
const amazon: OutputRequest = { name: "amazon", preset: "amazon-main" };
const outputs = [amazon, { name: "cutout" }, { name: "card", shadow: {} }];

describe("an edit that takes the matte of another", () => {
  it.each<[string, () => Promise<Buffer>, Wanted, Wanted]>([
    ["a shadow after a cut-out on paper", async () => onPaper, ["mask", {}], ["ai-shadows", {}]],
    [
      "a set after a cut-out in a scene",
      async () => inRoom,
      ["mask", {}],
      ["ai-bg", { theme: "oak table", variations: 2 }],
    ],
    [
      "a cut-out, with its thumbnail, after a shadow",
      async () => onPaper,
      ["ai-shadows", {}],
      ["mask", { keepShadow: true }],
    ],
    ["a shadow in a region", async () => pair, ["mask", { region }], ["ai-shadows", { region }]],
    ["a shadow at a point", async () => pair, ["mask", { point }], ["ai-shadows", { point }]],
    ["a preset's image of two things", async () => pair, ["mask", {}], ["mask", { preset: "amazon-main" }]],
    ["several files of a cut-out", async () => onPaper, ["mask", {}], ["mask", { outputs }]],
    ["several files after a shadow", async () => onPaper, ["ai-shadows", {}], ["mask", { outputs }]],
    [
      "several files beside a scene",
      async () => inRoom,
      ["mask", {}],
      ["ai-bg", { outputs: [amazon, { name: "scene" }] }],
    ],
    ["what the source hides", withCorners, ["mask", {}], ["ai-shadows", {}]],
  ])("gives the same bytes and report, and asks no model: %s", async (_, photo, first, then) => {
    const source = await photo();
    const { madeMatte: matte, report: firstReport } = await edit(source, ...first, { keepsMatte: true });
    expect(firstReport).not.toHaveProperty("matteOf");
    const wanted = await edit(source, ...then);
    predictions = 0;
    const taken = await edit(source, ...then, { keptMatte: { bytes: matte!, jobId: "first" }, keepsMatte: true });
    expect(predictions).toBe(0);
    expect(taken.madeMatte).toBeUndefined();
    const { matteOf, ...report } = taken.report;
    expect(matteOf).toBe("first");
    expect(report).toEqual(wanted.report);
    expect(taken.model).toBe(wanted.model);
    const bytesOf = ({ result, thumbnail, shadow, variations = [], outputs: files = [] }: typeof wanted) => {
      const further = files.map((output) => ("image" in output ? output.image : undefined));
      return [result, thumbnail, shadow, ...variations.map(({ image }) => image), ...further].map(
        (image) => image?.bytes,
      );
    };
    expect(bytesOf(taken)).toEqual(bytesOf(wanted));
  });

  it.each<[string, Buffer]>([
    ["is none", Buffer.from("no matte")],
    ["breaks off", Buffer.from("PSMATTE1\0\0\0\0")],
    ["is of another photo", packMatte(matteOf({ width: 4, height: 1, alpha: Uint8Array.of(0, 9, 255, 1) }))!],
  ])("makes its own where the file %s", async (_, bytes) => {
    predictions = 0;
    const { report, madeMatte: matte } = await edit(
      onPaper,
      "mask",
      {},
      { keptMatte: { bytes, jobId: "first" }, keepsMatte: true },
    );
    expect(predictions).toBeGreaterThan(0);
    expect(report).not.toHaveProperty("matteOf");
    expect(matte!.length).toBeGreaterThan(1_000);
  });
});

function matteOf({ width, height, alpha }: Pick<KeptMatte, "width" | "height" | "alpha">): KeptMatte {
  const matteReport = {
    coverage: 1,
    borderContact: 0,
    holes: 0,
    edgeSharpness: 1,
    parts: 1,
    quality: "ok",
    reasons: [],
  } as const;
  const rgb = Uint8Array.from({ length: 3 * alpha.length }, (_, n) => n % 251);
  const softColors = Uint8Array.from(softColorsOf(rgb, alpha));
  return { width, height, alpha, softColors, model: "m@1", matteReport, isPlain: true, all: alpha.toReversed() };
}

it("a matte of noise is too fine to be kept, and one with soft edges is not", () => {
  expect(isTooFine(Uint8Array.from({ length: 6_000_000 }, (_, i) => 254 + (i % 2)))).toBe(true);
  const disk = (x: number, y: number) =>
    Math.max(0, Math.min(255, 128 + 32 * (900 - Math.hypot(x - 1_000, y - 1_000))));
  expect(isTooFine(Uint8Array.from({ length: 4_000_000 }, (_, i) => disk(i % 2_000, Math.floor(i / 2_000))))).toBe(
    false,
  );
});

it("a file holds every matte, to the byte, and no cut or longer file is one", () => {
  const value = fc.constantFrom(0, 0, 0, 255, 255, 255, 1, 128, 254);
  const plane = fc.array(fc.tuple(value, fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(plane, fc.double({ min: 0, max: 1, noNaN: true }), (runs, share) => {
      const alpha = Uint8Array.from(runs.flatMap(([each, count]) => Array.from({ length: count }, () => each)));
      const matte = matteOf({ width: alpha.length, height: 1, alpha });
      const packed = packMatte(matte)!;
      const read = unpackMatte(packed)!;
      expect({ ...read, softColors: Uint8Array.from(read.softColors) }).toEqual(matte);
      const rgb = new Uint8Array(3 * alpha.length);
      setSoftColors(rgb, alpha, read.softColors);
      expect(Uint8Array.from(softColorsOf(rgb, alpha))).toEqual(matte.softColors);
      expect(unpackMatte(packed.subarray(0, Math.floor(share * (packed.length - 1))))).toBeUndefined();
      expect(unpackMatte(Buffer.concat([packed, Buffer.of(0)]))).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});
