/** What a request avoids is painted nowhere: not by the place itself, not as its furnishing, and the place stays. */

import { describe, expect, it } from "vitest";
import { fitCamera } from "./canvas/camera.ts";
import { planScene } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { readAvoid } from "./words/avoid.ts";
import { type Language, listedWords, listedWordsOfAvoid } from "./words/languages.ts";
import { type AvoidedThing, avoidable, avoidedThings, avoidedWith, props, settings } from "./words/lexicon.ts";
import { furnishings, isLeftOut, type LeftOut, namedThings } from "./words/named-things.ts";
import { parseTheme } from "./words/theme.ts";

const camera = fitCamera(null, 120, 90, 1, 0.29);

/** Linear light of the scene, drawn with one seed for all. */
function lightOf(theme: string, without: ReadonlySet<LeftOut>): Float32Array {
  return renderScene(planScene(parseTheme(theme), "one text", 7, { without }), camera, null, undefined, []).light;
}

const differing = (a: Float32Array, b: Float32Array) =>
  a.reduce((count, value, i) => count + Number(Math.abs(value - b[i]!) > 0.02), 0) / a.length;

/** Things that painters add on their own, with a place that has each; the others are drawings and props. */
const paintedIn: readonly (readonly [AvoidedThing, string])[] = [
  ["lights", "gym"],
  ["lamps", "library"],
  ["plants", "greenhouse"],
  ["furniture", "playroom"],
  ["beds", "bedroom"],
  ["tables", "hotel lobby"],
  ["nightstands", "bedroom"],
  ["seats", "living room"],
  ["mirrors", "bathroom"],
  ["fireplaces", "fireplace"],
  ["fire", "fireplace"],
  ["windows", "loft"],
  ["curtains", "bedroom"],
  ["objects", "garage"],
  ["pictures", "gallery"],
  ["blackboards", "bakery"],
  ["bottles", "bar"],
  ["books", "library"],
  ["bread", "bakery"],
  ["candles", "fireplace"],
  ["cups", "cafe"],
  ["cups", "kitchen"],
  ["cups", "office"],
  ["gifts", "christmas"],
  ["screens", "office"],
  ["tools", "workshop"],
  ["towels", "bathroom"],
  ["toys", "playroom"],
  ["weights", "gym"],
  ["people", "stadium"],
  ["clouds", "sky"],
  ["patterns", "leaf shadows on a white wall"],
];

describe("painters", () => {
  it.each(paintedIn)("leave out %s in: %s", (thing, theme) => {
    const asked = new Set<unknown>();
    const without = new (class extends Set<LeftOut> {
      override has(one: LeftOut) {
        asked.add(one);
        return super.has(one);
      }
    })([thing]);
    expect(differing(lightOf(theme, new Set()), lightOf(theme, without))).toBeGreaterThan(0.001);
    expect(asked).toContain(thing);
  });

  it("ask for nothing else", () => {
    // Pumpkins are props and drawings only.
    const others: readonly AvoidedThing[] = ["pumpkins", "never"];
    expect(avoidedThings.filter((thing) => !paintedIn.some(([painted]) => painted === thing))).toEqual(others);
  });
});

it.each([
  ["Kinderzimmer", "Spielzeug"],
  ["salle de jeux", "jouets"],
  ["sala de juegos", "juguetes"],
  ["kinderkamer", "speelgoed"],
  ["pokój dziecięcy", "zabawki"],
])("%s without %s is one", (place, word) => {
  const { setting, notShown } = parseTheme(place, readAvoid(word));
  expect(setting?.decor).toBe(parseTheme(place).setting!.decor);
  expect(setting?.decor).toBeDefined();
  expect(notShown).toEqual([]);
});

/** A kitchen, from which the language of the word beside it may be seen. */
const kitchenIn: Readonly<Record<Language, string>> = {
  en: "kitchen",
  de: "Küche",
  fr: "cuisine",
  es: "cocina",
  it: "cucina",
  nl: "keuken",
  pl: "kuchnia",
};

/** All words of all languages for a thing that `avoid` may name. */
const wordsFor = Map.groupBy(
  [
    ...[...avoidable.keys()].map((word) => ["en", word, word] as const),
    // A word of `avoid` goes before the same one of themes.
    ...new Map([...listedWords(), ...listedWordsOfAvoid()].map((row) => [`${row[0]} ${row[1]}`, row])).values(),
  ],
  ([, , concept]) => avoidable.get(concept),
);

