import { expect, it } from "vitest";
import { parseTheme } from "../words/theme.ts";
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
