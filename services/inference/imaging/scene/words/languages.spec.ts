import { describe, expect, it } from "vitest";
import { listedWords, normalizeWord, readTranslations } from "./languages.ts";
import { avoidable, colors, settings, stopWords, surfaces } from "./lexicon.ts";
import { stopWordRows } from "./lexicon-settings.ts";
import { synonyms } from "./synonyms.ts";
import { parseTheme } from "./theme.ts";
import { isLexiconWord, readThemeText } from "./theme-words.ts";

const formsOf = (text: string) => readThemeText(text).words.flatMap(({ form }) => (form === null ? [] : [form]));

/** English words that mean one of the lexicon, with a plural's ending or without. */
const isSynonym = (word: string) =>
  [word, word.replace(/s$/, ""), word.replace(/es$/, ""), word.replace(/ies$/, "y")].some((one) => synonyms.has(one));

/** Meanings of each listed word, in all languages. */
const concepts = new Map<string, Set<string>>();
for (const [, word, concept] of listedWords()) concepts.set(word, (concepts.get(word) ?? new Set()).add(concept));

describe("the tables of translations", () => {
  it("translate into words of the English lexicon", () => {
    const unknown = [...concepts.values()].flatMap((all) => [...all]).filter((one) => one !== "stop");
    expect(unknown.filter((concept) => !isLexiconWord(concept) && !avoidable.has(concept))).toEqual([]);
  });

  it("list words as they are compared: lower case, without accents", () => {
    expect([...concepts.keys()].filter((word) => normalizeWord(word) !== word)).toEqual([]);
  });

  it("list a word of a language once, because a second meaning would never be read", () => {
    expect(() => readTranslations("oak: eiche | chene\nwood: holz | chene bois")).toThrow(
      'translations: "chene" (fr) is "oak" before it is "wood"',
    );
    // Without its umlaut "schön" is "schon".
    expect(() => readTranslations("nice: schoen\nalready: schon")).toThrow(RangeError);
    expect(readTranslations("oak: eiche | chene\nsun: | chene_dore").get("fr")?.exact.size).toBe(2);
  });

  it("give the thing and not only its place, its light or its material", () => {
    expect(["Waschbecken", "lavabo", "Laterne", "grachtenpand", "Kronleuchter", "chalet, bois"].map(formsOf)).toEqual([
      ["sink"],
      ["sink"],
      ["lantern"],
      ["canalhouse"],
      ["chandelier"],
      ["logcabin", "wood"],
    ]);
  });

  it("have each stop word once, and none that means something", () => {
    const listed = stopWordRows.trim().split(/\s+/);
    expect(listed.filter((word, at) => listed.indexOf(word) < at || isLexiconWord(word))).toEqual([]);
  });

  it("have hundreds of words in each language", () => {
    const counts = Map.groupBy(listedWords(), ([language]) => language);
    expect([...counts.keys()]).toEqual(["de", "fr", "es", "it", "nl", "pl"]);
    for (const [language, words] of counts) expect(words.length, language).toBeGreaterThan(350);
  });

  it("give every word alone one of its listed meanings, or its English one", () => {
    const wrong = [...concepts].filter(([word, meant]) => {
      const [first] = readThemeText(word).words;
      const form = first?.form ?? (first?.isStop ? "stop" : "unknown");
      const isEnglish =
        isLexiconWord(word) ||
        isLexiconWord(word.replace(/s$/, "")) ||
        word.split(" ").some(isSynonym) ||
        [...meant].some((one) => avoidable.has(one)) ||
        word.split(" ").some((one) => isLexiconWord(one) || stopWords.has(one));
      return !meant.has(form) && !isEnglish;
    });
    expect(wrong.map(([word]) => word)).toEqual([]);
  });
});

