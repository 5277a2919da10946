import { expect, it } from "vitest";
import { fromHex, luminance } from "../canvas/color.ts";
import { colors } from "../words/lexicon.ts";
import { parseTheme } from "../words/theme.ts";
import { planScene } from "./scene-plan.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), theme, 7);
const groundOf = (theme: string) => luminance(planOf(theme).surfaceColor);

it("darkens a ground by its tone, but never so far that a shadow would not be seen on it", () => {
  expect(groundOf("dark oak")).toBeLessThan(0.5 * groundOf("oak"));
  for (const dark of ["dark slate", "dark walnut", "dark leather"]) expect(groundOf(dark), dark).toBeGreaterThan(0.025);
});

it("puts palms on a beach that names them, and on islands", () => {
  expect(planOf("beach, palms").decor).toBe("palms");
  expect(planOf("tropical island").decor).toBe("palms");
  expect(planOf("beach").decor).toBeNull();
});

it("hangs silk behind what stands on it, which is no place yet", () => {
  expect(planOf("pink silk")).toMatchObject({ decor: "cloth-wall", isPlace: false, surface: "silk" });
  expect(planOf("silk in a bedroom")).toMatchObject({ decor: "bedroom", isPlace: true });
  for (const theme of ["velvet backdrop", "cloth wall", "marble wall", "green tiles, oak counter", "kitchen"])
    expect(planOf(theme).isPlace, theme).toBe(true);
});

it.each([
  "basketball court",
  "beach with grass",
  "winter cabin window with snow",
  "restaurant with herringbone floor",
  "draped background",
])("takes %s for a place, whose own ground it names", (theme) => expect(planOf(theme).isPlace).toBe(true));

it("lets grass grow behind a beach's sand, and a tent stand on grass", () => {
  expect(planOf("beach with grass")).toMatchObject({ floor: "sand", decor: "dunes" });
  expect(planOf("tent by a lake").floor).toBe("grass");
});

it("lets a wall's color change to the second one that a theme names, or to a paler one", () => {
  const blue = planOf("blue to purple gradient");
  expect(blue.gradientColor![0]).toBeGreaterThan(blue.backdropColor[0]);
  expect(luminance(planOf("lilac gradient").gradientColor!)).toBeGreaterThan(
    luminance(planOf("lilac gradient").backdropColor),
  );
  expect(planOf("lilac background").gradientColor).toBeNull();
});

it("sets splashing water before a studio's wall, and water alone in the sea", () => {
  expect(planOf("water splash").backdrop).toBe("sweep");
  expect(planOf("water").backdrop).toBe("sea");
});

it("has dark paper in a dark studio, which gold does not paint", () => {
  for (const dark of ["dark moody background", "dark background with gold", "dunkler Hintergrund", "fond sombre"])
    expect(luminance(planOf(dark).backdropColor), dark).toBeLessThan(0.12);
  expect(luminance(planOf("light background").backdropColor)).toBeGreaterThan(0.7);
  expect(planOf("dark background with gold").hasAccentLights).toBe(true);
});

it("leaves a wall of a material its color beside things of another one", () => {
  for (const wall of ["terracotta wall", "concrete wall"])
    expect(planOf(`${wall}, blue`).backdropColor, wall).toEqual(planOf(wall).backdropColor);
  expect(planOf("bathroom, blue").backdropColor).not.toEqual(planOf("bathroom").backdropColor);
});

it.each([
  ["pastel geometric shapes, pink and mint, studio", "pink", "mint"],
  ["geometric shapes, orange and blue, studio", "orange", "blue"],
])("%s: shapes have the color that their wall leaves", (text, first, second) => {
  const { pieceColors, backdropColor } = planOf(text);
  const alone = (color: string) => planOf(`${text.split(",")[0]}, ${color} studio`).backdropColor;
  expect(backdropColor).toEqual(alone(second));
  expect(pieceColors[0]).toEqual(fromHex(colors.get(first)!));
});
