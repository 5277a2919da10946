import { expect, it } from "vitest";
import type { EditParameters, ToolId } from "../edits/tools.ts";
import { fillOutputPresets, ownPresetsOf } from "./output-presets.ts";

type Preset = { readonly tool: ToolId; readonly parameters: EditParameters };
const shop: Preset = {
  tool: "mask",
  parameters: { output: { width: 800, format: "webp" }, background: { color: "#ffffff" } },
};

function fill(tool: ToolId, output: object, preset: Preset = shop): unknown {
  const parameters = { outputs: [{ name: "a", preset: "shop", ...output }] };
  return fillOutputPresets(tool, parameters, new Map([["shop", preset]])).outputs![0];
}

it("fills in a preset of the account's own, whose fields come after the file's", () => {
  expect(fill("mask", { output: { width: 400 } })).toEqual({
    name: "a",
    output: { width: 400, format: "webp" },
    background: { color: "#ffffff" },
  });
  expect(fill("mask", {}, { tool: "ai-shadows", parameters: { output: { width: 9 } } }), "and its shadow").toEqual({
    name: "a",
    shadow: {},
    output: { width: 9 },
  });
  const ofMarket = { tool: "mask", parameters: { preset: "ebay", output: { width: 1_000 } } } as const;
  expect(fill("ai-bg", {}, ofMarket)).toEqual({ name: "a", preset: "ebay", output: { width: 1_000 } });
});

it("leaves marketplaces' presets, and edits without any, as they are", () => {
  const parameters: EditParameters = {
    outputs: [
      { name: "a", preset: "ebay" },
      { name: "b", output: {} },
    ],
  };
  expect(ownPresetsOf(parameters)).toEqual([]);
  expect(fillOutputPresets("mask", parameters, new Map())).toBe(parameters);
  expect(fillOutputPresets("mask", {}, new Map())).toEqual({});
  const twice = { outputs: ["shop", "shop", "ebay", "b"].map((preset, i) => ({ name: `${i}`, preset })) };
  expect(ownPresetsOf(twice)).toEqual(["shop", "b"]);
});

it.each<[string, ToolId, Preset | undefined, RegExp]>([
  [
    "is not there",
    "mask",
    undefined,
    /file "a" is not there: "shop" is none of yours, and marketplaces' are amazon-main, /,
  ],
  ["is of another tool", "ai-bg", shop, /is one of mask, not of ai-bg: name one of ai-bg/],
  ["has a theme", "ai-bg", { tool: "ai-bg", parameters: { theme: "oak" } }, /has "theme", which is of a whole edit/],
  ["has files", "mask", { tool: "mask", parameters: { outputs: [{ name: "b" }] } }, /has "outputs"/],
  [
    "has a picture",
    "mask",
    { tool: "mask", parameters: { background: { kind: "image", imageUrl: "https://shop.example/a.jpg" } } },
    /has a background picture/,
  ],
])("refuses one that %s", (_, tool, preset, message) => {
  const presets = new Map(preset === undefined ? [] : [["shop", preset]]);
  const parameters = { outputs: [{ name: "b" }, { name: "a", preset: "shop" }] };
  expect(() => fillOutputPresets(tool, parameters, presets)).toThrow(
    expect.objectContaining({
      code: "invalid_request",
      message: expect.stringMatching(message),
      details: { field: "parameters.outputs.1.preset" },
    }),
  );
});
