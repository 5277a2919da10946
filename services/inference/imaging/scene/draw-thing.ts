/** Drawings of things as motifs: the SVG files of the folder `drawings`, in linear light. */

import { readFile } from "node:fs/promises";
import { hashText } from "@packshot/domain/random.ts";
import sharp from "sharp";
import { fromHex, type LinearRgb, mix } from "./color.ts";
import type { PlaceItem } from "./lay-places.ts";
import { modelForm, type Raster } from "./model-form.ts";
import type { Motif } from "./motifs.ts";
import type { NamedThing } from "./words/named-things.ts";

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
  const svg = await readFile(new URL(`${folder}/${name}.svg`, import.meta.url), "utf8");
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
  const levels = [drawn];
  while (levels.length < levelsMax) levels.push(halved(levels.at(-1)!));
  return { levels, aspect: info.width / info.height };
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
    const { width, height, rgba } = levelFor(levels, soft);
    const px = ((way * x) / halfWide + 1) * 0.5 * width - 0.5;
    const py = (1 - y / halfTall) * 0.5 * height - 0.5;
    const column = Math.floor(px);
    const row = Math.floor(py);
    out.fill(0);
    for (let dy = 0; dy < 2; dy++) {
      const shareY = dy === 0 ? 1 - (py - row) : py - row;
      if (row + dy < 0 || row + dy >= height) continue;
      for (let dx = 0; dx < 2; dx++) {
        if (column + dx < 0 || column + dx >= width) continue;
        const share = shareY * (dx === 0 ? 1 - (px - column) : px - column);
        const at = ((row + dy) * width + column + dx) * 4;
        for (let c = 0; c < 4; c++) out[c]! += rgba[at + c]! * share;
      }
    }
    const opacity = out[3]!;
    if (opacity > 0) for (let c = 0; c < 3; c++) out[c]! /= opacity;
  };
}

/** The light in which a thing is seen: a lamp is as bright at night. */
export function lightOn({ kind, name }: NamedThing, arriving: LinearRgb): LinearRgb {
  if (name === "neon") return [1.7, 1.7, 1.7];
  return kind === "lights" ? mix(arriving, [1.25, 1.05, 0.8], 0.6) : arriving;
}

/** The level whose pixels are about as large as the picture's. */
function levelFor(levels: readonly Raster[], soft: number): Raster {
  const wanted = 1.4 / soft;
  let at = 0;
  while (at + 1 < levels.length && Math.max(levels[at + 1]!.width, levels[at + 1]!.height) >= wanted) at++;
  return levels[at]!;
}
