import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { expect, it } from "vitest";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { estimateEditMemory, largestPixels } from "./edit-memory.ts";

const MB = 1_000_000;
/** 4 : 3 */
const header = (megapixels: number) => {
  const width = Math.round(Math.sqrt((megapixels * MB * 4) / 3));
  return { format: "jpeg", width, height: Math.round((width * 3) / 4) } as const;
};

/** Peaks beside an idle worker, measured with bench/edits/peak-memory.ts (MiB). */
it.each([
  ["mask", 1, {}, 0.2, 109],
  ["mask", 12, {}, 1.7, 229],
  ["mask", 50, {}, 7.1, 619],
  ["mask", 100, {}, 14.2, 1_083],
  ["mask", 100, {}, 280.2, 1_761],
  ["ai-shadows", 4, {}, 0.6, 182],
  ["ai-shadows", 12, {}, 1.7, 288],
  ["ai-shadows", 100, {}, 14.2, 1_431],
  ["ai-bg", 1, {}, 0.2, 127],
  ["ai-bg", 12, {}, 1.7, 311],
  ["ai-bg", 100, {}, 14.2, 1_679],
  ["ai-bg", 100, {}, 280.2, 2_189],
  ["mask", 50, { format: "avif" }, 7.1, 2_707],
  ["mask", 50, { format: "webp" }, 7.1, 1_596],
  ["mask", 50, { format: "jpeg" }, 7.1, 924],
  ["mask", 12, { width: 8_192, height: 8_192 }, 1.7, 625],
  ["ai-bg", 12, { width: 8_192, height: 8_192 }, 1.7, 899],
] as const)(
  "estimates a %s at %d MP, %j, from %d MB: the measured peak and at most 40 %% more",
  (tool, megapixels, output, sourceMb, peakMiB) => {
    const parameters = { seed: 1, output };
    const bytes = estimateEditMemory({ tool, parameters, sourceBytes: sourceMb * MB, header: header(megapixels) });
    const peakBytes = peakMiB * 1024 * 1024;
    expect(bytes).toBeGreaterThanOrEqual(peakBytes * 0.98);
    expect(bytes).toBeLessThanOrEqual(peakBytes * 1.4);
  },
);

/** Peaks of the edit beside its cut-out, of 12 megapixels, measured from the placing of the product to the JPEG (MiB). */
it.each([
  [{ output: { width: 8_192, height: 8_192, scale: 0.1 } }, 1_019],
  [{ output: { width: 8_192, height: 8_192, scale: 0.1 }, harmonize: 1 }, 1_204],
])("estimates a small product in a large scene, %j", (parameters, peakMiB) => {
  const bytes = estimateEditMemory({ tool: "ai-bg", parameters, sourceBytes: MB, header: header(12) });
  expect(bytes).toBeGreaterThanOrEqual(peakMiB * 1024 * 1024 + 12 * MB * 4);
  expect(bytes).toBeLessThanOrEqual(peakMiB * 1024 * 1024 * 1.4);
});

it("counts the margins of a product that fills the photo", () => {
  const of = (output: EditParameters["output"]) =>
    estimateEditMemory({ tool: "mask", parameters: { output }, sourceBytes: MB, header: header(0.01) });
  const margin = { left: "500px", right: "500px", top: "500px", bottom: "500px" };
  const pixels = 1_000 * 1_000;
  expect(of({ crop: "product", margin, format: "webp" }) - of({ format: "webp" })).toBeGreaterThan(26 * pixels);
  expect(of({ crop: "none", margin, format: "webp" })).toBe(of({ format: "webp" }));
});

it("counts the longest frame that a product can have whose one side is given", () => {
  const parameters = { output: { crop: "product", height: 8192, margin: { left: "500px" } } } as const;
  const edit = { tool: "mask", parameters, header: header(0.1) } as const;
  expect(largestPixels(edit)).toBe(8192 * 8192);
  expect(largestPixels({ ...edit, parameters: { output: { crop: "product", width: 100 } } })).toBeLessThan(MB);
  expect(estimateEditMemory({ ...edit, sourceBytes: 400 })).toBeGreaterThan(8192 * 8192 * 7);
});

