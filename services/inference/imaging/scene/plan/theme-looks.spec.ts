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
