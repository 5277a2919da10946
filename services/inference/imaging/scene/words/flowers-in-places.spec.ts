/** Flowers that a theme names before a place are cut, or in bloom there, and are no field of their own. */

import { expect, it } from "vitest";
import { parseTheme } from "./theme.ts";

const placeOf = (theme: string) => {
  const { setting, things } = parseTheme(theme);
  return [setting?.backdrop, setting?.decor, things.some(({ place }) => place === "flower")];
};

it.each([
  ["flowers in a living room", "living-room"],
  ["flowers, kitchen", "kitchen"],
  ["Blumen im Wohnzimmer", "living-room"],
  ["fleurs, salle de bain blanche", "bathroom"],
  ["flores en el salón", "living-room"],
  ["fiori in cucina", "kitchen"],
  ["bloemen in de badkamer", "bathroom"],
  ["kwiaty w salonie", "living-room"],
  ["perfume con flores de azahar, patio andaluz", "terrace"],
])("they are in that place: %s", (theme, decor) => {
  expect(placeOf(theme).slice(1)).toEqual([decor, true]);
  expect(parseTheme(theme).notShown.filter((word) => word !== "andaluz")).toEqual([]);
});

it.each([
  ["flowers, pink background", "sweep"],
  ["Blumen, rosa Hintergrund", "sweep"],
  ["fleurs sur fond rose", "sweep"],
  ["pink flowers, white wall", "wall"],
])("they stand before a bare backdrop: %s", (theme, backdrop) => {
  expect(placeOf(theme)).toEqual([backdrop, undefined, true]);
});

it.each(["flower field", "flowers, meadow", "spring flowers, garden", "flower wall", "flower background", "flowers"])(
  "they are the place: %s",
  (theme) => expect(placeOf(theme).slice(0, 2)).toEqual(["foliage", "flowers"]),
);

it.each(["flowers by the sea", "Blumen am Meer", "roses on a beach"])("none grow in the surf: %s", (theme) => {
  const { setting, things, notShown } = parseTheme(theme);
  expect([setting?.backdrop, things, notShown.length]).toEqual(["sea", [], 1]);
});

it.each([
  ["roses on white marble", "rose"],
  ["marble table with white flowers", "peony"],
  ["mesa de mármol con flores blancas", "peony"],
  ["table en marbre avec fleurs", "peony"],
  ["velvet and flowers", "peony"],
])("none grow on polished stone and cloth: %s", (theme, name) => {
  const { setting, things } = parseTheme(theme);
  expect([setting, things.map((thing) => thing.name)]).toEqual([undefined, [name]]);
});

it("a market of flowers sells them, and blossoms leave their river alone", () => {
  expect(parseTheme("flower market, florist").setting?.decor).toBe("flower-shop");
  expect(placeOf("cherry blossom, river").slice(0, 2)).toEqual(["sea", "lake"]);
});