/** Peaks of photos cropped to a product that is 1.17 times as high as wide, measured with bench/edits/peak-memory.ts (MB). */
it.each([
  ["mask", 12, { width: 1_600, format: "webp" }, 323],
  ["mask", 12, { width: 1_600, format: "avif" }, 400],
  ["mask", 12, { width: 1_600 }, 284],
  ["ai-shadows", 12, { width: 1_600, format: "avif" }, 394],
  ["ai-bg", 12, { width: 1_600, format: "avif" }, 358],
  ["mask", 1.92, { width: 1_600, format: "avif" }, 284],
] as const)("of a known frame counts no larger one: a %s of %d MP, %j", (tool, megapixels, output, peakMb) => {
  const parameters = { output: { crop: "product", ...output } } as const;
  const edit = { tool, parameters, sourceBytes: MB / 4, header: header(megapixels) };
  const frame = { width: 1_600, height: 1_872 };
  const bytes = estimateEditMemory({ ...edit, frame });
  expect(bytes).toBeGreaterThanOrEqual(peakMb * 0.95 * MB);
  expect(bytes).toBeLessThanOrEqual(peakMb * 1.35 * MB);
  if ("format" in output) expect(estimateEditMemory(edit)).toBeGreaterThan(1.3 * bytes);
  for (const more of [{ variations: 2 }, { outputs: [{ name: "other" }] }]) {
    const several = { ...edit, parameters: { ...parameters, ...more } };
    expect(estimateEditMemory({ ...several, frame })).toBe(estimateEditMemory(several));
  }
});

const outline = { width: 0.01 };

/** Peaks of 12 megapixels, 4,000 × 3,000, measured with bench/edits/peak-memory.ts (MB). */
it.each<[ToolId, EditParameters, Size, number]>([
  ["mask", { outline }, { width: 4_000, height: 3_000 }, 807],
  ["mask", { outline, output: { crop: "product", width: 1_600 } }, { width: 1_600, height: 1_620 }, 470],
  [
    "mask",
    { outline, output: { crop: "product", width: 1_600, format: "avif" } },
    { width: 1_600, height: 1_620 },
    540,
  ],
  [
    "mask",
    { outline, output: { width: 1_600, height: 1_600, padding: 0.1, format: "webp" } },
    { width: 1_600, height: 1_600 },
    469,
  ],
  [
    "mask",
    { outline, output: { crop: "product", width: 1_600, height: 1_872, format: "avif" } },
    { width: 1_600, height: 1_872 },
    608,
  ],
  ["mask", { output: { crop: "product", width: 4_000, height: 3_000 } }, { width: 4_000, height: 3_000 }, 371],
  ["mask", { output: { width: 4_000, height: 3_000, padding: 0.1 } }, { width: 4_000, height: 3_000 }, 363],
  ["ai-shadows", { output: { width: 4_000, height: 3_000, scale: 0.6 } }, { width: 4_000, height: 3_000 }, 374],
  [
    "ai-bg",
    { output: { width: 4_000, height: 3_000, scale: 0.6, format: "png" } },
    { width: 4_000, height: 3_000 },
    446,
  ],
])("counts what draws a frame, and the line in it: %s, %j", (tool, parameters, frame, peakMb) => {
  const bytes = estimateEditMemory({ tool, parameters, sourceBytes: 1.7 * MB, header: header(12), frame });
  expect(bytes).toBeGreaterThanOrEqual(peakMb * 0.95 * MB);
  expect(bytes).toBeLessThanOrEqual(peakMb * 1.35 * MB);
});

it("counts a mask as large as it may be, for a small photo, too", () => {
  const of = (megapixels: number, maskBytes?: number) =>
    estimateEditMemory({ tool: "mask", parameters: {}, sourceBytes: MB, header: header(megapixels), maskBytes });
  expect(of(1, 1_000) - of(1)).toBeGreaterThanOrEqual(25 * MB * 4);
  expect(of(12, 1_000) - of(12)).toBeGreaterThanOrEqual(12 * MB * 16);
});

/** Peaks of masks of 24 megapixels beside a small photo (MiB). */
it.each([
  ["png", 181],
  ["webp", 94],
  ["jpeg", 74],
  ["heic", 258],
  ["avif", 431],
] as const)("counts a mask by its own format and pixels: %s", (format, peakMiB) => {
  const of = (mask?: { width: number; height: number }) =>
    estimateEditMemory({
      tool: "mask",
      parameters: {},
      sourceBytes: MB,
      header: header(0.06),
      ...(mask && { maskBytes: 1_000, maskHeader: { ...mask, format } }),
    });
  expect(of({ width: 6_000, height: 4_000 }) - of()).toBeGreaterThanOrEqual(peakMiB * 1024 * 1024);
  expect(of({ width: 300, height: 200 }) - of()).toBeLessThan(2 * MB);
});

it("counts the results that wait for the last variation", () => {
  const of = (variations: number) =>
    estimateEditMemory({ tool: "ai-bg", parameters: { variations }, sourceBytes: MB, header: header(12) });
  expect(of(4) - of(1)).toBeGreaterThan(3 * 11 * MB);
});

