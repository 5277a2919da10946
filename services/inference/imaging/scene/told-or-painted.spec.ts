/**
 * What is recognized is painted or told: without one of its words a theme has another plan, or what the word means is there by another
 * one, or `notShown` or `unrecognized` tells it.
 */

import { expect, it } from "vitest";
import { notShown } from "./not-shown.ts";
import { planScene, type ScenePlan } from "./plan/scene-plan.ts";
import { hintedWords, lights, ownPlaceWords, patterns, props, settings, stands, surfaces } from "./words/lexicon.ts";
import { namedThings } from "./words/named-things.ts";
import { parseTheme, type Theme } from "./words/theme.ts";
import { readThemeText } from "./words/theme-words.ts";

const text = "one text";
const laid = {
  drawings: new Set<string>(),
  props: new Set<never>(),
  items: new Set<string>(),
  tellsPlace: false,
  hasOwnOfPlace: false,
};

/** What is painted from the theme. The seed is one, whatever its words are. */
const planOf = (theme: Theme, recognized: readonly string[]) => planScene({ ...theme, recognized }, text, 7);

const paintedFrom = (plan: ScenePlan) =>
  JSON.stringify(plan, (key, value: unknown) =>
    value instanceof Set ? [...value] : key === "words" ? undefined : value,
  );

/** Whether another word of the theme, or its place, brings what the word means. */
function isThereAnyway(form: string, plan: ScenePlan): boolean {
  const surface = surfaces.get(form)?.kind;
  const place = settings.get(form);
  const isPlaceThere =
    place !== undefined &&
    (place.decor === undefined
      ? place.backdrop === plan.backdrop
      : place.decor === plan.decor || place.decor === plan.view?.decor);
  const found = [
    surface !== undefined && (surface === plan.surface || surface === plan.floor),
    isPlaceThere,
    lights.get(form) === plan.lightKind,
    props.has(form) && plan.props.includes(props.get(form)!),
    stands.get(form) === plan.stand,
    patterns.get(form) === plan.pattern,
    plan.things.some(({ name }) => name === namedThings.get(form)?.name),
  ];
  return found.some(Boolean);
}

/** Words of the theme that change nothing, and of which nothing is said. */
function withoutEffect(theme: string): string[] {
  const words = readThemeText(theme).words.filter(({ form }) => form !== null);
  const whole = parseTheme(theme);
  const plan = planOf(whole, whole.recognized);
  const told = new Set([...notShown(whole, plan, "level", laid), ...whole.unrecognized]);
  const painted = paintedFrom(plan);
  return words
    .filter(({ word }) => !told.has(word))
    .filter(({ word }) => {
      const at = theme.toLowerCase().indexOf(word);
      const rest = theme.slice(0, at) + theme.slice(at + word.length);
      return paintedFrom(planOf(parseTheme(rest), whole.recognized)) === painted;
    })
    .filter(({ form }) => !isThereAnyway(form!, plan))
    .map(({ word }) => word);
}

const places =
  "kitchen, restaurant kitchen, bathroom, bedroom, living room, office, restaurant, cafe, bar, bakery, library, boutique, spa, gym, garage, loft, " +
  "hotel lobby, stairwell, classroom, greenhouse, garden, park, forest, meadow, beach, mountain, desert, city, business district, rooftop, old town, " +
  "pier, vineyard, museum, theater, warehouse, parking garage, subway, market hall, courtyard, townhouse, tunnel, quarry";
const materials = "oak, marble, steel, leather, linen, slate";
const hours = "at sunset, at night, at blue hour, in morning light, by candlelight, in neon light";
const listed = (words: string) => words.split(", ");

/** Why a word may change nothing. */
const allowed: ReadonlyMap<string, string> = new Map([["light", "it is the noun of what is before it: morning light"]]);

const faultsOf = (themes: readonly string[]) =>
  themes.flatMap((theme) =>
    withoutEffect(theme)
      .filter((word) => !allowed.has(word))
      .map((word) => `${theme}: ${word}`),
  );

it("a material in a place", () => {
  const themes = listed(places).flatMap((place) => listed(materials).map((material) => `${place}, ${material}`));
  expect(faultsOf(themes)).toEqual([]);
});

it("an hour in a place", () => {
  const themes = listed(places).flatMap((place) => listed(hours).map((hour) => `${place} ${hour}`));
  expect(faultsOf(themes)).toEqual([]);
});

it("a room of another place", () => {
  const rooms = listed("kitchen, bathroom, bedroom, office, library, cafe, restaurant, bar, lounge");
  // A restaurant's kitchen is two places already.
  const others = listed(places).filter((place) => place !== "restaurant kitchen");
  const themes = others.flatMap((place) => rooms.map((room) => `${place} ${room}`));
  expect(faultsOf(themes)).toEqual([]);
});

it("a place outdoors behind a room, a hotel's room, a season, a pavement", () => {
  const outdoors = listed("garden, beach, city, forest");
  const rooms = listed("bedroom, living room, office, restaurant, loft, bar, house, counter");
  const themes = rooms.flatMap((room) => outdoors.map((place) => `${room} ${place}`));
  const others = listed(
    "hotel bedroom, hotel bathroom, hotel bar, loft bedroom, industrial bathroom, christmas bedroom, spring kitchen, " +
      "pavement restaurant, windowsill bathroom, greek restaurant, gorpcore kitchen",
  );
  expect(faultsOf([...themes, ...others])).toEqual([]);
});

it("a thing in a place", () => {
  const things = listed("plants, candles, petals, books, a vase, a curtain, an arch");
  const themes = listed(places).flatMap((place) => things.map((thing) => `${place} with ${thing}`));
  expect(faultsOf(themes)).toEqual([]);
});

it("a place that is only hinted at is told", () => {
  const hinted = [...hintedWords].filter((word) => settings.has(word) && !ownPlaceWords.has(word));
  const silent = hinted.filter((word) => {
    const theme = parseTheme(word);
    // Paris has its tower, and a barber's its chair.
    return !namedThings.has(word) && !theme.notShown.includes(word);
  });
  expect(silent).toEqual([]);
});

it("a place with a thing of its own is told beside a room, and not alone", () => {
  expect(ownPlaceWords.size).toBeGreaterThan(10);
  const alone = [...ownPlaceWords].filter((word) => parseTheme(word).notShown.length > 0);
  const silent = [...ownPlaceWords].filter((word) => !parseTheme(`${word} bathroom`).notShown.includes(word));
  expect({ alone, silent }).toEqual({ alone: [], silent: [] });
});
