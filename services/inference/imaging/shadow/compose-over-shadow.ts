import type { CutOut } from "../pixels/cut-out.ts";
import type { ShadowLayer } from "./cast-shadow.ts";

type Rgb = readonly [number, number, number];
const black: Rgb = [0, 0, 0];

/**
 * Composes the product over its shadow on a transparent background: RGBA, straight alpha. Opaque pixels of the product
 * are the source's own; elsewhere the shadow is mixed with the product's soft edge.
 */
export function composeOverShadow(cut: CutOut, layer: ShadowLayer, color = black): Uint8Array {
  const { width, height, rgb, alpha } = cut;
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
  const colorWord = wordOf(color[0], color[1], color[2]);
  for (let y = 0; y < height; y++) {
    const hasShadow = sampleShadowRow(layer, y, line);
    for (let x = 0, pixel = y * width; x < width; x++, pixel++) {
      const own = alpha[pixel]!;
      if (own === 0 && !hasShadow) continue;
      const from = pixel * 3;
      if (own === 255 || !hasShadow) {
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
  return out;
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
