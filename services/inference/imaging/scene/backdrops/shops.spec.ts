import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { readAvoid } from "../words/avoid.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 200, 200, 1, 0.29);

function lightOf(theme: string, avoid = ""): Float32Array {
  const avoided = readAvoid(avoid);
  const plan = planScene(parseTheme(theme, avoided), "one text", 7, { without: avoided.things });
  return renderScene(plan, camera, null).light.slice();
}

/** The share of values above the ground's edge that differ so that it is seen. */
function differing(a: Float32Array, b: Float32Array): number {
  const above = a.subarray(0, 90 * camera.width * 3);
  return above.reduce((count, value, i) => count + Number(Math.abs(value - b[i]!) > 0.05), 0) / above.length;
}

it.each([
  ["supermarket", "objects"],
  ["ice cream parlor", "furniture"],
  ["ice cream parlor", "objects"],
  ["flower shop", "plants"],
  ["flower shop", "objects"],
  ["classroom", "blackboards"],
  ["classroom", "furniture"],
  ["meeting room", "furniture"],
  ["meeting room", "chairs"],
])("%s has what tells it, unless that is avoided: %s", (theme, avoid) => {
  expect(differing(lightOf(theme), lightOf(theme, avoid))).toBeGreaterThan(0.03);
});

it.each([
  ["ice-cream-parlor", ["ice cream parlour", "Eisdiele", "heladería", "gelateria", "ijssalon", "lodziarnia"]],
  [
    "flower-shop",
    ["flower shop", "Blumenladen", "fleuriste", "floristería", "fioraio", "bloemenwinkel", "kwiaciarnia"],
  ],
  ["classroom", ["classroom", "Klassenzimmer", "salle de classe", "aula", "klaslokaal", "klasa", "school desk"]],
  ["supermarket", ["supermarket", "Supermarkt", "supermarché", "supermercado", "supermercato"]],
  ["meeting-room", ["meeting room", "Konferenzraum", "salle de réunion", "sala riunioni", "vergaderruimte"]],
])("%s is known by name", (decor, themes) => {
  for (const theme of themes) expect(parseTheme(theme).setting, theme).toMatchObject({ decor });
});

it("a writer's desk has no screen", () => {
  expect(parseTheme("writer's desk").setting).toMatchObject({ decor: "library" });
  expect(parseTheme("desk").setting).toMatchObject({ decor: "desk" });
});