describe.each(avoidedThings)("every word for %s", (thing) => {
  const words = wordsFor.get(thing) ?? [];

  it("leaves it out", () => {
    const wrong = words.filter(([language, word]) => !readAvoid(word, kitchenIn[language]).things.has(thing));
    expect(wrong.map(([language, word]) => `${word} (${language})`)).toEqual([]);
  });

  it("is there in each language", () => {
    expect(new Set(words.map(([language]) => language))).toEqual(new Set(Object.keys(kitchenIn)));
  });

  const places = paintedIn.filter(([painted]) => painted === thing).map(([, place]) => place);
  it.each(places)("leaves the same of the place: %s", (place) => {
    const leftBy = (word: string, language: Language = "en") => {
      const { setting } = parseTheme(place, readAvoid(word, kitchenIn[language]));
      return { backdrop: setting?.backdrop, decor: setting?.decor };
    };
    // A word for the place itself takes it: a fireplace.
    const others = words.filter(([, , concept]) => concept !== place);
    const left = others.map(([language, word]) => ({ word, left: leftBy(word, language) }));
    expect(left).toEqual(left.map(({ word }) => ({ word, left: leftBy(others[0]![1]) })));
  });
});

it.each([
  ["Bäckerei", "Tafel", "blackboards", "tables"],
  ["keuken", "tafel", "tables", "blackboards"],
  ["Bar", "Weinflaschen", "bottles", "cups"],
  ["Kamin", "Teelichter", "candles", "lamps"],
  ["salle de bain", "serviettes", "towels", "objects"],
] as const)("beside %s, %s are %s and no %s", (theme, word, thing, other) => {
  const { things } = readAvoid(word, theme);
  expect(things).toContain(thing);
  expect(things).not.toContain(other);
});

it.each([
  ["kitchen", "stove"],
  ["spa", "towels"],
  ["salon", "mirror"],
  ["coffee shop", "coffee"],
])("a %s without %s is shown, and no word of it is named as missing", (theme, word) => {
  expect(parseTheme(theme, readAvoid(word)).notShown).toEqual([]);
});

it.each(["candle", "candles", "Kerzen", "bougies", "velas", "candele", "kaarsen", "świece"])(
  "a spa without %s has none",
  (word) => {
    const { things } = readAvoid(word);
    expect([...things]).toContain("candles");
  },
);

it.each(Object.entries(avoidedWith))("who avoids %s also avoids its kinds", (thing, kinds) => {
  const [word] = [...avoidable].find(([, called]) => called === thing)!;
  expect([...readAvoid(word).things]).toEqual(expect.arrayContaining([thing, ...kinds]));
});

/** Words for each drawing. */
const wordsOf = Map.groupBy(namedThings.keys(), (word) => namedThings.get(word)!.name);
const furnished = [...furnishings].flatMap(([place, things]) =>
  things.flatMap(({ name }) => wordsOf.get(name)!.map((word) => [place, word, name] as const)),
);

/** A library without books is a bare wall. */
const isWhole = (place: string, name: string) => place === "library" && name === "books";

it.each(furnished.filter(([place, word, name]) => place !== word && !isWhole(place, name)))(
  "a %s without %s is one, still",
  (place, word, name) => {
    const avoided = readAvoid(word);
    const { setting, things } = parseTheme(place, avoided);
    expect(things.map((thing) => thing.name)).not.toContain(name);
    expect(things.filter((thing) => isLeftOut(thing, avoided.things))).toEqual([]);
    expect(setting?.decor).toBe(settings.get(place)!.decor);
    expect(setting).toBeDefined();
  },
);

const ofPlaces = [...props].filter(([word]) => settings.has(word));
it.each(ofPlaces)("a %s without its %s is a place, still", (place, prop) => {
  const named = [...props].filter(([word, kind]) => kind === prop && !settings.has(word)).map(([word]) => word);
  for (const word of named) {
    const { setting, props: painted } = parseTheme(place, readAvoid(word));
    expect(painted).not.toContain(prop);
    expect(setting).toBeDefined();
  }
});

it.each([
  ["beach", "sea", "dunes"],
  ["Strand", "Meer", "dunes"],
  ["beach, dunes", "ocean", "dunes"],
  ["terrace santorini", "sea", "foliage"],
  ["lake", "water", "foliage"],
  ["fjord", "lake", "mountains"],
  ["winter", "snow", "hills"],
  ["bedroom", "bed", "interior"],
  ["Schlafzimmer", "Bett", "interior"],
  ["playroom", "toys", "interior"],
  ["café", "coffee", "interior"],
  ["bedroom", "table", "interior"],
  ["Schlafzimmer", "Tisch", "interior"],
])("%s without %s is before %s", (theme, avoid, backdrop) => {
  const avoided = readAvoid(avoid);
  expect(avoided.unrecognized).toEqual([]);
  const plan = planScene(parseTheme(theme, avoided), theme, 7, { without: avoided.things });
  expect(plan.backdrop).toBe(backdrop);
});

it("a view loses the sea that is avoided", () => {
  expect(parseTheme("hotel room overlooking the beach", readAvoid("sea")).view?.backdrop).toBe("dunes");
});

it.each([
  ["bed", "bed", ["bed"]],
  ["campfire", "fire", ["campfire"]],
  ["oak table with candles", "candles", ["candles"]],
  ["oak table", "candles", []],
])("of %s without %s is not shown: %s", (theme, avoid, notShown) => {
  expect(parseTheme(theme, readAvoid(avoid)).notShown).toEqual(notShown);
});
