import { expect, it } from "vitest";
import { luminance } from "./color.ts";
import { planScene } from "./scene-plan.ts";
import { parseTheme } from "./words/theme.ts";

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

it("lets grass grow behind a beach's sand, and a tent stand on grass", () => {
  expect(planOf("beach with grass")).toMatchObject({ floor: "sand", decor: "dunes" });
  expect(planOf("tent by a lake").floor).toBe("grass");
});
