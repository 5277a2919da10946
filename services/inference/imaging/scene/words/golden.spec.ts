import { describe, expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "./theme.ts";

describe("golden leaf", () => {
  it.each([
    "golden leaf in a forest",
    "golden leaf in autumn",
    "gold leaf, autumn forest",
    "feuille dorée dans la forêt",
    "feuilles d'or en automne",
    "foglie d'oro nel bosco",
    "goldene Blätter im Wald",
  ])("is a plant's where leaves turn golden: %s", (theme) => {
    const { surface, props, light } = parseTheme(theme);
    expect({ surface, props, light }).toEqual({ surface: undefined, props: ["plants"], light: "golden" });
  });

  it.each(["golden leaf", "gold leaf texture", "Blattgold", "Blattgold im Wald", "feuille d'or", "pan de oro"])(
    "is of gold elsewhere, and where its word means nothing else: %s",
    (theme) => {
      const { pattern, notShown, unrecognized } = parseTheme(theme);
      expect({ pattern, notShown, unrecognized }).toEqual({ pattern: "leaf", notShown: [], unrecognized: [] });
    },
  );

  it("is on the wall behind oak and black marble, which are no trees", () => {
    for (const theme of ["gold leaf on oak", "gold leaf and black marble", "gold leaf, black marble"])
      expect(parseTheme(theme).setting?.decor, theme).toBe("leaf-wall");
  });

  it("is no sky", () => {
    const theme = "golden leaves on black";
    expect(planScene(parseTheme(theme), theme, 7).backdrop).toBe("wall");
  });
});

it.each(["marble texture", "Marmor Textur", "textura de mármol", "tekstura marmuru"])(
  "a material's texture is the material: %s",
  (theme) => {
    const { surface, unrecognized } = parseTheme(theme);
    expect([surface?.kind, unrecognized]).toEqual(["marble", []]);
  },
);

it.each([
  "gold leaf background, tropical leaves",
  "gold leaf podium in forest",
  "gold leaf by a pool",
  "gold leaf table, garden",
  "sfondo foglia d'oro con fiori",
  "fond feuille d'or, jardin",
])("gold leaf of a noun is no plant's, whatever grows there: %s", (theme) => {
  expect(planScene(parseTheme(theme), theme, 7).pattern).toBe("leaf");
});

it("gold leaf of a wall is on it, beside a palm", () => {
  expect(parseTheme("gold leaf wall with palm tree").setting?.decor).toBe("leaf-wall");
});

it("gold leaf of an unknown noun is told among trees", () => {
  expect(parseTheme("gold leaf tea, forest")).toMatchObject({ notShown: ["gold leaf"], props: [] });
});
