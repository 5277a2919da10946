import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { luminance } from "../canvas/color.ts";
import { renderScene } from "../render-scene.ts";
import { colors } from "../words/lexicon.ts";
import { parseTheme } from "../words/theme.ts";
import { planScene } from "./scene-plan.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), "one text", 7);
const camera = fitCamera(null, 240, 240, 1, 0.29);

/** Mean of each channel of the wall at both sides of the product. */
function sidesOf(theme: string): readonly (readonly number[])[] {
  const { light } = renderScene(planOf(theme), camera, null);
  return [0, 0.72].map((from) => {
    const sum = [0, 0, 0];
    for (let y = 0; y < camera.horizonY; y++)
      for (let x = from * camera.width; x < (from + 0.28) * camera.width; x++)
        for (let c = 0; c < 3; c++) sum[c]! += light[3 * (y * camera.width + Math.floor(x)) + c]!;
    return sum;
  });
}

it.each([
  ["black studio with blue neon light", 2],
  ["neon blue light, black background", 2],
  ["luz de neón azul, fondo negro", 2],
  ["red neon studio", 0],
  ["grünes Neonlicht", 1],
])("%s shines in its color at both sides", (theme, channel) => {
  for (const side of sidesOf(theme)) expect(side.indexOf(Math.max(...side))).toBe(channel);
});

it("two colors shine from one side each", () => {
  const [one, other] = planOf("black studio with blue and red neon").neon!;
  expect([one, other].map((tube) => tube.indexOf(Math.max(...tube))).toSorted()).toEqual([0, 2]);
});

it("without a color it is pink and blue", () => {
  expect(planOf("black studio with neon light").neon).toBeNull();
  expect(planOf("pink wall with neon lights").neon).toBeNull();
  expect(planOf("blue studio").neon).toBeNull();
});

it("a wall that the theme names keeps its color", () => {
  expect(luminance(planOf("white wall, pink neon").backdropColor)).toBeGreaterThan(0.5);
  expect(luminance(planOf("pink neon light").backdropColor)).toBeLessThan(0.05);
});

it.each([
  "soft light, blue neon",
  "soft blue neon glow",
  "weiches Licht, blaues Neon",
  "candlelight, blue neon",
  "soft light, neon blue light",
])("%s shines blue: no pale light hides it", (theme) => {
  const { lightKind, neon } = planOf(theme);
  expect(lightKind).toBe("neon");
  for (const tube of neon!) expect(tube.indexOf(Math.max(...tube))).toBe(2);
});

it("at sunset its color is one that no noun took", () => {
  const { light, neonColors, accents } = parseTheme("white studio, sunset, pink neon");
  expect({ light, neonColors, accents }).toEqual({ light: "sunset", neonColors: [], accents: [colors.get("pink")] });
});

it.each([
  ["bar with pink and blue neon", ["blue", "pink"]],
  ["cyberpunk city, red and blue neon", ["blue", "red"]],
  ["desk with neon pink and blue", ["pink", "blue"]],
  ["bar con neón rosa y azul", ["pink", "blue"]],
  ["néon rose et bleu", ["pink", "blue"]],
  ["Neonlicht in Blau", ["blue"]],
  ["neon in pink and blue", ["pink", "blue"]],
  ["blue and gold neon", ["blue"]],
  ["yellow and black neon gym", ["yellow"]],
  ["white wall and blue neon", ["blue"]],
  ["neon pink and blue wall", ["pink"]],
])("%s has tubes of its colors", (theme, names) => {
  expect(parseTheme(theme).neonColors).toEqual(names.map((name) => colors.get(name)));
});

it.each(["black neon", "gold neon", "blue neon wall", "pink and blue neon wall"])(
  "%s has no tube of a metal, of black, or of what is the wall's",
  (theme) => expect(parseTheme(theme).neonColors).toEqual([]),
);

it("a bright studio stays bright, and gold beside blue neon paints no wall", () => {
  expect(luminance(planOf("bright studio with blue neon").backdropColor)).toBeGreaterThan(0.5);
  expect(luminance(planOf("gold and blue neon").backdropColor)).toBeLessThan(0.05);
  expect(planOf("blue neon wall").backdropColor).toEqual(planOf("neon blue wall").backdropColor);
});