it("counts the largest file of several, and what the others leave encoded", () => {
  const of = (parameters: EditParameters) =>
    estimateEditMemory({ tool: "mask", parameters, sourceBytes: MB, header: header(12) });
  const small = { name: "small", output: { format: "webp", width: 400 } } as const;
  const large = { name: "large", output: { format: "avif" } } as const;
  const alone = of({ output: large.output });
  expect(of({ outputs: [large] })).toBeLessThan(alone + 13 * MB);
  const both = of({ outputs: [small, large] });
  expect(both).toBe(of({ outputs: [large, small] }));
  expect(both).toBeGreaterThan(alone + 12 * MB);
  expect(both).toBeLessThan(alone + 13 * MB);
  // A shadow makes of a cut-out what ai-shadows takes.
  const cast = estimateEditMemory({ tool: "ai-shadows", parameters: {}, sourceBytes: MB, header: header(12) });
  expect(of({ outputs: [small, { name: "cast", shadow: {} }] })).toBeGreaterThan(cast);
});

it("counts the pictures of an image model that files share until the last of them is drawn", () => {
  const of = (engine: "generative" | "renderer", ...directions: number[]) => {
    const outputs = directions.map((direction, index) => ({ name: `file-${index}`, shadow: { direction } }));
    return estimateEditMemory({ tool: "ai-bg", parameters: { engine, outputs }, sourceBytes: MB, header: header(12) });
  };
  const ofPicture = 7 * 1_048_576;
  const alone = of("generative", 1, 2, 3, 4);
  expect(of("generative", 1, 2, 3, 1) - alone).toBe(ofPicture);
  expect(of("generative", 1, 1, 1, 1) - alone).toBe(ofPicture);
  expect(of("generative", 1, 2, 2, 1) - alone).toBe(2 * ofPicture);
  expect(of("renderer", 1, 2, 2, 1)).toBe(of("renderer", 1, 2, 3, 4));
});

it("counts the copies of many files when they are posted", () => {
  const outputs = Array.from({ length: 10 }, (_, i) => ({ name: `file-${i}`, output: { format: "png" } }) as const);
  const bytes = estimateEditMemory({ tool: "mask", parameters: { outputs }, sourceBytes: MB, header: header(12) });
  expect(bytes).toBeGreaterThan(3 * 10 * 3 * 12 * MB);
});

/** Peaks of 12 megapixels, measured with bench/edits/peak-memory.ts (MB). */
it.each([
  ["ai-shadows", {}, 380],
  ["ai-shadows", { width: 3_000, background: "#ffffff" }, 424],
  ["ai-bg", {}, 477],
] as const)("counts the layers that wait for the last of them: %s, %j", (tool, output, peakMb) => {
  const parameters = { layers: true, output };
  const bytes = estimateEditMemory({ tool, parameters, sourceBytes: 1.7 * MB, header: header(12) });
  expect(bytes).toBeGreaterThanOrEqual(peakMb * 0.98 * MB);
  expect(bytes).toBeLessThanOrEqual(peakMb * 1.4 * MB);
});

it("counts a canvas that grows with its shadow", () => {
  const of = (parameters: EditParameters) =>
    estimateEditMemory({ tool: "ai-shadows", parameters, sourceBytes: MB, header: header(12) });
  const grown = (shadow: EditParameters["shadow"] = {}) => of({ output: { fit: "grow" }, shadow });
  expect(grown({ kind: "none" })).toBe(of({}));
  expect(grown({ length: 3 })).toBeGreaterThan(of({}) + 3 * 12 * 14 * MB);
  expect(grown({ length: 3 })).toBeLessThan(5 * of({}));
  expect(grown({ length: 0.1 })).toBeLessThan(grown({ length: 3 }));
});

it("takes the source alone for a file that cannot be decoded", () => {
  const bytes = estimateEditMemory({ tool: "mask", parameters: {}, sourceBytes: 10 * MB, header: undefined });
  expect(bytes).toBeLessThan(200 * MB);
});

it("counts the planes of a photo that a process of its own decodes", () => {
  const of = (format: "jpeg" | "png") => {
    const photo = { ...header(50), format };
    return estimateEditMemory({ tool: "mask", parameters: {}, sourceBytes: MB, header: photo });
  };
  // With transparency the process has 8.5 bytes a pixel at its peak (a PNG of 40 megapixels), the shared file 4 and the worker 4.
  expect(of("png") - of("jpeg")).toBeGreaterThan(50 * MB * 6.9);
});

const huge = { width: 8_192, height: 8_192 };

it.each<[string, EditParameters, number]>([
  ["a photo", {}, 12],
  ["a smaller result", { output: { width: 100 } }, 12],
  ["a larger result", { output: huge }, 67.1],
  ["one of several files", { outputs: [{ name: "small" }, { name: "huge", output: huge }] }, 67.1],
  ["a canvas that grows", { output: { fit: "grow" } }, 48],
])("the largest image of an edit is %s", (_what, parameters, megapixels) => {
  const pixels = largestPixels({ tool: "ai-shadows", parameters, header: header(12) });
  expect(pixels / MB).toBeCloseTo(megapixels, 0);
});

it("an edit that decodes nothing has no image", () => {
  expect(largestPixels({ tool: "mask", parameters: { output: huge }, header: undefined })).toBe(0);
});
