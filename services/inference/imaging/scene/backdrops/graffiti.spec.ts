import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { nothingLaid } from "../from-above/flat-lay.ts";
import { notShown } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { lyingThings } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 240, 240, 1, 0.29);

function lightOf(theme: string, seed = 7): Float32Array {
  return renderScene(planScene(parseTheme(theme), "one text", seed), camera, null).light.slice();
}

/** How many points of the wall have each sixth of the circle of hues; gray ones are not counted. */
function huesOf(light: Float32Array): number[] {
  const counts = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < Math.floor(camera.horizonY) * camera.width; i++) {
    const [r, g, b] = light.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    const most = Math.max(r, g, b);
    const least = Math.min(r, g, b);
    if (most < 2 * least) continue;
    const turn =
      most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least);
    counts[Math.floor(turn + 6) % 6]!++;
  }
  return counts.map((count) => count / (camera.horizonY * camera.width));
}

it.each([7, 8, 9])("a graffiti wall is painted in many colors (seed %d)", (seed) => {
  const shares = huesOf(lightOf("urban street graffiti wall", seed));
  expect(shares.filter((share) => share > 0.01).length).toBeGreaterThanOrEqual(3);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThan(0.15);
});

it("another seed sprays another wall", () => {
  const one = lightOf("graffiti", 7);
  const other = lightOf("graffiti", 8);
  const differing = one.filter((value, i) => Math.abs(value - other[i]!) > 0.1).length;
  expect(differing / one.length).toBeGreaterThan(0.1);
});

it("a running track from above is its lanes: no ball lies on it, and only the stadium is missing", () => {
  const theme = parseTheme("running track stadium");
  const plan = planScene(theme, "one text", 7);
  expect(plan).toMatchObject({ floor: "asphalt", pattern: "lanes" });
  expect(lyingThings(plan.things, plan.decor)).toEqual([]);
  expect(notShown(theme, plan, "above", nothingLaid)).toEqual(["stadium"]);
  expect(lyingThings(parseTheme("stadium with a football").things, "stadium")).toHaveLength(1);
});