describe("adjectives of seasons and feasts", () => {
  it.each([
    ["frühlingshafter Garten", "spring"],
    ["jardin printanier", "spring"],
    ["jardín primaveral", "spring"],
    ["giardini primaverili", "spring"],
    ["sommerliche Terrasse", "summer"],
    ["terraza veraniega", "summer"],
    ["forêt automnale", "autumn"],
    ["paisajes otoñales", "autumn"],
    ["boschi autunnali", "autumn"],
    ["herfstige tuin", "autumn"],
    ["winterliche Berge", "winter"],
    ["forêt hivernale", "winter"],
    ["bosque invernal", "winter"],
    ["winterse tuin", "winter"],
    ["mesa navideña", "christmas"],
    ["tavola natalizia", "christmas"],
    ["świąteczny stół", "christmas"],
    ["świąteczna kuchnia", "christmas"],
    ["österlicher Tisch", "easter"],
    ["mesa pascual", "easter"],
  ])("are read in every gender and number: %s is %s", (theme, meant) => {
    expect(formsOf(theme)).toContain(meant);
  });
});

describe("a theme in another language", () => {
  const wood = { surface: { kind: "wood" } };
  const concreteKitchen = { surface: { kind: "concrete" }, setting: settings.get("kitchen"), light: "sunset" };
  it.each([
    ["Küche aus Beton, Abendlicht", concreteKitchen],
    ["Kueche aus Beton am Abend", concreteKitchen],
    ["cuisine en béton, lumière du soir", concreteKitchen],
    ["cocina de hormigón, luz de atardecer", concreteKitchen],
    ["cucina in cemento, luce serale", concreteKitchen],
    ["keuken van beton, avondlicht", concreteKitchen],
    ["betonowa kuchnia, światło wieczorne", concreteKitchen],
    ["Holztisch", wood],
    ["table en bois", wood],
    ["mesa de madera", wood],
    ["tavolo di legno", wood],
    ["houten tafel", wood],
    ["drewniany stół", wood],
    ["Weißer Marmor, Badezimmer", { surface: { kind: "marble" }, setting: settings.get("bathroom") }],
    ["salle de bains en marbre", { surface: { kind: "marble" }, setting: settings.get("bathroom") }],
    ["na plaży o zachodzie słońca", { setting: settings.get("beach"), light: "sunset" }],
    ["playa al atardecer", { setting: settings.get("beach"), light: "sunset" }],
    ["plage au coucher du soleil", { setting: settings.get("beach"), light: "sunset" }],
    ["playa, puesta del sol", { setting: settings.get("beach"), light: "sunset" }],
    ["Weihnachtsmarkt im Schnee", { setting: settings.get("christmasmarket"), surface: { kind: "snow" } }],
    ["marché de Noël", { setting: settings.get("christmasmarket") }],
    ["bosco in autunno, luce dorata", { setting: { backdrop: "foliage", decor: "autumn", surface: { kind: "soil" } } }],
    ["terrazza con limoni", { setting: settings.get("terrace"), props: ["lemons"] }],
    ["Zitronenbaum, Terrasse", { setting: settings.get("terrace"), props: ["lemons"] }],
    ["citrons, marbre", { surface: { kind: "marble" }, props: ["lemons"] }],
    ["terraza con limones", { props: ["lemons"] }],
    ["citroenen", { props: ["lemons"] }],
    ["cytryny", { props: ["lemons"] }],
    ["industrieel", { setting: settings.get("industrial") }],
    ["palmbomen aan zee", { setting: settings.get("sea"), props: ["palms"] }],
    ["houten plank", { stand: "shelf", surface: { kind: "wood" } }],
    ["Weihnachten, Kerzenlicht", { setting: settings.get("christmas"), light: "candle" }],
  ])("%s", (text, expected) => {
    const theme = parseTheme(text);
    expect(theme).toMatchObject(expected);
    expect(theme.unrecognized).toEqual([]);
  });

  it("splits compounds of German and Dutch", () => {
    expect(formsOf("Betonküche")).toEqual(["concrete", "kitchen"]);
    expect(formsOf("Eichenholztisch")).toEqual(["oak"]);
    expect(formsOf("Sandstrand")).toEqual(["sand", "beach"]);
    expect(formsOf("donkergroene muur")).toEqual(["dark", "green", "wall"]);
    expect(formsOf("Landhausküche")).toEqual(["kitchen"]);
    expect(formsOf("Herbstwald")).toEqual(["autumn", "forest"]);
    expect(formsOf("Traumküche in Blau")).toEqual(["kitchen", "blue"]);
    expect(parseTheme("Betonküche").recognized).toEqual(["betonküche"]);
  });

  it("knows a color in every language, before its noun or behind it", () => {
    const themes = ["grüne Wand", "mur vert", "pared verde", "parete verde", "groene muur", "zielona ściana"];
    for (const text of themes) {
      expect(parseTheme(text), text).toMatchObject({
        setting: settings.get("wall"),
        settingColor: colors.get("green"),
        accents: [],
      });
    }
    expect(parseTheme("mármol negro, pared azul")).toMatchObject({
      surfaceColor: colors.get("black"),
      settingColor: colors.get("blue"),
    });
    expect(parseTheme("bleu clair").accents).toEqual(parseTheme("light blue").accents);
  });

  it("knows a wall by its material", () => {
    for (const text of [
      "wall of red brick",
      "mur en brique rouge",
      "pared de ladrillo rojo",
      "Wand aus rotem Backstein",
    ]) {
      expect(parseTheme(text), text).toMatchObject({
        setting: { backdrop: "tiled-wall" },
        settingColor: colors.get("red"),
      });
      expect(parseTheme(text).surface, text).toBeUndefined();
    }
  });

  it("decides a word of two languages by the others, else by the order of the languages", () => {
    expect(formsOf("marbre et or")).toEqual(["marble", "gold"]);
    expect(formsOf("white or gray studio")).toEqual(["white", "gray", "studio"]);
    expect(formsOf("playa, arena fina")).toEqual(["beach", "sand"]);
    expect(formsOf("arena at night")).toEqual(["arena", "night"]);
    expect(formsOf("table de nuit, lit")).toEqual(["nightstand", "bed"]);
    expect(formsOf("studio lit from the left")).toEqual(["studio"]);
    expect(formsOf("a bad photo")).toEqual([]);
    expect(formsOf("helles Bad")).toEqual(["light", "bathroom"]);
    expect(parseTheme("mesa de acero").surface).toEqual(surfaces.get("steel"));
    expect(parseTheme("acero in cucina, tavolo").surface).toEqual(surfaces.get("maple"));
  });
});

