/** Drawings of things as motifs: the SVG files of the folder `drawings`, in linear light. */

import { readFile } from "node:fs/promises";
import { hashText } from "@packshot/domain/random.ts";
import sharp from "sharp";
import { fromHex, type LinearRgb, mix } from "../canvas/color.ts";
import type { PlaceItem } from "../plan/lay-places.ts";
import type { NamedThing } from "../words/named-things.ts";
import { modelForm, type Raster } from "./model-form.ts";
import type { Motif } from "./motifs.ts";

/** A drawing, and the same at halves of its size. */
export interface Drawing {
  readonly levels: readonly Raster[];
  /** Width over height. */
  readonly aspect: number;
}

/** A thing of a scene and its drawing. */
export interface DrawnThing extends NamedThing {
  readonly drawing: Drawing;
  /** The drawing, and others of the same things that lie otherwise. */
  readonly arrangements: readonly Drawing[];
}

/** What lies in a place, and its drawing. */
export interface DrawnItem extends PlaceItem {
  readonly drawing: Drawing;
}

/** How many drawings a thing has where one would be seen twice: NAME.svg, NAME-2.svg … */
const arrangementsOf: ReadonlyMap<string, number> = new Map([["lemon-slices", 3]]);

/** Pixels of a drawing's longer side. Things are a part of a backdrop of at most 420 pixels. */
const sidePx = 256;
/** The same of those that lie in a picture from above, as near as the product. */
const sideAbovePx = 384;
/** Pixels of a motif's width that is drawn anew for each picture, behind the product and out of focus. */
const motifPx = 112;
const levelsMax = 6;
/** About a megabyte each, in each thread that edits. */
const keptMax = 16;

const kept = new Map<string, Promise<Drawing>>();

/** Glass that shows the room or glows, and is no ball: it is drawn as it looks. */
const flat: ReadonlySet<string> = new Set(["mirror", "bulb-mirror", "window", "neon"]);

/**
 * @param color `#rrggbb`, in place of the drawing's `currentColor`
 * @param isFromAbove it is lit where it lies, and not as a solid that stands
 */
function drawThing(name: string, color: string | null, isFromAbove = false): Promise<Drawing> {
  const key = `${name} ${color} ${isFromAbove}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawing = render(name, color, isFromAbove);
  kept.set(key, drawing);
  drawing.catch(() => kept.delete(key));
  if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
  return drawing;
}

/** Drawings of the things, in their order. */
export async function drawThings(things: readonly NamedThing[]): Promise<DrawnThing[]> {
  return Promise.all(
    things.map(async (thing) => {
      const drawing = await drawThing(thing.name, thing.color);
      const others = Array.from({ length: (arrangementsOf.get(thing.name) ?? 1) - 1 }, (_, i) =>
        drawThing(`${thing.name}-${i + 2}`, thing.color),
      );
      return { ...thing, drawing, arrangements: [drawing, ...(await Promise.all(others))] };
    }),
  );
}

/** Drawings of what lies in a place, in their order. */
export async function drawItems(items: readonly PlaceItem[]): Promise<DrawnItem[]> {
  return Promise.all(items.map(async (item) => ({ ...item, drawing: await drawThing(item.name, item.color, true) })));
}

async function render(name: string, color: string | null, isFromAbove: boolean): Promise<Drawing> {
  const folder = isFromAbove ? "drawings-above" : "drawings";
  const svg = await readFile(new URL(`../${folder}/${name}.svg`, import.meta.url), "utf8");
  const colored = svg.replace("<svg ", `<svg color="${color ?? "#808080"}" `);
  const side = isFromAbove ? sideAbovePx : sidePx;
  const size = { width: side, height: side, fit: "inside" } as const;
  const image = sharp(Buffer.from(colored), { density: (72 * side) / 200 })
    .resize(size)
    .ensureAlpha()
    .raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const drawn = linear(data, info.width, info.height);
  if (!isFromAbove && !flat.has(name)) modelForm(drawn, hashText(name));
  return { levels: levelsOf(drawn), aspect: info.width / info.height };
}

function levelsOf(drawn: Raster): Raster[] {
  const levels = [drawn];
  while (levels.length < levelsMax) levels.push(halved(levels.at(-1)!));
  return levels;
}

/**
 * A motif as a drawing: what the lens blurs is blurred in all of it, and not only at its outline.
 *
 * @param aspect width over height, at least 1
 * @param lamp toward it, to the right and up
 */
