import { expect, it } from "vitest";
import { readAvoid, splitNegations, withoutAvoided } from "./avoid.ts";
import { settings } from "./lexicon.ts";
import { parseTheme } from "./theme.ts";

it.each([
  ["white studio, no shadows", "white studio, ", "shadows"],
  ["without plants in a kitchen", " in a kitchen", "plants"],
  ["Küche ohne Pflanzen, hell", "Küche , hell", "Pflanzen"],
  ["ohne Menschen im Wald", " im Wald", "Menschen"],
  ["Küche ohne Möbel vor einer Ziegelwand", "Küche  vor einer Ziegelwand", "Möbel"],
  ["sans personne au bord de la mer", " au bord de la mer", "personne"],
  ["salon sans lampe ni livres", "salon ", "lampe ni livres"],
  ["playa sin gente al atardecer", "playa  al atardecer", "gente"],
  ["senza piante nel bosco", " nel bosco", "piante"],
  ["keuken zonder planten en lampen", "keuken ", "planten en lampen"],
  ["bez ludzi nad morzem", " nad morzem", "ludzi"],
  ["no people, no text, oak table", ", , oak table", "people, text"],
  ["street with no cars by night", "street with  by night", "cars"],
  ["no red flowers and plants white kitchen", " white kitchen", "red flowers and plants"],
  ["no plants, flowers or lamps, white kitchen", ", white kitchen", "plants, flowers or lamps"],
  ["kitchen, no lamps, red flowers or books in the window", "kitchen,  in the window", "lamps, red flowers or books"],
  ["ohne Pflanzen, Blumen und Lampen, helles Bad", ", helles Bad", "Pflanzen, Blumen und Lampen"],
  ["salle de bain sans plantes, fleurs ni bougies", "salle de bain ", "plantes, fleurs ni bougies"],
  ["keuken zonder planten, kaarsen en boeken", "keuken ", "planten, kaarsen en boeken"],
  ["no people, flowers and candles", ", flowers and candles", "people"],
  ["no people, white kitchen and oak table", ", white kitchen and oak table", "people"],
  ["kitchen but not white", "kitchen ", "white"],
  ["Küche, nicht weiß", "Küche, ", "weiß"],
  ["beach, no people, palms and sunset", "beach, , palms and sunset", "people"],
  ["living room, no clutter, plants and candles", "living room, , plants and candles", "clutter"],
  ["marble, no shadows, soft light and pink", "marble, , soft light and pink", "shadows"],
  ["studio no shadows, pink and gold", "studio , pink and gold", "shadows"],
  ["Strand ohne Menschen, Palmen und Muscheln", "Strand , Palmen und Muscheln", "Menschen"],
  ["cuisine sans personnes, citrons et fleurs", "cuisine , citrons et fleurs", "personnes"],
  ["cuisine sans fleurs, marbre blanc ou bois", "cuisine , marbre blanc ou bois", "fleurs"],
  ["beach, no people, sunset or dusk", "beach, , sunset or dusk", "people"],
  ["bez roślin, kwiatów i lamp, jasna kuchnia", ", jasna kuchnia", "roślin, kwiatów i lamp"],
  ["no text, beach or sea", ", beach or sea", "text"],
  ["keine Pflanzen, Bücher oder Kissen, graues Sofa", ", graues Sofa", "Pflanzen, Bücher oder Kissen"],
  ["kitchen, no fruit, bottles or towels, morning", "kitchen, , morning", "fruit, bottles or towels"],
  ["living room without lamps, rugs or blankets, evening", "living room , evening", "lamps, rugs or blankets"],
  ["no palm trees beach", " beach", "palm trees"],
  ["kitchen without a kitchen table", "kitchen ", "a kitchen table"],
  ["garden without garden furniture, sunny", "garden , sunny", "garden furniture"],
  ["no kitchen white studio", " white studio", "kitchen"],
  ["no 5 beach", "no 5 beach", ""],
  ["Kimono table", "Kimono table", ""],
  ["no", "no", ""],
])("%j", (text, wanted, unwanted) => expect(splitNegations(text)).toEqual({ wanted, unwanted }));

it("takes long texts in linear time", () => {
  expect(splitNegations("no ".repeat(3_000)).unwanted).toBe("");
});

it.each(["plantes, fleurs ni lampes", "plantas ni flores", "Pflanzen und Lampen"])(
  "knows the words between what %s avoids",
  (text) => expect(readAvoid(text).unrecognized).toEqual([]),
);

it.each([
  ["kitchen", "books", "shelves"],
  ["kitchen", "clutter", "wall"],
  ["library", "books", "wall"],
])("a %s without %s is before a %s", (place, unwanted, backdrop) => {
  expect(withoutAvoided(settings.get(place)!, readAvoid(unwanted)).backdrop).toBe(backdrop);
});

it("a bed without cushions is one of linen, still", () => {
  const bedroom = settings.get("bedroom")!;
  expect(withoutAvoided(bedroom, readAvoid("cushions and blankets")).surface).toEqual(bedroom.surface);
  expect(withoutAvoided(bedroom, readAvoid("fabric")).surface.kind).toBe("plain");
});

it.each([
  ["kitchen", "kitchen table", "tables"],
  ["Garten", "Gartenstühle", "seats"],
  ["cocina", "mesa de cocina", "tables"],
  ["office", "office desk", "tables"],
  ["beach", "people on the beach", "people"],
  ["city", "city lights", "lights"],
  ["christmas", "christmas tree", "plants"],
  ["Weihnachten", "Weihnachtsbaum", "plants"],
  ["Noël", "sapin de Noël", "plants"],
  ["Boże Narodzenie", "choinka", "plants"],
] as const)("a %s without its %s is one", (place, avoid, thing) => {
  const avoided = readAvoid(avoid, place);
  expect([...avoided.things]).toContain(thing);
  const { setting, notShown } = parseTheme(place, avoided);
  expect({ decor: setting?.decor, backdrop: setting?.backdrop, notShown }).toEqual({
    decor: parseTheme(place).setting!.decor,
    backdrop: parseTheme(place).setting!.backdrop,
    notShown: [],
  });
});

it.each([
  "white flowers",
  "white and red flowers",
  "red or white flowers",
  "white, red or pink flowers",
  "weiße und rote Blumen",
])("a white kitchen without %s is white", (avoid) => {
  const { settingColor, notShown } = parseTheme("white kitchen", readAvoid(avoid, "white kitchen"));
  expect({ settingColor, notShown }).toEqual({ settingColor: parseTheme("white kitchen").settingColor, notShown: [] });
});

it("a kitchen without kitchen or garden chairs is one", () =>
  expect(parseTheme("kitchen", readAvoid("kitchen or garden chairs")).setting).toBeDefined());

it.each([
  ["kitchen, flowers", "kitchen"],
  ["flowers and kitchen", "kitchen"],
  ["white and flowers", "white"],
  ["white, red flowers", "white"],
  ["white and red", "white"],
  ["red wall", "red"],
  ["white", "white"],
])("what is no thing's goes: %s", (avoid, word) => expect([...readAvoid(avoid).forms]).toContain(word));
