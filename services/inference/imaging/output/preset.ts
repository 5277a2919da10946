/** Presets: what a marketplace requires of a main image, as settings, and as checks that measure the encoded bytes. */

import type { Check } from "@packshot/domain/edits/edit-report.ts";
import type { OutputParameters, OutputPreset } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import type { Box, Size } from "../pixels/geometry.ts";
import type { LayoutParameters } from "./layout.ts";
import { type PresetRule, presetRules } from "./preset-rules.ts";

const quality = 92;
/** A product that is too small fills this much more than the least, so that rounding leaves it above. */
const fillReserve = 0.01;
/** JPEG rings within the block that holds an edge, so white is measured one block (8 px) away from the product. */
const ringingPx = 8;

/** A white, sRGB JPEG in the marketplace's aspect ratio; never enlarged beyond the source's own pixels. */
export function presetSettings(preset: OutputPreset, product: Box) {
  const rule = presetRules[preset];
  const { fill, fillMin, sideGoal, sideMax } = rule;
  const extent = extentOf(product, rule);
  const naturalSide = Math.floor(extent / fill);
  // A product slightly too small for the frame that is wanted fills less of the frame, rather than being enlarged.
  const side = Math.min(
    naturalSide < sideGoal ? Math.min(sideGoal, Math.floor(extent / (fillMin + fillReserve))) : naturalSide,
    sideMax,
  );
  const padding = Math.max(0, (1 - Math.min(1, Math.max(fillMin + 0.005, Math.min(fill, extent / side)))) / 2);
  const layout: LayoutParameters = { ...frameOf(Math.max(1, side), rule), padding, align: "center", crop: "product" };
  return { layout, background: "#ffffff", format: "jpeg", quality, chroma: "4:4:4" } as const;
}

/**
 * Names of the given fields of `output` that do not take effect, because the preset decides: `output.format`, … A field
 * that asks for what the preset does anyway is none of them.
 */
export function overriddenFields(output: OutputParameters): string[] {
  const overridden: Readonly<Partial<Record<keyof OutputParameters, boolean>>> = {
    format: output.format !== undefined && output.format !== "jpeg",
    // A height alone would leave the width to the preset, and the frame would be another than asked for.
    height: output.height !== undefined && output.width === undefined,
    padding: output.padding !== undefined,
    crop: output.crop === "none",
    margin: output.margin !== undefined,
    scale: output.scale !== undefined,
    position: output.position !== undefined,
    maxMegapixels: output.maxMegapixels !== undefined,
    background: output.background !== undefined && output.background.toLowerCase() !== "#ffffff",
    lossless: output.lossless === true,
    chroma: output.chroma === "4:2:0",
    colorSpace: output.colorSpace === "source",
  };
  return Object.entries(overridden).flatMap(([field, isOverridden]) => (isOverridden ? [`output.${field}`] : []));
}

/** The frame's width over its height. */
export function aspectOf(preset: OutputPreset): number {
  return presetRules[preset].aspect;
}

/** The side of the frame that the rule's `side…` values mean, in pixels. */
function measuredSide({ width, height }: Size, { measuredSide: which }: PresetRule): number {
  return which === "longest" ? Math.max(width, height) : Math.min(width, height);
}

function isWidthMeasured({ aspect, measuredSide: which }: PresetRule): boolean {
  return aspect === 1 || aspect > 1 === (which === "longest");
}

function frameOf(side: number, rule: PresetRule): Size {
  if (isWidthMeasured(rule)) return { width: side, height: Math.round(side / rule.aspect) };
  return { width: Math.round(side * rule.aspect), height: side };
}

/** The measured side of the smallest frame that holds the product at its own size. */
function extentOf({ width, height }: Size, rule: PresetRule): number {
  return isWidthMeasured(rule) ? Math.max(width, height * rule.aspect) : Math.max(height, width / rule.aspect);
}

/**
 * Measures on the encoded bytes whether they meet the preset.
 *
 * @param product the product's box in the frame
 * @param sourceProduct the product's size in the source: a larger result would be enlarged
 */