export function drawMotif(motif: Motif, aspect: number, [lampX, lampY]: readonly [number, number]): Drawing {
  const width = motifPx;
  const height = Math.round(motifPx / aspect);
  const rgba = new Float32Array(4 * width * height);
  const out = new Float32Array(4);
  const point = { x: 0, y: 0, soft: 1.4 / motifPx, lampX, lampY };
  for (let row = 0, at = 0; row < height; row++) {
    point.y = (1 - (2 * (row + 0.5)) / height) / aspect;
    for (let column = 0; column < width; column++, at += 4) {
      point.x = (2 * (column + 0.5)) / width - 1;
      motif(point, out);
      for (let c = 0; c < 3; c++) rgba[at + c] = Math.max(0, out[c]!) * out[3]!;
      rgba[at + 3] = out[3]!;
    }
  }
  return { levels: levelsOf({ width, height, rgba }), aspect };
}

const linearOf = Float32Array.from({ length: 256 }, (_, byte) => {
  const hex = byte.toString(16).padStart(2, "0");
  return fromHex(`#${hex}0000`)[0];
});

function linear(data: Uint8Array, width: number, height: number): Raster {
  const rgba = new Float32Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const share = data[i + 3]! / 255;
    for (let c = 0; c < 3; c++) rgba[i + c] = linearOf[data[i + c]!]! * share;
    rgba[i + 3] = share;
  }
  return { width, height, rgba };
}

function halved({ width, height, rgba }: Raster): Raster {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const small = new Float32Array(half.width * half.height * 4);
  for (let y = 0, to = 0; y < half.height; y++) {
    const below = Math.min(height - 1, 2 * y + 1);
    for (let x = 0; x < half.width; x++) {
      const beside = Math.min(width - 1, 2 * x + 1);
      for (let c = 0; c < 4; c++, to++) {
        const at = (row: number, column: number) => rgba[(row * width + column) * 4 + c]!;
        small[to] = (at(2 * y, 2 * x) + at(2 * y, beside) + at(below, 2 * x) + at(below, beside)) / 4;
      }
    }
  }
  return { ...half, rgba: small };
}

/**
 * The drawing upright in its square: the longer of width and height is from −1 to 1.
 *
 * @param isMirrored drawings are lit from the left
 */
export function motifOf({ levels, aspect }: Drawing, isMirrored: boolean): Motif {
  const halfWide = Math.min(1, aspect);
  const halfTall = Math.min(1, 1 / aspect);
  const way = isMirrored ? -1 : 1;
  return ({ x, y, soft }, out) => {
    for (let c = 0; c < 4; c++) out[c] = 0;
    // The blur of the coarsest level reaches no farther.
    if (Math.abs(x) > 1.25 * halfWide || Math.abs(y) > 1.25 * halfTall) return;
    const level = levelFor(levels, soft);
    const finer = Math.floor(level);
    const coarser = level - finer;
    const across = ((way * x) / halfWide + 1) * 0.5;
    const down = (1 - y / halfTall) * 0.5;
    addSample(levels[finer]!, across, down, 1 - coarser, out);
    if (coarser > 0) addSample(levels[finer + 1]!, across, down, coarser, out);
    const opacity = out[3]!;
    if (opacity > 0) for (let c = 0; c < 3; c++) out[c]! /= opacity;
  };
}

/** Adds a share of what is at a point of a level, 0–1 to the right and down. */
function addSample({ width, height, rgba }: Raster, x: number, y: number, share: number, out: Float32Array): void {
  const px = x * width - 0.5;
  const py = y * height - 0.5;
  const column = Math.floor(px);
  const row = Math.floor(py);
  for (let dy = 0; dy < 2; dy++) {
    const shareY = share * (dy === 0 ? 1 - (py - row) : py - row);
    if (row + dy < 0 || row + dy >= height) continue;
    for (let dx = 0; dx < 2; dx++) {
      if (column + dx < 0 || column + dx >= width) continue;
      const at = ((row + dy) * width + column + dx) * 4;
      if (rgba[at + 3] === 0) continue;
      const own = shareY * (dx === 0 ? 1 - (px - column) : px - column);
      for (let c = 0; c < 4; c++) out[c]! += rgba[at + c]! * own;
    }
  }
}

/** The light in which a thing is seen: a lamp is as bright at night. */
export function lightOn({ kind, name }: NamedThing, arriving: LinearRgb): LinearRgb {
  if (name === "neon") return [1.7, 1.7, 1.7];
  return kind === "lights" ? mix(arriving, [1.25, 1.05, 0.8], 0.6) : arriving;
}

/** The level whose pixels are about as large as the picture's, between two of them. */
function levelFor(levels: readonly Raster[], soft: number): number {
  const { width, height } = levels[0]!;
  const wanted = 2 / soft;
  return Math.min(levels.length - 1, Math.max(0, Math.log2(Math.max(width, height) / wanted)));
}
