/**
 * Alpha at full resolution in the band around a region's edge: where a pixel lies on the line from the background's
 * colour beside it to the product's colour beside it.
 */

import { type Places, placesAlong, readField } from "./bilinear.ts";
import { dilate, erode, inverted, signedDistance } from "./regions.ts";
import type { Size } from "./resize.ts";
import type { WorkGrid } from "./work-grid.ts";

/** Cells on each side of the edge in which alpha may be soft. */
const bandCells = 3;
/** Cells beside the edge that are mixed themselves and so tell neither side's colour. */
const mixedCells = 2;
/** Where a cell's colours are looked for, radii in cells of the colour grid; each search wider than the last. */
const searches = [
  { of: "pure", radius: 2 },
  { of: "pure", radius: 6 },
  { of: "any", radius: 6 },
  { of: "pure", radius: 16 },
  { of: "any", radius: 16 },
] as const;
/** Share of a window's cells that must be on the side whose colour is looked for. */
const windowShareMin = 0.02;
/** RGB distance below which two colours cannot be told apart; alpha then follows the region's edge. */
const contrastMin = 10;

/**
 * @param region 1 where the product is, on the grid
 * @param rgb interleaved u8 RGB of `size`
 * @returns alpha, u8, of `size`: exactly 0 and 255 outside the band
 */
export function alphaAtEdges(rgb: Uint8Array, size: Size, region: Uint8Array, grid: WorkGrid): Uint8Array {
  const signed = signedDistance(region, grid, bandCells + 2);
  return drawBand(rgb, size, grid, signed, coloursBesideEdge(grid, region, inverted(region), signed));
}

/** Per cell: the background's red, green, blue and spread, then the product's; spread is their standard deviation. */
const perCell = 8;

interface ColourField extends Size {
  readonly values: Float32Array;
}

/** Mean colours of both sides around the cells of the band, on a grid of half the work grid's resolution. */
function coloursBesideEdge(grid: WorkGrid, region: Uint8Array, outside: Uint8Array, signed: Float32Array): ColourField {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const values = new Float32Array(size.width * size.height * perCell);
  const band = new Uint8Array(size.width * size.height);
  for (let i = 0; i < signed.length; i++) {
    if (Math.abs(signed[i]!) > bandCells + 1) continue;
    const x = i % grid.width;
    band[(((i - x) / grid.width) >> 1) * size.width + (x >> 1)] = 1;
  }
  // A pixel reads the four cells around it.
  const wanted = dilate(band, size, 2);
  localColours(grid, outside, wanted, values, 0);
  localColours(grid, region, wanted, values, 4);
  return { ...size, values };
}

/**
 * Mean colour of one side around each wanted cell: of its unmixed cells near by, else of all its cells in ever wider
 * windows.
 *
 * @param wanted 1 for the cells that are looked at; a cell far from the side keeps its zeros
 */
function localColours(grid: WorkGrid, side: Uint8Array, wanted: Uint8Array, values: Float32Array, first: number): void {
  const size = { width: (grid.width + 1) >> 1, height: (grid.height + 1) >> 1 };
  const pure = summedColours(grid, erode(side, grid, mixedCells), size);
  // The table of all cells is made for thin parts and narrow gaps only: elsewhere unmixed ones are near.
  let any: Int32Array | undefined;
  const found = new Float64Array(perTableCell);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0) continue;
    const x = i % size.width;
    const y = (i - x) / size.width;
    for (const { of, radius } of searches) {
      const table = of === "pure" ? pure : (any ??= summedColours(grid, side, size));
      if (!sumWindow(table, size, x, y, radius, found)) continue;
      writeMean(found, values, i * perCell + first);
      break;
    }
  }
}

function writeMean(sums: Float64Array, values: Float32Array, at: number): void {
  const weight = sums[0]!;
  const r = sums[1]! / weight;
  const g = sums[2]! / weight;
  const b = sums[3]! / weight;
  values[at] = r;
  values[at + 1] = g;
  values[at + 2] = b;
  values[at + 3] = Math.sqrt(Math.max(0, (sums[4]! / weight - r * r - g * g - b * b) / 3));
}

/** Cells of the side, its red, green and blue, and their squares. */
const perTableCell = 5;

/**
 * A summed-area table of one side at half the grid's resolution: each entry holds the sums over all cells above and left
 * of its corner, so that any window is four reads. Sums may run over 32 bits and wrap around: a window's own sum never
 * does, and so its four reads give it exactly.
 *
 * @returns (width + 1) × (height + 1) × `perTableCell`
 */
