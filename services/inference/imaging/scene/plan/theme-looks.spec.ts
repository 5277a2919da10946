import { expect, it } from "vitest";
import { parseTheme } from "../words/theme.ts";
import { planScene } from "./scene-plan.ts";
import { patternOf } from "./theme-looks.ts";

it.each([
  ["rusty metal table", "rust"],
  ["dark rusty metal", "rust"],
  ["rust metal table", "rust"],
  ["white podium on rusty metal", "rust"],
  ["dark bronze table", null],
  ["dark copper table", null],
  ["moody bronze surface", null],
  ["bronze podium, dark", null],
  ["oak herringbone floor", "herringbone"],
])("%s: %s", (theme, pattern) => expect(patternOf(parseTheme(theme))).toBe(pattern));

it("colors a sky as its theme does, and clouds a gray one", () => {
  const horizonOf = (theme: string) => planScene(parseTheme(theme), theme, 7).lighting.horizon;
  const [red, green] = horizonOf("pink sky");
  expect(red).toBeGreaterThan(1.2 * green);
  expect(horizonOf("ciel rose")[0]).toBeGreaterThan(1.2 * horizonOf("ciel rose")[1]);
  expect(horizonOf("gray sky")).toEqual(horizonOf("overcast sky"));
});

it.each([
  ["street", "town"],
  ["city street, morning light", "town"],
  ["calle, sol", "town"],
  ["rainy street", "town"],
  ["street at night", null],
  ["street, neon", null],
  ["street, skyscrapers", null],
  ["city skyline", null],
])("a street has houses at both sides by day, and its lights at night: %s", (text, decor) => {
  expect(planScene(parseTheme(text), text, 7).decor).toBe(decor);
});
