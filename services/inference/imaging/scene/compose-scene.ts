import { mix32 } from "@packshot/domain/random.ts";
import type { ShadowLayer } from "../shadow/cast-shadow.ts";
import { sampleShadowRow } from "../shadow/compose-over-shadow.ts";
import type { Reflection } from "./reflection.ts";
import type { CutOut } from "../pixels/cut-out.ts";

export interface SceneLayers {
  /** Tone-mapped scene, interleaved RGB 0–255, sceneWidth × sceneHeight. It is enlarged to the cut-out's size. */
  readonly scene: Float32Array;
  readonly sceneWidth: number;
  readonly sceneHeight: number;
  readonly shadow: ShadowLayer | null;
  readonly reflection: Reflection | null;
  /** Remaining share of each channel in a full shadow, 0–1. */
  readonly shadowFloor: readonly [number, number, number];
  /** The color of a full shadow, 0–255, in place of what remains; null: none was asked for. */
  readonly shadowColor: readonly [number, number, number] | null;
  /** Standard deviation of the film grain, in steps of 255. */
  readonly grain: number;
  readonly seed: number;
}

/** Light wrap: the scene's share added to soft edges. Opaque pixels never change. */
const lightWrap = 0.3;
const grainTableSize = 1 << 16;

/** Composes scene, reflection, shadow, film grain and product: RGB, the size of the cut-out. */
export function composeScene(cut: CutOut, layers: SceneLayers): Uint8Array {
  const { width, height, rgb, alpha } = cut;
  const { scene, sceneWidth, sceneHeight, shadow, reflection, shadowFloor, shadowColor } = layers;
  const out = new Uint8Array(width * height * 3);
  const grain = grainTable(layers.grain, layers.seed);
  const row = new Float32Array(sceneWidth * 3);
  const shadowRow = new Float32Array(shadow?.width ?? 0);
  const scaleX = sceneWidth / width;
  const scaleY = sceneHeight / height;
  for (let y = 0; y < height; y++) {
    sceneRow(scene, sceneWidth, sceneHeight, (y + 0.5) * scaleY - 0.5, row);
    const hasShadow = shadow !== null && sampleShadowRow(shadow, y, shadowRow);
    const gridRow =
      shadow !== null && reflection !== null
        ? Math.min(shadow.height - 1, Math.floor((y + 0.5) / shadow.stepPx)) * shadow.width
        : 0;
    let noiseAt = mix32(layers.seed ^ Math.imul(y, 0x9e3779b1)) & (grainTableSize - 1);
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const own = alpha[pixel]!;
      const at = pixel * 3;
      noiseAt = (noiseAt + 1) & (grainTableSize - 1);
      if (own === 255) {
        out[at] = rgb[at]!;
        out[at + 1] = rgb[at + 1]!;
        out[at + 2] = rgb[at + 2]!;
        continue;
      }
      const px = Math.min(sceneWidth - 1, Math.max(0, (x + 0.5) * scaleX - 0.5));
      const x0 = Math.floor(px);
      const fx = px - x0;
      const left = x0 * 3;
      const right = x0 + 1 < sceneWidth ? left + 3 : left;
      let darkness = 0;
      let reflected = 0;
      let gridAt = 0;
      if (shadow !== null) {
        const sx = Math.min(shadow.width - 1.001, (x + 0.5) / shadow.stepPx);
        const s0 = Math.floor(sx);
        if (hasShadow) darkness = shadowRow[s0]! + (shadowRow[s0 + 1]! - shadowRow[s0]!) * (sx - s0);
        gridAt = gridRow + s0;
        if (reflection !== null) reflected = reflection.alpha[gridAt]!;
      }
      const noise = grain[noiseAt]!;
      const share = own / 255;
      const wrap = share * (1 - lightWrap * (1 - share));
      for (let c = 0; c < 3; c++) {
        let value = row[left + c]! + (row[right + c]! - row[left + c]!) * fx;
        if (reflected > 0) value = value * (1 - reflected) + reflection!.color[c]![gridAt]!;
        if (darkness > 0) {
          if (shadowColor === null) value *= 1 - darkness * (1 - shadowFloor[c]!);
          else value += darkness * (shadowColor[c]! - value);
        }
        value += noise * (0.55 + value * 0.004 - value * value * 0.0000145);
        if (own > 0) value += (rgb[at + c]! - value) * wrap;
        out[at + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
      }
    }
  }
  return out;
}

function sceneRow(scene: Float32Array, width: number, height: number, y: number, row: Float32Array): void {
  const py = Math.min(height - 1, Math.max(0, y));
  const y0 = Math.floor(py);
  const share = py - y0;
  const upper = y0 * width * 3;
  const lower = Math.min(height - 1, y0 + 1) * width * 3;
  for (let i = 0; i < row.length; i++) row[i] = scene[upper + i]! + (scene[lower + i]! - scene[upper + i]!) * share;
}

/** Approximately normal noise, drawn once and read from a new offset in each row. */
function grainTable(deviation: number, seed: number): Float32Array {
  const table = new Float32Array(grainTableSize);
  for (let i = 0; i < table.length; i++) {
    const bits = mix32(seed + i);
    const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
    table[i] = ((sum - 510) / 148) * deviation;
  }
  return table;
}
