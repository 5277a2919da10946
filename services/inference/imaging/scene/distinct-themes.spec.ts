import { namedThemes } from "@packshot/domain/edits/themes.ts";
import { expect, test } from "vitest";
import { fitCamera } from "./canvas/camera.ts";
import { planScene } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { toneMap } from "./tone-map.ts";
import { parseTheme } from "./words/theme.ts";

const others = `
children's playroom; classroom; coffee shop; restaurant; library, candle; fireplace; attic; sauna; greenhouse; art gallery
fashion runway; castle; wine cellar; laboratory; pharmacy, green; bakery; flower shop; subway; swimming; harbor, sunset
tropical island; santorini; river; jungle; autumn; spring blossom; christmas; halloween; valentine; easter; desert canyon
safari; vineyard; lavender field; glacier; galaxy; moon; blue sky; neon tokyo; rooftop, sunset; parking; golf
navy studio; red studio; mint studio; lilac studio; mustard wall; charcoal wall, birch; pink tiles; granite, window; white silk
leather; straw; copper tray, green marble; glass; gravel; mud; steps, coral; block, turquoise; toys, pastel
`;
const themes = [
  ...namedThemes.map(({ theme }) => theme),
  ...others
    .split(/[;\n]/)
    .map((theme) => theme.trim())
    .filter(Boolean),
];

const width = 72;
const height = 54;

/** A small picture of the scene, 0–255. */
function render(theme: string): Float32Array {
  const plan = planScene(parseTheme(theme), theme, 7);
  const camera = fitCamera(null, width, height, 1, 0.29);
  const { light } = renderScene(plan, camera, null);
  toneMap(light, plan, camera);
  return light;
}

/** Means of cells: across × down × RGB. */
function cells(picture: Float32Array, across: number, down: number): number[] {
  const sums = new Array<number>(across * down * 3).fill(0);
  const each = (width / across) * (height / down);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = Math.floor((y * down) / height) * across + Math.floor((x * across) / width);
      for (let c = 0; c < 3; c++) sums[cell * 3 + c]! += picture[(y * width + x) * 3 + c]! / each;
    }
  }
  return sums;
}

/** Perceptual hash: whether each cell is brighter than the one right of it. */
function brightnessHash(picture: Float32Array): boolean[] {
  const means = cells(picture, 9, 9);
  const gray = (i: number) => means[i * 3]! + 2 * means[i * 3 + 1]! + means[i * 3 + 2]!;
  return Array.from(
    { length: 72 },
    (_, i) => gray(Math.floor(i / 8) * 9 + (i % 8)) > gray(Math.floor(i / 8) * 9 + (i % 8) + 1),
  );
}

function difference(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
}

test("no two of a hundred themes look alike", () => {
  expect(themes).toHaveLength(100);
  const looks = themes.map((theme) => {
    const picture = render(theme);
    return { theme, hash: brightnessHash(picture), colors: cells(picture, 4, 3) };
  });
  const alike: string[] = [];
  for (const [i, a] of looks.entries()) {
    for (const b of looks.slice(i + 1)) {
      const bits = a.hash.filter((bit, at) => bit !== b.hash[at]).length;
      if (difference(a.colors, b.colors) < 6 && bits < 14) alike.push(`${a.theme} = ${b.theme}`);
    }
  }
  expect(alike).toEqual([]);
});

test("every word of them is known", () => {
  expect(themes.flatMap((theme) => parseTheme(theme).unrecognized)).toEqual([]);
});
