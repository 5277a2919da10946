import { expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "../words/theme.ts";
import { groundReflectance, isWet } from "./ground-mirror.ts";

const planOf = (theme: string) => planScene(parseTheme(theme), theme, 7);

it.each(["neon street", "city street at night", "street in the rain", "wet cobblestone street after rain, evening"])(
  "a wet ground mirrors its product: %s",
  (theme) => {
    const plan = planOf(theme);
    expect(isWet(plan)).toBe(true);
    expect(groundReflectance(plan)).toBeGreaterThan(0.25);
  },
);

it.each(["cobblestone street, evening", "wet cobblestone street, noon"])(
  "by day and without rain it is not all wet: %s",
  (theme) => {
    expect(isWet(planOf(theme))).toBe(false);
  },
);

it("water in puddles mirrors less than a ground that is all wet, and a dry street hardly", () => {
  const dry = planOf("street");
  const puddled = groundReflectance({ ...dry, props: ["puddles"] });
  expect(puddled).toBeGreaterThan(2 * groundReflectance(dry));
  expect(puddled).toBeLessThan(groundReflectance(planOf("neon street")));
});

it("a stand on a wet street stays dry", () => {
  const onStreet = planOf("neon street");
  const stood = { ...onStreet, stand: "crate", surface: "wood" } as const;
  expect(groundReflectance(stood)).toBe(groundReflectance(planOf("wooden crate")));
});

it("a mirror in neon light mirrors as much as before", () => {
  const mirror = { ...planOf("studio"), surface: "mirror" } as const;
  expect(groundReflectance({ ...mirror, lightKind: "neon" })).toBe(groundReflectance(mirror));
});
