/** Presets: what a marketplace requires of a main image, as settings, and as checks that measure the encoded bytes. */

import type { OutputPreset } from "@packshot/domain/tools.ts";
import sharp from "sharp";
import type { Box, Size } from "../pixels/geometry.ts";
import type { LayoutParameters } from "./layout.ts";

export interface Check {
  readonly name: string;
  readonly value: number | string;
  readonly passed: boolean;
  /** Why a check passed although its value is below the limit. */
  readonly note?: string;
}

interface PresetRule {
  /** Share of the frame's side that the product's longer side takes. */
  readonly fill: number;
  readonly sideMax: number;
}

const presetRules: Readonly<Record<OutputPreset, PresetRule>> = {
  "amazon-main": { fill: 0.9, sideMax: 3000 },
  "google-shopping": { fill: 0.88, sideMax: 2400 },
  "square-white": { fill: 0.88, sideMax: 2400 },
};

const fillMin = 0.85;
const sideMin = 1600;
const quality = 92;
/** JPEG rings within the block that holds an edge, so white is measured one block (8 px) away from the product. */
const ringingPx = 8;

/** A square, white, sRGB JPEG; never enlarged beyond the source's own pixels. */
export function presetSettings(preset: OutputPreset, product: Box) {
  const { fill, sideMax } = presetRules[preset];
  const longSide = Math.max(product.width, product.height);
  const naturalSide = Math.floor(longSide / fill);
  // A product slightly too small for a frame of 1,600 px fills less of the frame, rather than being enlarged.
  const side = Math.min(
    naturalSide < sideMin ? Math.min(sideMin, Math.floor(longSide / (fillMin + 0.01))) : naturalSide,
    sideMax,
  );
  const padding = Math.max(0, (1 - Math.min(1, Math.max(fillMin + 0.005, Math.min(fill, longSide / side)))) / 2);
  const layout: LayoutParameters = { width: side, height: side, padding, align: "center", crop: "product" };
  return { layout, background: "#ffffff", format: "jpeg", quality, fullChroma: true } as const;
}

/**
 * Measures on the encoded bytes whether they meet the preset.
 *
 * @param product the product's box in the frame
 * @param sourceProduct the product's size in the source: a larger result would be enlarged
 */
export async function checkPreset(bytes: Uint8Array, product: Box, sourceProduct: Size): Promise<Check[]> {
  const { format, space, icc } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const side = Math.min(info.width, info.height);
  const fill = Math.max(product.width / info.width, product.height / info.height);
  const white = whiteShare(data, info, product);
  const isLargeEnough = Math.floor(Math.max(sourceProduct.width, sourceProduct.height) / fillMin) >= sideMin;
  const isSrgb = space === "srgb" && icc === undefined;
  return [
    { name: "background is pure white", value: white, passed: white === 1 },
    { name: `product fills at least ${fillMin * 100} % of the frame`, value: round(fill), passed: fill >= fillMin },
    {
      name: `at least ${sideMin} px`,
      value: side,
      passed: side >= sideMin || !isLargeEnough,
      ...(side < sideMin && !isLargeEnough ? { note: "the source has no more pixels of the product" } : {}),
    },
    { name: "sRGB JPEG", value: `${format}, ${space}`, passed: format === "jpeg" && isSrgb },
  ];
}

/** Share of the pixels outside the product's box and its ringing that are exactly 255, 255, 255. */
function whiteShare(rgb: Uint8Array, size: Size, product: Box): number {
  let white = 0;
  let count = 0;
  for (let y = 0; y < size.height; y++) {
    const isAboveOrBelow = y < product.top - ringingPx || y >= product.top + product.height + ringingPx;
    for (let x = 0; x < size.width; x++) {
      if (!isAboveOrBelow && x >= product.left - ringingPx && x < product.left + product.width + ringingPx) continue;
      const at = (y * size.width + x) * 3;
      count++;
      if (rgb[at] === 255 && rgb[at + 1] === 255 && rgb[at + 2] === 255) white++;
    }
  }
  return count === 0 ? 0 : white / count;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
