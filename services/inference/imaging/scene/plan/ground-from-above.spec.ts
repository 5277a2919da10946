import { describe, expect, it } from "vitest";
import type { Camera } from "../canvas/camera.ts";
import { notShown } from "../not-shown.ts";
import { renderScene } from "../render-scene.ts";
import { parseTheme } from "../words/theme.ts";
import { planScene } from "./scene-plan.ts";
import { seenFromAbove } from "./seen-from-above.ts";

const camera: Camera = {
  view: "above",
  width: 120,
  height: 100,
  baseX: 60,
  baseY: 75,
  horizonY: -1000,
  size: 50,
  distance: 300,
};

const planOf = (theme: string, palette: readonly string[] = []) =>
  seenFromAbove(planScene(parseTheme(theme), "one text", 7, { palette }));

describe("the ground of a place that is seen from above", () => {
  it.each([
    ["lavender field", "soil"],
    ["olive garden", "soil"],
    ["vineyard", "soil"],
    ["forest", "soil"],
    ["Wald", "soil"],
    ["garden", "grass"],
    ["orchard", "grass"],
    ["meadow", "grass"],
    ["lake", "pebble"],
    ["snowy garden", "snow"],
    ["beach", "sand"],
    ["concrete wall", "concrete"],
  ])("is its earth and not a table: %s", (theme, kind) => expect(planOf(theme).floor).toBe(kind));

  it.each([
    ["garden table", "wood"],
    ["white marble in a garden", "marble"],
    ["terrace", "tile"],
    ["kitchen", "marble"],
    ["pier", "wood"],
    ["podium in a garden", "plain"],
  ])("is what the theme names, or what people laid there: %s", (theme, kind) =>
    expect(planOf(theme).surface).toBe(kind),
  );

  it.each([
    ["peonies, flat lay", "fabric"],
    ["Rosen von oben", "fabric"],
    ["roses in a garden from above", "grass"],
    ["roses on marble, flat lay", "marble"],
  ])("is cloth below cut flowers, unless the theme names a place or a ground: %s", (theme, kind) =>
    expect(planOf(theme).floor).toBe(kind),
  );

  it.each(["gradient background from peach to lilac", "Farbverlauf von Rosa zu Blau"])("fades upward: %s", (text) => {
    const plan = planOf(text);
    const { laid, light } = renderScene(plan, camera, null);
    const hueAt = (row: number) => {
      const at = (row * camera.width + Math.floor(camera.width / 2)) * 3;
      return light[at]! / light[at + 2]!;
    };
    const first = plan.surfaceColor[0] / plan.surfaceColor[2];
    const second = plan.gradientColor![0] / plan.gradientColor![2];
    expect(hueAt(camera.height - 1) / first).toBeCloseTo(1, 0);
    expect(hueAt(0) / hueAt(camera.height - 1)).toBeCloseTo(second / first, 1);
    expect(notShown(parseTheme(text), plan, "above", laid)).toEqual([]);
  });

  it.each(["jungle from above", "lake shore from above"])("shows the place that it names: %s", (text) => {
    const plan = planOf(text);
    const { laid } = renderScene(plan, camera, null);
    expect(notShown(parseTheme(text), plan, "above", laid)).toEqual([]);
  });

  it("has large leaves in a jungle, unless plants are avoided", () => {
    const plan = planOf("jungle");
    const grown = renderScene(plan, camera, null).light.slice();
    const bare = renderScene({ ...plan, isJungle: false }, camera, null).light.slice();
    const avoided = renderScene({ ...plan, without: new Set(["plants"]) }, camera, null);
    expect(grown.filter((value, i) => Math.abs(value - bare[i]!) > 0.02).length).toBeGreaterThan(0.1 * grown.length);
    expect(avoided.laid.hasOwnOfPlace).toBe(false);
  });

  it("has the palette's color", () => {
    const [red, green] = planOf("lavender field", ["#ffffff", "#20c020"]).floorColor;
    expect(green).toBeGreaterThan(5 * red);
  });

  it("has blades of grass, and none where no grass is", () => {
    /** Mean step of green from a pixel to the one below it, as a share of the mean. */
    const detail = (theme: string) => {
      const { light } = renderScene(planOf(theme), camera, null);
      const greens = Array.from({ length: camera.width * 99 }, (_, i) => light[3 * i + 1]!);
      const steps = greens.map((value, i) => Math.abs(light[3 * (i + camera.width) + 1]! - value));
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      return sum(steps) / sum(greens);
    };
    expect(detail("straw")).toBeGreaterThan(0.2);
    expect(detail("grass")).toBeGreaterThan(0.15);
    expect(detail("sand")).toBeLessThan(0.12);
  });

  it("has leaves and twigs in a forest, unless plants are avoided", () => {
    const light = (without: ReadonlySet<"plants">) =>
      renderScene({ ...planOf("forest floor"), without }, camera, null).light.slice();
    const littered = light(new Set());
    const bare = light(new Set<"plants">(["plants"]));
    const changed = littered.filter((value, i) => Math.abs(value - bare[i]!) > 0.02);
    expect(changed.length).toBeGreaterThan(0.1 * littered.length);
  });

  it("has light and shade of a low sun between leaves, unless patterns or plants are avoided", () => {
    /** How far the light of hand-wide squares is from their mean, as a share of it. */
    const spread = (theme: string, without: ReadonlySet<"patterns" | "plants"> = new Set()) => {
      const { light } = renderScene({ ...planOf(theme), without }, camera, null);
      const squares = Array.from({ length: 30 }, (_, i) => {
        let sum = 0;
        for (let j = 0; j < 400; j++) {
          const x = (i % 6) * 20 + (j % 20);
          const y = Math.floor(i / 6) * 20 + Math.floor(j / 20);
          sum += light[3 * (y * camera.width + x) + 1]!;
        }
        return sum / 400;
      });
      const mean = squares.reduce((sum, value) => sum + value, 0) / squares.length;
      return Math.sqrt(squares.reduce((sum, value) => sum + (value - mean) ** 2, 0) / squares.length) / mean;
    };
    const golden = spread("garden, golden hour");
    expect(golden).toBeGreaterThan(1.5 * spread("garden, golden hour", new Set(["patterns"] as const)));
    expect(golden).toBeGreaterThan(1.5 * spread("garden, overcast"));
  });
});