it.each([
  ["weiche Schatten auf beigem Grund", { light: "soft", setting: { backdrop: "sweep" }, settingColor: "#dccbb2" }],
  ["ombre de feuilles de palmier sur fond beige", { light: "dappled", props: [], settingColor: "#dccbb2" }],
  ["sombra de persiana en pared blanca", { light: "blinds" }],
  ["bouquet pour la fête des mères", { things: [{ name: "vase" }] }],
  ["chalet de montagne sous la neige", { setting: { backdrop: "snowfield" }, things: [{ name: "log-cabin" }] }],
  ["marmurowy blat w łazience", { setting: { decor: "bathroom" }, surface: { kind: "marble" } }],
  ["Eiswürfel auf hellblauem Grund", { setting: { backdrop: "sweep" }, things: [{ name: "ice-cubes" }] }],
  ["gouttes d'eau sur fond bleu", { props: ["drops"], setting: { backdrop: "sweep" } }],
  ["tulpenveld met molen op de achtergrond", { setting: { backdrop: "hills" } }],
  ["kaasplank met druiven", { things: [{ name: "cheese" }, { name: "grapes" }] }],
  ["azulejos en la cocina", { setting: { decor: "painted-tiles" }, notShown: [] }],
  ["tennis club, clay court", { setting: { backdrop: "foliage" }, notShown: [] }],
  ["Greek island terrace", { setting: { decor: "terrace" }, things: [{ name: "santorini" }] }],
  ["Tuscan villa", { setting: { backdrop: "hills" }, things: [{ name: "villa" }] }],
  ["a cabin in the woods", { setting: { backdrop: "foliage" }, things: [{ name: "log-cabin" }] }],
  ["nursery, clouds", { setting: { decor: "nursery" }, view: { backdrop: "sky" } }],
  ["50er Jahre Küche", { setting: { decor: "kitchen" }, unrecognized: [] }],
  ["game night snack table", { setting: { decor: "living-room" } }],
  ["skateboard park", { setting: { decor: "skatepark" }, things: [{ name: "skateboard" }] }],
  ["origami cranes", { things: [{ name: "paper-plane" }] }],
  [
    "sypialnia, lampka nocna",
    { setting: { decor: "bedroom" }, things: [{ name: "lamp" }], recognized: ["sypialnia", "lampka nocna"] },
  ],
  ["patio con azulejos", { surface: { kind: "tile" }, pattern: "painted" }],
])("%s: a phrase is not its words", (text, found) => expect(parseTheme(text)).toMatchObject(found));

