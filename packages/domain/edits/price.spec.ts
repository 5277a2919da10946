import { describe, expect, it } from "vitest";
import { creditsOf, pricedResults, unearnedCredits } from "./price.ts";

const outputs = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `file-${i}` }));
const prices = (creditsPerFurtherOutput: number) => ({ creditsPerFurtherOutput, creditsPerGeneratedScene: 7 });

it("costs the tool's price, and the plan's for each further file and each scene of an image model", () => {
  expect(creditsOf("mask", {}, prices(5))).toBe(1);
  expect([1, 2, 10].map((count) => creditsOf("mask", { outputs: outputs(count) }, prices(2)))).toEqual([1, 3, 19]);
  expect(creditsOf("mask", { outputs: outputs(10) }, prices(0))).toBe(1);
  expect(creditsOf("ai-bg", { engine: "renderer", variations: 3 }, prices(5))).toBe(3);
  expect(creditsOf("ai-bg", { engine: "generative", variations: 3 }, prices(5))).toBe(21);
});

describe("of scenes by an image model in several files", () => {
  const scenes = (...files: object[]) => {
    const named = files.map((file, index) => ({ name: `file-${index}`, ...file }));
    return { engine: "generative", theme: "oak", outputs: named } as const;
  };
  const square = { output: { width: 900, height: 900 } };
  const small = { output: { width: 300, height: 300, format: "webp" } };
  const wide = { output: { width: 900, height: 300 } };
  const dropped = { output: square.output, shadow: { kind: "drop" } };
  const placed = (position: object) => ({ output: { ...square.output, position } });

  it("each picture costs a scene, and each other file a further file", () => {
    const countOf = (...files: object[]) => pricedResults("ai-bg", scenes(...files));
    expect(countOf(square, small, wide, { preset: "ebay" })).toEqual(["scene", "further", "scene", "further"]);
    expect(countOf({ preset: "ebay" }, square, small)).toEqual(["edit", "scene", "further"]);
    expect(countOf({}, { output: { width: 400 } }, { output: { height: 90 } })).toEqual([
      "scene",
      "further",
      "further",
    ]);
    expect(countOf(square, dropped)).toEqual(["scene", "scene"]);
    expect(countOf(placed({ x: 0, y: 1 }), placed({ y: 1, x: 0 }))).toEqual(["scene", "further"]);
    expect(creditsOf("ai-bg", scenes(square, small, wide), prices(2))).toBe(16);
    expect(creditsOf("ai-bg", { ...scenes(square, small, wide), engine: "renderer" }, prices(2))).toBe(5);
  });

  it("those that the renderer painted cost the renderer's price, and those that failed nothing", () => {
    const edit = { tool: "ai-bg", parameters: scenes(square, small, wide), ...prices(2) } as const;
    const report = { scene: { engine: "renderer" } };
    expect(unearnedCredits(edit, { report, results: [{}, {}, {}] })).toBe(11);
    const painted = { scene: { engine: "generative" } };
    const failedResults = [{ position: 2 }];
    expect(unearnedCredits(edit, { report: painted, results: [{}, {}], failedResults })).toBe(7);
  });

  it("a picture is paid for as long as one of its files was made, whichever of them failed", () => {
    const engine = (name: string) => ({ report: { scene: { engine: name } } });
    const edit = { tool: "ai-bg", parameters: scenes({ preset: "ebay" }, square, small), ...prices(2) } as const;
    const back = (results: object[], ...failed: number[]) =>
      unearnedCredits(edit, { report: {}, results, failedResults: failed.map((position) => ({ position })) });
    const painted = engine("generative");
    expect(back([{}, painted, painted])).toBe(0);
    expect(back([{}, painted], 1), "the third file shows the picture").toBe(2);
    expect(back([{}, painted], 2)).toBe(2);
    expect(back([{}], 1, 2), "none shows it").toBe(9);
    expect(back([{}, engine("renderer")], 1), "the renderer's third file costs a further file").toBe(7);
    const two = { ...edit, parameters: scenes(wide, square, small) };
    const failedResults = [{ position: 1 }];
    expect(unearnedCredits(two, { ...painted, results: [{}, painted], failedResults })).toBe(2);
  });

  it("a failed file and a picture that costs less than a further file give back no more than was paid", () => {
    const cheap = { creditsPerFurtherOutput: 2, creditsPerGeneratedScene: 0 };
    const edit = { tool: "ai-bg", parameters: scenes({ preset: "ebay" }, square, small), ...cheap } as const;
    const rendered = { report: { scene: { engine: "renderer" } } };
    expect(unearnedCredits(edit, { report: {}, results: [{}, rendered], failedResults: [{ position: 1 }] })).toBe(2);
    expect(
      unearnedCredits(edit, { report: {}, results: [{}], failedResults: [1, 2].map((position) => ({ position })) }),
    ).toBe(2);
  });
});

describe("of a completed edit", () => {
  const scene = (engine: string) => ({ report: { scene: { engine } } });
  const rendered = scene("renderer");
  const three = { tool: "ai-bg", parameters: { engine: "generative", variations: 3 }, ...prices(5) } as const;

  it("comes back what the image model would have cost more than the renderer that stepped in", () => {
    const one = { ...three, parameters: { engine: "generative" } } as const;
    expect(unearnedCredits(one, rendered)).toBe(6);
    expect(unearnedCredits(one, scene("generative"))).toBe(0);
    const first = { ...scene("generative"), results: [{}, rendered, {}] };
    expect(unearnedCredits(three, first), "a report without a scene has the first one's").toBe(6);
    expect(unearnedCredits(three, { ...rendered, results: [{}, {}, scene("generative")] })).toBe(12);
  });

  it("comes back what its failed files cost", () => {
    const edit = { tool: "mask", parameters: { outputs: outputs(3) }, ...prices(2) } as const;
    const failedResults = [{ position: 1 }, { position: 2 }];
    expect(unearnedCredits(edit, { report: {}, results: [{}], failedResults })).toBe(4);
  });

  it("comes back nothing that was not paid for", () => {
    expect(unearnedCredits({ ...three, parameters: { engine: "renderer" } }, rendered)).toBe(0);
    expect(unearnedCredits({ ...three, creditsPerGeneratedScene: 0 }, rendered)).toBe(0);
    const { tool, parameters } = three;
    expect(unearnedCredits({ tool, parameters }, rendered), "a job of before was told no price").toBe(0);
  });
});
