import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { fromHex, luminance } from "../canvas/color.ts";
import { createNoise } from "../canvas/noise.ts";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "../words/theme.ts";
import { createMaterial, isDarkMarble } from "./create-material.ts";

const marbleOf = (theme: string) => planScene(parseTheme(theme), theme, 7).surfaceColor;

it.each(["pink marble", "pink marble vanity", "rosa Marmor", "peach marble"])("%s is pale", (theme) => {
  expect(isDarkMarble(marbleOf(theme))).toBe(false);
  expect(luminance(marbleOf(theme))).toBeGreaterThan(0.3);
});

it.each(["green marble", "blue marble", "red marble"])("%s is dark", (theme) => {
  expect(isDarkMarble(marbleOf(theme))).toBe(true);
});

it("white marble has no tint that darkens it", () => {
  expect(isDarkMarble(fromHex("#ece9e4"))).toBe(false);
});

/** The green of a surface, at so many points of a square whose side is two products. */
function greensOf(theme: string, isPatterned: boolean): number[] {
  const { surface: kind, surfaceColor: color, pattern } = planScene(parseTheme(theme), theme, 7);
  const side = 64;
  return inKernelMemory(() => {
    const random = createRandom(11);
    const noise = createNoise(random);
    const input = { color, noise, random, towardLamp: [0.6, 0.8], isFromAbove: true } as const;
    const material = createMaterial(kind, { ...input, ...(isPatterned && pattern !== null && { pattern }) });
    const out = new Float32Array(4);
    return Array.from({ length: side * side }, (_, i) => {
      material((2 * (i % side)) / side, (2 * Math.floor(i / side)) / side, 2 / side, out);
      return out[1]!;
    });
  });
}

it.each(["crumpled paper", "papier froissé", "sheepskin", "Schaffell", "white fur"])("%s has a relief", (theme) => {
  const flat = greensOf(theme, false);
  const mean = flat.reduce((sum, one) => sum + one, 0) / flat.length;
  const relief = greensOf(theme, true).reduce((sum, one, i) => sum + Math.abs(one - flat[i]!), 0) / flat.length;
  expect(relief / mean).toBeGreaterThan(0.04);
});

it("hangs in soft folds where it is draped, and has the facets of paper where it is crumpled", () => {
  const draped = greensOf("white draped backdrop", true);
  const crumpled = greensOf("white crumpled backdrop", true);
  /** The share of points at which the light changes as at a crease. */
  const creased = (greens: readonly number[]) => {
    const mean = greens.reduce((sum, one) => sum + one, 0) / greens.length;
    return greens.filter((one, i) => Math.abs(one - (greens[i + 1] ?? one)) > 0.1 * mean).length / greens.length;
  };
  expect(creased(draped)).toBeLessThan(0.7 * creased(crumpled));
});