function summedColours(grid: WorkGrid, mask: Uint8Array, { width, height }: Size): Int32Array {
  const stride = (width + 1) * perTableCell;
  const table = new Int32Array(stride * (height + 1));
  for (let y = 0; y < grid.height; y++) {
    const row = ((y >> 1) + 1) * stride;
    for (let x = 0; x < grid.width; x++) {
      const i = y * grid.width + x;
      if (mask[i] === 0) continue;
      const to = row + ((x >> 1) + 1) * perTableCell;
      const r = grid.rgb[i * 3]!;
      const g = grid.rgb[i * 3 + 1]!;
      const b = grid.rgb[i * 3 + 2]!;
      table[to]!++;
      table[to + 1]! += r;
      table[to + 2]! += g;
      table[to + 3]! += b;
      table[to + 4]! += r * r + g * g + b * b;
    }
  }
  for (let row = stride; row < table.length; row += stride) {
    let [count, red, green, blue, squares] = [0, 0, 0, 0, 0];
    for (let at = row; at < row + stride; at += perTableCell) {
      count = (count + table[at]!) | 0;
      red = (red + table[at + 1]!) | 0;
      green = (green + table[at + 2]!) | 0;
      blue = (blue + table[at + 3]!) | 0;
      squares = (squares + table[at + 4]!) | 0;
      table[at] = table[at - stride]! + count;
      table[at + 1] = table[at + 1 - stride]! + red;
      table[at + 2] = table[at + 2 - stride]! + green;
      table[at + 3] = table[at + 3 - stride]! + blue;
      table[at + 4] = table[at + 4 - stride]! + squares;
    }
  }
  return table;
}

/**
 * The sums over (2 radius + 1)² cells around one, cut at the border.
 *
 * @returns whether enough of the window is on the table's side
 */
function sumWindow(table: Int32Array, size: Size, x: number, y: number, radius: number, out: Float64Array): boolean {
  const stride = (size.width + 1) * perTableCell;
  const left = Math.max(0, x - radius);
  const right = Math.min(size.width, x + radius + 1);
  const top = Math.max(0, y - radius);
  const bottom = Math.min(size.height, y + radius + 1);
  const aboveLeft = top * stride + left * perTableCell;
  const across = (right - left) * perTableCell;
  const belowLeft = bottom * stride + left * perTableCell;
  for (let k = 0; k < perTableCell; k++) {
    const below = (table[belowLeft + across + k]! - table[belowLeft + k]!) | 0;
    out[k] = (below - ((table[aboveLeft + across + k]! - table[aboveLeft + k]!) | 0)) | 0;
  }
  return out[0]! >= windowShareMin * (right - left) * (bottom - top);
}

interface Band {
  readonly rgb: Uint8Array;
  readonly alpha: Uint8Array;
  readonly signed: Float32Array;
  readonly onGrid: Places;
  readonly colours: Float32Array;
  readonly onColours: Places;
}

function drawBand(rgb: Uint8Array, size: Size, grid: WorkGrid, signed: Float32Array, field: ColourField): Uint8Array {
  const alpha = new Uint8Array(size.width * size.height);
  const onGrid = placesAlong(size, grid);
  const band = { rgb, alpha, signed, onGrid, colours: field.values, onColours: placesAlong(size, field) };
  let gridRow = -1;
  let spans: Int32Array = new Int32Array();
  for (let y = 0; y < size.height; y++) {
    if (onGrid.rowOf[y] !== gridRow) {
      gridRow = onGrid.rowOf[y]!;
      spans = spansOf(signed, gridRow, onGrid.colOf);
    }
    const row = y * size.width;
    for (let k = 0; k < spans.length; k += 3) {
      const [kind, from, to] = [spans[k]!, spans[k + 1]!, spans[k + 2]!];
      if (kind === 1) alpha.fill(255, row + from, row + to);
      else if (kind === 0) drawSpan(band, row, y, from, to);
    }
  }
  return alpha;
}

const depthsOfPixel = new Float64Array(1);
const coloursOfPixel = new Float64Array(perCell);

/** A function of its own: V8 compiles it whole, where it would enter `drawBand` in its middle for each photo again. */
function drawSpan(band: Band, row: number, y: number, from: number, to: number): void {
  const { rgb, alpha, signed, onGrid, colours, onColours } = band;
  for (let x = from, i = row + from; x < to; x++, i++) {
    readField(signed, onGrid, x, y, depthsOfPixel);
    const depth = depthsOfPixel[0]!;
    if (depth >= bandCells) alpha[i] = 255;
    if (Math.abs(depth) >= bandCells) continue;
    readField(colours, onColours, x, y, coloursOfPixel);
    alpha[i] = alphaOfPixel(rgb, i * 3, depthsOfPixel, coloursOfPixel);
  }
}

/** A row of pixels as runs of [kind, from, to): kind 1 inside the region, 0 in the band, −1 outside. */
function spansOf(signed: Float32Array, gridRow: number, colOf: Int32Array): Int32Array {
  const spans: number[] = [];
  let last = 2;
  for (let x = 0; x < colOf.length; x++) {
    const s = signed[gridRow + colOf[x]!]!;
    const kind = s > bandCells + 1 ? 1 : s < -bandCells - 1 ? -1 : 0;
    if (kind !== last) spans.push(kind, x, x);
    last = kind;
    spans[spans.length - 1] = x + 1;
  }
  return Int32Array.from(spans);
}

