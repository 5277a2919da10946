import { describe, expect, it } from "vitest";
import { renditionsOf, sceneKeyOf } from "./rendition.ts";
import type { EditParameters } from "./tools.ts";

it("has no renditions of an edit that makes one file", () => {
  expect(renditionsOf("mask", { output: { format: "webp" } })).toEqual([]);
});

it("gives each file the edit's own parameters, and its own before them, field by field", () => {
  const parameters = {
    seed: 7,
    model: "m",
    output: { format: "webp", width: 800 },
    shadow: { kind: "drop", opacity: 0.5 },
    outputs: [
      { name: "large" },
      { name: "small", output: { width: 400 } },
      { name: "soft", shadow: { opacity: 0.2 }, background: { kind: "gradient" } },
    ],
  } as const;
  const shared = { seed: 7, model: "m" };
  expect(renditionsOf("ai-shadows", parameters)).toEqual([
    {
      name: "large",
      tool: "ai-shadows",
      hasOwnBackground: false,
      parameters: { ...shared, output: parameters.output, shadow: parameters.shadow },
    },
    {
      name: "small",
      tool: "ai-shadows",
      hasOwnBackground: false,
      parameters: { ...shared, output: { format: "webp", width: 400 }, shadow: parameters.shadow },
    },
    {
      name: "soft",
      tool: "ai-shadows",
      hasOwnBackground: true,
      parameters: {
        ...shared,
        output: parameters.output,
        shadow: { kind: "drop", opacity: 0.2 },
        background: { kind: "gradient" },
      },
    },
  ]);
});

describe("the tool that draws a file", () => {
  const drawnBy = (tool: "mask" | "ai-shadows" | "ai-bg", output: object, parameters: EditParameters = {}) =>
    renditionsOf(tool, { ...parameters, outputs: [{ name: "a", ...output }] })[0]!;

  it("is mask for a marketplace's main image, without what the scene or the shadow needs", () => {
    const scene = { theme: "oak", harmonize: 1, scene: { baseline: 0.9 }, shadow: { length: 2 }, palette: ["#ffffff"] };
    const { tool, parameters } = drawnBy("ai-bg", { preset: "ebay" }, { seed: 1, ...scene });
    expect([tool, parameters]).toEqual(["mask", { seed: 1, preset: "ebay" }]);
    expect(drawnBy("ai-shadows", { preset: "ebay" }, { shadow: { length: 2 } }).parameters).toEqual({ preset: "ebay" });
  });

  it("is ai-shadows for a cut-out that is given a shadow, and else the edit's own", () => {
    expect(drawnBy("mask", { shadow: {} }).tool).toBe("ai-shadows");
    expect(drawnBy("mask", { output: {} }).tool).toBe("mask");
    expect(drawnBy("ai-bg", { shadow: {} }).tool).toBe("ai-bg");
  });
});

it("gives a file with its own background nothing of the edit's", () => {
  const behind: EditParameters = { background: { kind: "blur" }, output: { background: "#00ff00", width: 9 } };
  const of = (output: object) => renditionsOf("mask", { ...behind, outputs: [{ name: "a", ...output }] })[0]!;
  expect(of({}).parameters).toEqual(behind);
  expect(of({ background: { color: "#ff0000" } }).parameters).toEqual({
    background: { color: "#ff0000" },
    output: { width: 9 },
  });
  expect(of({ output: { background: "#0000ff" } }).parameters).toEqual({
    output: { background: "#0000ff", width: 9 },
  });
  expect(of({ output: { background: "#0000ff" } }).hasOwnBackground).toBe(true);
});

describe("files of one scene", () => {
  const keyOf = (file: object, shared: EditParameters = {}) =>
    sceneKeyOf(renditionsOf("ai-bg", { ...shared, outputs: [{ name: "a", ...file }] })[0]!);
  const set: EditParameters = { scene: { baseline: 0.9 } };

  it.each([
    [{}, { align: "center", padding: 0, crop: "none", margin: {} }],
    [{ width: 400 }, { height: 90, format: "webp" }],
    [
      { width: 900, height: 600 },
      { width: 300, height: 200 },
    ],
    [{}, { margin: { top: "10%" } }],
    [{ crop: "product" }, { crop: "product", margin: { top: "0px", left: "0%" } }],
    [{ position: {} }, { position: { x: 0.5, y: 0.5 } }],
    [{ position: { x: 0, y: 1 } }, { position: { y: 1, x: 0 } }],
    [{ scale: 0.5 }, { scale: 0.5, position: {}, align: "top" }],
  ])("share a picture where only the size or the spelling differs: output %j and %j", (output, same) => {
    expect(keyOf({ output })).toBe(keyOf({ output: same }));
  });

  it.each([
    [{}, {}],
    [{}, { kind: "auto" }],
    [{}, { opacity: 0.94 }],
    [
      { direction: 0, color: "#1A1A3A" },
      { direction: 360, color: "#1a1a3a" },
    ],
  ])("share a picture where only the size or the spelling differs: shadow %j and %j", (shadow, same) => {
    expect(keyOf({ shadow })).toBe(keyOf({ shadow: same }));
    expect(keyOf({ shadow: {} })).toBe(keyOf({}));
  });

  it.each([{ scale: 0.3 }, { position: {} }, { position: { y: 0.1 } }])(
    "share a picture where the camera of a set decides instead: %j",
    (output) => {
      expect(keyOf({ output }, set)).toBe(keyOf({}, set));
    },
  );

  it("have pictures of their own where more than the size differs", () => {
    const outputs = [
      {},
      { align: "top" },
      { padding: 0.1 },
      { crop: "product" },
      { crop: "product", margin: { top: "1px" } },
      { crop: "product", margin: { left: "1px" } },
      { position: {} },
      { position: { x: 0 } },
      { position: { y: 0 } },
      { scale: 0.5 },
      { width: 9, height: 8 },
    ];
    const shadows = [{ kind: "drop" }, { opacity: 0.5 }, { direction: 90 }, { length: 1 }, { softness: 1 }];
    const files = [...outputs.map((output) => ({ output })), ...shadows.map((shadow) => ({ shadow }))];
    expect(new Set(files.map((file) => keyOf(file))).size).toBe(files.length);
    expect(keyOf({ output: { position: { x: 0 } } }, set)).not.toBe(keyOf({}, set));
    expect(keyOf({ preset: "ebay" })).toBeUndefined();
  });
});
