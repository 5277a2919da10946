/** Products, parts of rooms and moods whose words are close to a place's or a material's, and which must not become one. */

import { describe, expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "./theme.ts";

const planOf = (text: string) => planScene(parseTheme(text), text, 7);

describe("a product's name is no place", () => {
  it.each([
    "air jordan sneakers, white background",
    "landing page hero, plain beige",
    "canteen water bottle on rock",
    "bahamas perfume on a rock",
    "texas hot sauce, white background",
    "wingback chair cover on marble",
    "whirlpool filter, white background",
    "jacuzzi filter, witte achtergrond",
    "car wash soap, white background",
    "cove lighting",
    "squash bottle on white marble",
    "bolso puesto, fondo blanco",
    "bague en or massif sur marbre",
    "repas pour chien, fond blanc",
    "comida para perros, fondo blanco",
    "entrada blanca, fondo blanco",
    "dakkoffer, witte achtergrond",
    "suknia ślubna, białe tło",
    "bufet biały, białe tło",
    "dolci sfumature rosa",
    "Whirlpool Reiniger, weißer Hintergrund",
    "Boxspringbett, weißer Hintergrund",
    "Uhrmacher Lupe, weißer Hintergrund",
    "edredón blanco, fondo blanco",
  ])("%s", (text) => expect(["sweep", "wall"]).toContain(planOf(text).backdrop));
});

describe("a place's word before a product leaves the place that is named", () => {
  it.each([
    ["italy leather bag on a marble countertop", "kitchen"],
    ["ibiza candle on a marble countertop", "kitchen"],
    ["vietnam coffee in a cafe", "cafe"],
    ["ceiling cove light, modern bedroom", "bedroom"],
    ["cuarto de niños", "playroom"],
    ["esquina del salón", "living-room"],
    ["corso di cucina", "kitchen"],
    ["rayon de supermarché", "supermarket"],
    ["drawers in a bedroom", "bedroom"],
    ["chest of drawers in a nursery", "nursery"],
    ["boutique hotel room", "bedroom"],
    ["st patrick's day pub", "bar"],
    ["california kitchen", "kitchen"],
    ["shower gel in a bathroom", "bathroom"],
  ])("%s: %s", (text, decor) => expect(planOf(text).decor).toBe(decor));

  it.each([
    ["camera con vista mare", "sea"],
    ["shed in a garden", "foliage"],
    ["Schuppen im Garten", "foliage"],
    ["laan met bomen", "foliage"],
    ["avenue of trees", "foliage"],
    ["wales coast", "sea"],
    ["miami beach art deco hotels, palm trees", "sea"],
    ["wolkenloser Himmel", "sky"],
    ["cielo despejado", "sky"],
    ["ciel dégagé", "sky"],
    ["nightclub with strobe lights", "skyline"],
  ])("%s: %s", (text, backdrop) => expect(planOf(text).backdrop).toBe(backdrop));
});

it.each([
  ["maglione azzurro, sfondo bianco", "plain"],
  ["jersey azul, fondo blanco", "plain"],
  ["table runner on oak table", "wood"],
  ["suede boots on autumn leaves", "soil"],
  ["faux leather jacket on a marble countertop", "marble"],
  ["brick facade", "tile"],
  ["regnerische Straße in Berlin bei Nacht", "asphalt"],
  ["letto in ferro battuto", "fabric"],
  ["red can on white marble", "marble"],
])("clothes and frames are no ground: %s stands on %s", (text, kind) => expect(planOf(text).surface).toBe(kind));

it.each([
  ["capri kitchen", "capri"],
  ["arizona kitchen", "arizona"],
  ["maldives villa bedroom", "maldives"],
  ["jungle bedroom", "jungle"],
  ["jungle themed nursery", "jungle"],
  ["japanese kitchen", "japanese"],
  ["kyoto restaurant", "kyoto"],
  ["hawaiian bedroom", "hawaiian"],
  ["shower gel on wet tiles", "shower"],
  ["meteor shower night sky", "shower"],
  ["straat in Berlin", "berlin"],
])("a region beside another place is told: %s", (text, told) =>
  expect(parseTheme(text).notShown.map((word) => word.toLowerCase())).toContain(told),
);

it.each(["hawaii", "jungle", "marrakech", "kyoto", "arizona"])("and is there alone: %s", (text) =>
  expect(parseTheme(text).notShown).toEqual([]),
);

it.each([
  "tinted lip balm on pink silk",
  "smoked salmon on slate",
  "intense red background",
  "magical forest at night",
  "laser printer on a desk",
  "flash drive on wood",
  "heat gun on concrete",
])("no mood or light is meant by a product: %s", (text) => {
  const { moods, light } = parseTheme(text);
  expect(moods.filter((mood) => ["dark", "moody", "pastel"].includes(mood))).toEqual([]);
  expect(["neon", "hard", "noon"]).not.toContain(light);
});

it.each([
  "mug on marble",
  "sketchbook on oak",
  "ceramic bowls on linen",
  "lego on concrete",
  "circular saw on concrete",
])("the product is drawn no second time: %s", (text) => {
  const { things, props } = planOf(text);
  expect([things, props]).toEqual([[], []]);
});
