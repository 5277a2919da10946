import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { fromHex } from "../canvas/color.ts";
import { createNoise } from "../canvas/noise.ts";
import { type Pattern, type SurfaceKind, surfaceKinds, takesPattern } from "../words/lexicon.ts";
import { isPrint, patternKinds, printColors } from "../words/lexicon-patterns.ts";
import { parseTheme } from "../words/theme.ts";
import { createMaterial } from "./create-material.ts";

it.each([
  ["herringbone parquet", { surface: { kind: "wood" }, pattern: "herringbone" }],
  ["Fischgrätparkett", { pattern: "herringbone" }],
  ["red checkered tablecloth", { surface: { kind: "fabric" }, surfaceColor: "#b8322c", pattern: "checks" }],
  ["tovaglia a quadri rossi", { surface: { kind: "fabric" }, surfaceColor: "#b8322c", pattern: "checks" }],
  ["black and white checkered tiles", { surface: { kind: "tile" }, pattern: "checks" }],
  ["striped linen", { surface: { kind: "fabric" }, pattern: "stripes" }],
  ["basketball court", { setting: { backdrop: "wall" }, surface: { kind: "wood" }, pattern: "court" }],
  ["running track", { surface: { kind: "asphalt" }, pattern: "lanes" }],
  ["slate tiles", { surface: { kind: "stone" }, pattern: "slabs" }],
  ["pink polka dots", { accents: ["#eaa6b8"], pattern: "dots", wallPattern: "dots" }],
])("%s has a pattern", (theme, found) => {
  expect(parseTheme(theme)).toMatchObject(found);
});

it("says that grass cannot be checkered", () => {
  const theme = parseTheme("checkered grass");
  expect(theme).not.toHaveProperty("pattern");
  expect(theme.notShown).toEqual(["checkered"]);
});

/** Green of points along a line across the surface. */
function line(kind: SurfaceKind, pattern?: Pattern): number[] {
  const random = createRandom(3);
  const color = fromHex("#b8322c");
  const noise = createNoise(random);
  const inks = [color, fromHex("#2a8c78"), fromHex("#23315a")] as const;
  const hasInks = isPrint(pattern) && printColors[pattern] === undefined;
  const print = hasInks ? { print: { print: pattern, ground: fromHex("#efe9dc"), inks } } : {};
  const input = { color, noise, random, towardLamp: [0, 1] as const, ...print };
  const material = createMaterial(kind, { ...input, ...(pattern && { pattern }) });
  const out = new Float32Array(4);
  return Array.from({ length: 400 }, (_, i) => {
    material(i * 0.01, 0.07, 0.01, out);
    return out[1]!;
  });
}

/** How often the line goes from below to above the middle of its values. */
function changes(values: readonly number[]): number {
  const middle = (Math.max(...values) + Math.min(...values)) / 2;
  return values.filter((value, i) => i > 0 && value > middle && values[i - 1]! <= middle).length;
}

it.each([
  ["fabric", "checks", 15],
  ["fabric", "stripes", 15],
  ["plain", "stripes", 15],
  ["tile", "checks", 4],
] as const)("%s in %s alternates over four products' widths", (kind, pattern, least) => {
  const values = line(kind, pattern);
  expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(0.3);
  expect(changes(values)).toBeGreaterThanOrEqual(least - 1);
  expect(Math.max(...line(kind)) - Math.min(...line(kind))).toBeLessThan(0.3);
});

it("lays a herringbone in boards that end", () => {
  const dark = (values: readonly number[]) => values.filter((value) => value < 0.5 * Math.max(...values)).length;
  expect(dark(line("wood", "herringbone"))).toBeGreaterThan(dark(line("wood")));
});

it.each([
  ["wood", "court"],
  ["asphalt", "lanes"],
] as const)("paints lines on %s: %s", (kind, pattern) => {
  const pale = (values: readonly number[]) => values.filter((value) => value > 0.55).length;
  expect(pale(line(kind))).toBe(0);
  expect(pale(line(kind, pattern))).toBeGreaterThan(6);
});

it("cuts slabs from other parts of the stone", () => {
  expect(changes(line("stone", "slabs"))).not.toBe(changes(line("stone")));
  expect(Math.min(...line("stone", "slabs"))).toBeLessThan(0.8 * Math.min(...line("stone")));
});

it("makes every pattern that the lexicon gives a surface", () => {
  const taken = surfaceKinds.flatMap((kind) =>
    patternKinds.filter((pattern) => takesPattern(kind, pattern)).map((pattern) => [kind, pattern] as const),
  );
  expect(taken.length).toBeGreaterThan(20);
  // Tiles of two colors are their own pattern.
  for (const [kind, pattern] of taken)
    if (kind !== "tile") expect(line(kind, pattern), `${kind} in ${pattern}`).not.toEqual(line(kind));
});