export async function checkPreset(
  preset: OutputPreset,
  bytes: Uint8Array,
  product: Box,
  sourceProduct: Size,
): Promise<Check[]> {
  const rule = presetRules[preset];
  const { format, space, icc } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const white = whiteShare(data, info, product);
  const isSrgb = space === "srgb" && icc === undefined;
  return [
    { name: "background is pure white", value: white, passed: white === 1 },
    ...checkFill(rule, Math.max(product.width / info.width, product.height / info.height)),
    checkSide(rule, info, sourceProduct),
    ...checkAspect(rule, info),
    { name: "sRGB JPEG", value: `${format}, ${space}`, passed: format === "jpeg" && isSrgb },
    ...checkBytes(rule, bytes.byteLength),
  ];
}

function checkFill({ fillMin, fillMax, isFillRequired }: PresetRule, fill: number): Check[] {
  if (!isFillRequired) return [];
  const min = `${fillMin * 100} %`;
  const max = `${(fillMax ?? 1) * 100} %`;
  const name =
    fillMax === undefined
      ? `product fills at least ${min} of the frame`
      : `product fills ${min} to ${max} of the frame`;
  return [{ name, value: round(fill), passed: fill >= fillMin && round(fill) <= (fillMax ?? 1) }];
}

function checkSide(rule: PresetRule, frame: Size, sourceProduct: Size): Check {
  const { aspect, sideMin, fillMin, measuredSide: which } = rule;
  const side = measuredSide(frame, rule);
  const isLargeEnough = Math.floor(extentOf(sourceProduct, rule) / (fillMin + fillReserve)) >= sideMin;
  return {
    name: `at least ${sideMin} px${aspect === 1 ? "" : ` on the ${which} side`}`,
    value: side,
    passed: side >= sideMin || !isLargeEnough,
    ...(side < sideMin && !isLargeEnough ? { note: "the source has no more pixels of the product" } : {}),
  };
}

/** To the pixel: no other frame of this width is nearer. */
function checkAspect({ aspect, aspectName }: PresetRule, { width, height }: Size): Check[] {
  if (aspectName === undefined) return [];
  const passed = Math.abs(height - width / aspect) <= 1 || Math.abs(width - height * aspect) <= 1;
  return [{ name: `aspect ratio ${aspectName}`, value: round(width / height), passed }];
}

function checkBytes({ megabytesMax }: PresetRule, bytes: number): Check[] {
  if (megabytesMax === undefined) return [];
  return [{ name: `at most ${megabytesMax} MB`, value: bytes, passed: bytes <= megabytesMax * 1_000_000 }];
}

/** Share of the pixels outside the product's box and its ringing that are exactly 255, 255, 255. */
function whiteShare(rgb: Buffer, { width, height }: Size, product: Box): number {
  const whiteRow = Buffer.alloc(width * 3, 255);
  let white = 0;
  let count = 0;
  const add = (y: number, first: number, end: number) => {
    if (first >= end) return;
    count += end - first;
    white += whitePixels(rgb.subarray((y * width + first) * 3, (y * width + end) * 3), whiteRow);
  };
  const left = Math.min(width, Math.ceil(product.left - ringingPx));
  const right = Math.max(0, Math.ceil(product.left + product.width + ringingPx));
  for (let y = 0; y < height; y++) {
    const isAboveOrBelow = y < product.top - ringingPx || y >= product.top + product.height + ringingPx;
    if (isAboveOrBelow) add(y, 0, width);
    else {
      add(y, 0, left);
      add(y, Math.max(left, right), width);
    }
  }
  return count === 0 ? 0 : white / count;
}

/** Nearly all rows are white: they are compared as a whole, which takes a twentieth of the time. */
function whitePixels(rgb: Buffer, whiteRow: Buffer): number {
  if (rgb.compare(whiteRow, 0, rgb.length) === 0) return rgb.length / 3;
  let white = 0;
  for (let at = 0; at < rgb.length; at += 3) {
    if (rgb[at] === 255 && rgb[at + 1] === 255 && rgb[at + 2] === 255) white++;
  }
  return white;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
