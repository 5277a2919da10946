/** Decides what a source's own alpha means for its matte. */

import type { SourceAlpha } from "@packshot/domain/edits/edit-report.ts";
import { visibleBox } from "../../pixels/alpha-scan.ts";
import type { Size } from "../../pixels/geometry.ts";
import type { Photo } from "../../pixels/photo.ts";

/** On a scale to 255: lossy encoders leave this much where nothing was. */
const transparentMax = 3;
const opaqueMin = 250;
/** Share of the border that is transparent in a cut-out: its product may still touch one side. */
const transparentBorderMin = 0.5;
/** Glass lets most of what is behind it through. */
const visibleMin = 16;
/** A cut-out that shows less than this share shows a speck. */
const visibleShareMin = 0.0005;
/** Share of its box that a rectangle fills, but for the corners that a screen rounds. */
const rectangleShareMin = 0.98;

/** undefined: the source has no alpha, or an opaque one. */
export function sourceAlphaOf(photo: Photo, wanted: "auto" | "keep" | "ignore" = "auto"): SourceAlpha | undefined {
  const { alpha, hasAmbiguousAlpha } = photo;
  if (alpha === undefined) return hasAmbiguousAlpha ? "ignored" : undefined;
  if (wanted !== "auto") return wanted === "keep" ? "used" : "ignored";
  return isCutOut(alpha, photo) ? "used" : "combined";
}

/** Whether the photo, or the part of it that counts, shows nothing at all. */
export function isTransparent(photo: Photo): boolean {
  return photo.alpha !== undefined && visibleBox(photo.alpha, photo) === undefined;
}

/**
 * Whether most of the border is transparent and the inside is not. A rectangle between two opposite sides is a photo with
 * bars, as a square canvas has them, and no cut-out.
 */
function isCutOut(alpha: Uint8Array, size: Size): boolean {
  if (transparentShareOfBorder(alpha, size) <= transparentBorderMin) return false;
  let visible = 0;
  for (const a of alpha) if (a >= visibleMin) visible++;
  if (visible < visibleShareMin * alpha.length) return false;
  const box = visibleBox(alpha, size, transparentMax + 1)!;
  const spansCanvas = box.width === size.width || box.height === size.height;
  return !(spansCanvas && isRectangle(alpha, size));
}

function transparentShareOfBorder(alpha: Uint8Array, { width, height }: Size): number {
  let count = 0;
  let transparent = 0;
  const look = (i: number) => {
    count++;
    if (alpha[i]! <= transparentMax) transparent++;
  };
  for (let x = 0; x < width; x++) {
    look(x);
    look((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    look(y * width);
    look(y * width + width - 1);
  }
  return transparent / count;
}

/** Whether the visible part is an opaque rectangle: a box, a book, or a picture in a transparent frame. */
export function isRectangle(alpha: Uint8Array, size: Size): boolean {
  const box = visibleBox(alpha, size, transparentMax + 1);
  if (box === undefined) return false;
  let opaque = 0;
  for (let y = box.top; y < box.top + box.height; y++) {
    const row = y * size.width;
    for (let i = row + box.left; i < row + box.left + box.width; i++) if (alpha[i]! >= opaqueMin) opaque++;
  }
  return opaque >= rectangleShareMin * box.width * box.height;
}
