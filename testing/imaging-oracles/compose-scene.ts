/** `composeScene` in plain TypeScript, as it was before its kernel. */

import { mix32 } from "@packshot/domain/random.ts";
import type { CutOut } from "../../services/inference/imaging/pixels/cut-out.ts";
import {
  grainTable,
  grainTableSize,
  lightWrap,
  type SceneLayers,
} from "../../services/inference/imaging/scene/compose-scene.ts";
import { sampleShadowRow } from "../../services/inference/imaging/shadow/compose-over-shadow.ts";

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