it.each(["hudvård på sten vid havet", "kaffe på et træbord", "stearinlys på et bord", "șampon în baie"])(
  "a text with letters of none of the languages has no short words of theirs: %s",
  (text) => expect(parseTheme(text).recognized).toEqual([]),
);

it.each([
  ["RØDE Mikrofon auf Holztisch im Büro", { setting: { decor: "desk" }, unrecognized: ["røde", "mikrofon"] }],
  ["bougie Bjørn sur marbre, salle de bain", { setting: { decor: "bathroom" }, surface: { kind: "marble" } }],
  ["świeca Bjørk na drewnie", { surface: { kind: "wood" }, unrecognized: ["bjørk"] }],
  ["Kerze auf Holz, Øresund", { surface: { kind: "wood" }, unrecognized: ["øresund"] }],
  ["vela Ørsted sobre mesa de madera", { surface: { kind: "wood" }, unrecognized: ["ørsted"] }],
  ["kerze auf holz, øresund", { surface: { kind: "wood" }, unrecognized: ["øresund"] }],
  ["smørrebrød sur planche en bois", { stand: "board", unrecognized: ["smørrebrød"] }],
  ["bougie bjørn sur marbre, salle de bain", { setting: { decor: "bathroom" }, unrecognized: ["bjørn"] }],
])("a brand's or a town's letters turn no language off: %s", (text, found) =>
  expect(parseTheme(text)).toMatchObject(found),
);

it.each([
  ["Kaffeetasse am Fenster, Regen draußen", "window-sill"],
  ["kubek przy oknie, na zewnątrz deszcz", "window-sill"],
  ["tazza alla finestra, pioggia all'aperto", "window-sill"],
  ["Terrasse draußen", "terrace"],
])("%s: at a window the product is inside", (text, decor) => expect(parseTheme(text).setting?.decor).toBe(decor));

it.each([
  ["jouet en bois, chambre d'enfant", { setting: { decor: "playroom" } }],
  ["quai de Seine", { setting: { backdrop: "sea", decor: "lake" }, things: [] }],
  ["quai de gare", { setting: { decor: "station" } }],
  ["Samtfalten", { surface: { kind: "velvet" }, pattern: "folds" }],
  ["plis de velours", { surface: { kind: "velvet" }, pattern: "folds" }],
  ["pliegues de seda", { surface: { kind: "silk" }, pattern: "folds" }],
  ["red velvet folds in background", { surface: { kind: "velvet" }, pattern: "folds" }],
  ["urban jungle living room", { setting: { decor: "living-room" }, props: ["plants"] }],
])("%s: shops' words for a place or a cloth are read", (text, found) => {
  const theme = parseTheme(text);
  expect(theme).toMatchObject(found);
  expect([theme.notShown, theme.unrecognized]).toEqual([[], []]);
});
