import { describe, expect, it } from "vitest";
import { assertEngine, engineOf, hasUnpaintedScene, jobEngine, rendererOnly, withEngine } from "./engine.ts";
import type { EditParameters } from "./tools.ts";

describe("the engine of an edit", () => {
  it.each([
    { asked: {}, auto: "renderer", hasImageModel: true, engine: "renderer" },
    { asked: { engine: "auto" }, auto: "generative", hasImageModel: true, engine: "generative" },
    { asked: {}, auto: "generative", hasImageModel: true, engine: "generative" },
    { asked: {}, auto: "generative", hasImageModel: false, engine: "renderer" },
    { asked: { engine: "renderer" }, auto: "generative", hasImageModel: true, engine: "renderer" },
    { asked: { engine: "generative" }, auto: "renderer", hasImageModel: true, engine: "generative" },
  ] as const)("of $asked, where auto is $auto, is $engine", ({ asked, engine, ...rules }) => {
    expect(engineOf("ai-bg", asked, rules)).toBe(engine);
    expect(withEngine("ai-bg", { ...asked, theme: "oak" }, rules)).toEqual({ ...asked, theme: "oak", engine });
  });

  it.each([
    { asked: {}, auto: "generative", mayRender: true },
    { asked: { engine: "auto" }, auto: "generative", mayRender: true },
    { asked: { engine: "generative" }, auto: "generative", mayRender: undefined },
    { asked: {}, auto: "renderer", mayRender: undefined },
  ] as const)("of $asked, where auto is $auto, may end as the renderer: $mayRender", ({ asked, auto, mayRender }) => {
    const rules = { auto, hasImageModel: true };
    expect(jobEngine("ai-bg", asked, rules)).toEqual({
      parameters: withEngine("ai-bg", asked, rules),
      ...(mayRender && { mayRender }),
    });
  });

  it("has not painted where it was late, in whichever result, and not where its pictures were rejected", () => {
    const late = { scene: { rejections: ["product_grown", "timed_out"] } };
    const rejected = { scene: { rejections: ["text", "text", "text"] } };
    expect(hasUnpaintedScene({ report: late })).toBe(true);
    expect(hasUnpaintedScene({ report: rejected, results: [{}, { report: late }] })).toBe(true);
    for (const report of [rejected, { scene: {} }, {}])
      expect(hasUnpaintedScene({ report, results: [{}, { report: rejected }] })).toBe(false);
  });

  it("is none for tools that paint no scene", () => {
    expect(engineOf("mask", {}, { auto: "generative", hasImageModel: true })).toBeUndefined();
    const parameters = { seed: 1 } as const satisfies EditParameters;
    expect(withEngine<EditParameters>("ai-shadows", parameters, rendererOnly)).toEqual(parameters);
  });

  it("is refused where no worker has an image model, and only then", () => {
    expect(() => assertEngine({ engine: "generative" }, rendererOnly)).toThrow(
      expect.objectContaining({ code: "engine_not_available", details: { field: "parameters.engine" } }),
    );
    assertEngine({ engine: "generative" }, { ...rendererOnly, hasImageModel: true });
    assertEngine({ engine: "auto" }, rendererOnly);
    assertEngine({}, rendererOnly);
  });
});
