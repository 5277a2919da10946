import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { luminance } from "../canvas/color.ts";
import { lightKinds } from "../words/lexicon.ts";
import { parseTheme } from "../words/theme.ts";
import { createLighting, isLampLit } from "./lighting.ts";
import { planScene } from "./scene-plan.ts";

it.each(["window", "blinds", "morning", "golden", "sunset"] as const)(
  "comes from behind through a room's window: %s",
  (light) => {
    for (let seed = 0; seed < 60; seed++) {
      const { directionDeg } = createLighting(light, "interior", createRandom(seed)).lamp;
      // Beyond a right angle the shadow would fall toward the window that the room shows.
      expect(Math.cos((directionDeg * Math.PI) / 180)).toBeGreaterThan(0.35);
    }
  },
);

it("has a sun without a sky where hard light is asked for: darker shadows than by other daylight, and sharper ones than by any", () => {
  for (const backdrop of ["sea", "wall", "sweep"] as const) {
    const lampOf = (kind: (typeof lightKinds)[number]) => createLighting(kind, backdrop, createRandom(3)).lamp;
    const others = lightKinds.filter((kind) => kind !== "hard").map(lampOf);
    const daylight = lightKinds.filter((kind) => kind !== "hard" && !isLampLit(kind)).map(lampOf);
    expect(lampOf("hard").softness).toBeLessThan(0.4 * Math.min(...others.map(({ softness }) => softness)));
    expect(lampOf("hard").keyShare).toBeGreaterThan(Math.max(...daylight.map(({ keyShare }) => keyShare)) + 0.1);
  }
});

it.each([
  "oak table, window light",
  "pink neon",
  "powder pink wall, candlelight",
  "gray sky, beach",
  "red and blue gels",
])(
  "casts the product's shadow by the light that the ground is painted by, whatever the theme changes of it: %s",
  (text) => {
    const { lamp, key, ambient } = planScene(parseTheme(text), text, 5).lighting;
    expect(lamp.keyShare).toBeCloseTo(luminance(key) / (luminance(key) + luminance(ambient)), 6);
  },
);
