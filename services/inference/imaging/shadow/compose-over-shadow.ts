import type { CutOut } from "../pixels/cut-out.ts";
import type { ShadowLayer } from "./cast-shadow.ts";

type Rgb = readonly [number, number, number];
const black: Rgb = [0, 0, 0];

/**
 * Composes the product over its shadow on a transparent background: RGBA, straight alpha. Opaque pixels of the product
 * are the source's own; elsewhere the shadow is mixed with the product's soft edge.
 */
export function composeOverShadow(cut: CutOut, layer: ShadowLayer, color = black): Uint8Array {
  const { width, height } = cut;
  const out = new Uint8Array(width * height * 4);
  const line = new Float32Array(layer.width);
  const column = new Uint32Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const at = Math.min(layer.width - 1.001, (x + 0.5) / layer.stepPx);
    column[x] = Math.floor(at);
    share[x] = at - Math.floor(at);
  }
  // Pixels are written whole; the bytes of a word are in the processor's order.
  const words = new Uint32Array(out.buffer, 0, width * height);
  const target = { cut, out, words, column, share, color };
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const { from, to } = sampleShadowRow(layer, y, line) ? columnsInShadow(line, layer, width) : noColumns;
    writeOwn(target, row, row + from);
    writeInShadow(target, row, from, to, line);
    writeOwn(target, row + to, row + width);
  }
  return out;
}

interface Target {
  readonly cut: CutOut;
  readonly out: Uint8Array;
  readonly words: Uint32Array;
  /** For each column, the shadow's point left of it, and the share of the next one. */
  readonly column: Uint32Array;
  readonly share: Float32Array;
  readonly color: Rgb;
}

interface Columns {
  readonly from: number;
  readonly to: number;
}

const noColumns: Columns = { from: 0, to: 0 };

/** Beside them, the row's shadow is 0. */
function columnsInShadow(line: Float32Array, { stepPx }: ShadowLayer, width: number): Columns {
  let first = 0;
  while (first < line.length && line[first] === 0) first++;
  let last = line.length - 1;
  while (last > first && line[last] === 0) last--;
  const from = Math.min(width, Math.max(0, Math.floor((first - 1) * stepPx - 1)));
  return { from, to: Math.max(from, Math.min(width, Math.ceil((last + 1) * stepPx + 1))) };
}

/** Pixels without shadow. */
function writeOwn({ cut: { rgb, alpha }, words }: Target, start: number, end: number): void {
  for (let pixel = start; pixel < end; pixel++) {
    const own = alpha[pixel]!;
    if (own === 0) continue;
    const from = pixel * 3;
    words[pixel] = wordOf(rgb[from]!, rgb[from + 1]!, rgb[from + 2]!) + own * opaqueUnit;
  }
}

function writeInShadow(
  { cut: { rgb, alpha }, out, words, column, share, color }: Target,
  row: number,
  start: number,
  end: number,
  line: Float32Array,
): void {
  const colorWord = wordOf(color[0], color[1], color[2]);
  for (let x = start, pixel = row + start; x < end; x++, pixel++) {
    const own = alpha[pixel]!;
    const from = pixel * 3;
    if (own === 255) {
      words[pixel] = wordOf(rgb[from]!, rgb[from + 1]!, rgb[from + 2]!) + own * opaqueUnit;
      continue;
    }
    const left = column[x]!;
    const darkness = line[left]! + (line[left + 1]! - line[left]!) * share[x]!;
    const total = own + darkness * (255 - own);
    if (total < 0.5) continue;
    if (own === 0) {
      words[pixel] = colorWord + Math.floor(total + 0.5) * opaqueUnit;
      continue;
    }
    const keep = own / total;
    const to = pixel * 4;
    for (let c = 0; c < 3; c++) out[to + c] = rgb[from + c]! * keep + color[c]! * (1 - keep) + 0.5;
    out[to + 3] = total + 0.5;
  }
}

/** Alpha is the word's highest byte: all processors that Node 24 runs on are little-endian, but s390x, which has no onnxruntime. */
const opaqueUnit = 0x1000000;

function wordOf(r: number, g: number, b: number): number {
  return r + (g << 8) + (b << 16);
}

/** Fills `line` with the shadow of one image row. Returns false when the row has no shadow. */
export function sampleShadowRow(layer: ShadowLayer, y: number, line: Float32Array): boolean {
  const at = Math.min(layer.height - 1.001, (y + 0.5) / layer.stepPx);
  const upper = Math.floor(at) * layer.width;
  const share = at - Math.floor(at);
  let hasShadow = false;
  for (let x = 0; x < layer.width; x++) {
    const a = layer.darkness[upper + x]!;
    const value = a + (layer.darkness[upper + layer.width + x]! - a) * share;
    line[x] = value;
    if (value > 0.002) hasShadow = true;
  }
  return hasShadow;
}