/**
 * Doubles come and go in arrays here: as arguments and results they would each be allocated on the heap.
 *
 * @param depths one value: cells inside the region's edge; negative outside
 * @param colours as in a cell of the colour field
 * @returns 0…255
 */
function alphaOfPixel(rgb: Uint8Array, at: number, depths: Float64Array, colours: Float64Array): number {
  const depth = depths[0]!;
  const backR = colours[0]!;
  const backG = colours[1]!;
  const backB = colours[2]!;
  // From the background's colour to the product's, and to the pixel's.
  const lineR = colours[4]! - backR;
  const lineG = colours[5]! - backG;
  const lineB = colours[6]! - backB;
  const r = rgb[at]! - backR;
  const g = rgb[at + 1]! - backG;
  const b = rgb[at + 2]! - backB;
  const contrast = lineR * lineR + lineG * lineG + lineB * lineB;
  const along = (r * lineR + g * lineG + b * lineB) / (contrast + 1);
  const toBackground = r * r + g * g + b * b;
  const told = Math.sqrt(contrast);
  const light = alongLight(rgb, at, colours);
  // Optics mix light, retouching mixes sRGB values; a photo may have seen both, so alpha is the mean of the two.
  const mixed = (along + light) / 2;
  const isClipped = Math.min(backR, backG, backB) >= clippedMin;
  const onLine = ramp(isClipped ? overClipped(along * told, mixed) : mixed);
  const spreadB = colours[3]!;
  const spreadP = colours[7]!;
  // A pixel off the line, or beside a texture, is no mix of the two means: which side's colours does it belong to?
  const offLine = Math.sqrt(Math.max(0, toBackground - along * along * contrast) / 3);
  const textured = Math.max(spreadB, spreadP) / (told + 1);
  const bySide = Math.min(1, Math.max(0, (offLine - 6) / 12, (textured - 0.2) / 0.3));
  let byColour = onLine;
  if (bySide > 0) {
    const toProduct = (r - lineR) ** 2 + (g - lineG) ** 2 + (b - lineB) ** 2;
    const farB = toBackground / (spreadB * spreadB + noiseVariance);
    const farP = toProduct / (spreadP * spreadP + noiseVariance);
    byColour += bySide * (ramp(farB / (farB + farP + 1e-3)) - onLine);
  }
  // Colour decides where the sides differ; distance to the region's edge where they do not, and at the band's ends.
  const byDistance = ramp(depth / 3 + 0.5);
  const trust = Math.min(1, Math.max(0, (told - contrastMin) / (2 * contrastMin)));
  const value = byDistance + trust * (byColour - byDistance);
  const end = depth > 0 ? 1 : 0;
  return Math.round(255 * (end + Math.min(1, bandCells - Math.abs(depth)) * (value - end)));
}

/** Where the pixel lies between background, 0, and product, 1, by linear light. */
function alongLight(rgb: Uint8Array, at: number, colours: Float64Array): number {
  const backR = lightOf[(colours[0]! + 0.5) | 0]!;
  const backG = lightOf[(colours[1]! + 0.5) | 0]!;
  const backB = lightOf[(colours[2]! + 0.5) | 0]!;
  const lineR = lightOf[(colours[4]! + 0.5) | 0]! - backR;
  const lineG = lightOf[(colours[5]! + 0.5) | 0]! - backG;
  const lineB = lightOf[(colours[6]! + 0.5) | 0]! - backB;
  const r = lightOf[rgb[at]!]! - backR;
  const g = lightOf[rgb[at + 1]!]! - backG;
  const b = lightOf[rgb[at + 2]!]! - backB;
  return (r * lineR + g * lineG + b * lineB) / (lineR * lineR + lineG * lineG + lineB * lineB + 1e-4);
}

/** RGB variance per channel that any side has. */
const noiseVariance = 36;

/** 0…1 with a twelfth cut off at each end: sensor noise next to 0 and 1 is no softness. */
function ramp(t: number): number {
  return Math.min(1, Math.max(0, (t - 0.08) / 0.84));
}

/**
 * Over a backdrop that the sensor clipped, a pixel that shows any product is mostly product: the backdrop's true light
 * would have washed out less. Half of alpha is given as soon as the pixel is visibly off white.
 *
 * @param offWhite RGB distance from the backdrop along the line to the product
 */
function overClipped(offWhite: number, mixed: number): number {
  return (Math.min(1, Math.max(0, (offWhite - 8) / 12)) + Math.min(1, Math.max(0, mixed))) / 2;
}

/** Linear light of an sRGB value, 0…1. */
const lightOf = Float32Array.from({ length: 257 }, (_, v) => (Math.min(v, 255) / 255) ** 2.2);
/** A backdrop this bright in all channels has been clipped by the sensor or by retouching. */
const clippedMin = 252;
