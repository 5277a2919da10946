import { expect, it } from "vitest";
import { splitNegations } from "./avoid.ts";

it.each([
  ["white studio, no shadows", "white studio, ", "shadows"],
  ["without plants in a kitchen", " in a kitchen", "plants"],
  ["Küche ohne Pflanzen, hell", "Küche , hell", "Pflanzen"],
  ["no people, no text, oak table", ", , oak table", "people text"],
  ["salon sans lampe ni livres", "salon ", "lampe ni livres"],
  ["Kimono table", "Kimono table", ""],
  ["notebook on a nova", "notebook on a nova", ""],
  ["no", "no", ""],
])("%j", (text, wanted, unwanted) => expect(splitNegations(text)).toEqual({ wanted, unwanted }));

it("takes long texts in linear time", () => {
  const text = "no ".repeat(3_000);
  expect(splitNegations(text).wanted.trim()).toBe("");
});
