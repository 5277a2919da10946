import { expect, it } from "vitest";
import { splitNegations } from "./avoid.ts";

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
  ["no palm trees beach", " beach", "palm trees"],
  ["no 5 beach", "no 5 beach", ""],
  ["Kimono table", "Kimono table", ""],
  ["no", "no", ""],
])("%j", (text, wanted, unwanted) => expect(splitNegations(text)).toEqual({ wanted, unwanted }));

it("takes long texts in linear time", () => {
  expect(splitNegations("no ".repeat(3_000)).unwanted).toBe("");
});
