import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import type { LeftOut } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";

const width = 120;
const height = 90;

/** Summed linear red, green and blue of the wall. */
function wallOf(text: string, without = new Set<LeftOut>()): readonly [number, number, number] {
  const plan = planScene(parseTheme(text), "one text", 7, { without });
  const { light } = renderScene(plan, fitCamera(null, width, height, 1, 0.29), null);
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < (width * height * 3) / 2; i++) sums[i % 3]! += light[i]!;
  return sums;
}

it.each(["brick wall, blue led glow", "concrete wall, blue neon light", "stone wall, blue neon light"])(
  "%s: tubes light the wall in their color",
  (theme) => {
    const [red, , blue] = wallOf(theme);
    const [, , withoutTubes] = wallOf(theme, new Set<LeftOut>(["lights"]));
    expect(blue).toBeGreaterThan(1.3 * red);
    expect(blue).toBeGreaterThan(1.3 * withoutTubes);
  },
);
