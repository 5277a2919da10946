import { expect, it } from "vitest";
import type { Photo } from "../pixels/photo.ts";
import { fitBackdrop } from "./evidence/backdrop.ts";
import { refineMatte } from "./refine-matte.ts";
import { clearThinFrame } from "./thin-frame.ts";

const width = 400;
const height = 300;

/** A blue product that touches the lower frame, on light paper. */
const isProduct = (x: number, y: number) => x >= 150 && x < 250 && y >= 120;
const depthOf = (x: number, y: number) => Math.min(x, y, width - 1 - x, height - 1 - y);

function photoWith(frame: number, color: number, isFramed = (_x: number, _y: number) => true): Photo {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    const ground = isProduct(x, y) ? [60, 80, 160] : [238, 236, 232];
    const framed = depthOf(x, y) < frame && isFramed(x, y);
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = framed ? color : ground[c]!;
  }
  return { format: "png", width, height, rgb };
}

const shownAt = (alpha: Uint8Array, depth: number) =>
  Array.from(alpha.keys()).filter((i) => alpha[i]! > 0 && depthOf(i % width, Math.floor(i / width)) === depth).length;

it.each([
  [1, 20],
  [1, 150],
  [2, 60],
  [4, 0],
])("a frame of %i pixels in gray %i does not come with the product that touches it", (frame, color) => {
  const photo = photoWith(frame, color);
  const size = { width, height };
  const prior = Uint8Array.from({ length: width * height }, (_, i) =>
    isProduct(i % width, Math.floor(i / width)) || depthOf(i % width, Math.floor(i / width)) < frame ? 255 : 0,
  );
  const backdrop = fitBackdrop(new Uint8Array(64 * 64 * 3).fill(235), 64);
  const of = { ...size, alpha: prior, networkPixel: 1 };
  const { alpha } = refineMatte(photo.rgb, size, { ...size, rgb: photo.rgb }, of, backdrop);
  expect(shownAt(alpha, 0), "before").toBeGreaterThan(700);
  clearThinFrame(alpha, photo);
  for (let depth = 0; depth <= frame; depth++) expect(shownAt(alpha, depth), `${depth}`).toBe(0);
  expect(alpha[200 * width + 200]).toBe(255);
  expect(alpha[(height - frame - 2) * width + 200], "beside the frame").toBe(255);
});

it.each<[string, Photo]>([
  ["has none", photoWith(0, 0)],
  ["has a line on three sides", photoWith(1, 20, (_x, y) => y > 0)],
  ["has a wide border", photoWith(9, 20)],
  ["has a line that hardly differs from the ground", photoWith(1, 230)],
])("keeps the matte of a photo that %s", (_what, photo) => {
  const alpha = new Uint8Array(width * height).fill(255);
  clearThinFrame(alpha, photo);
  expect(alpha.every((a) => a === 255)).toBe(true);
});
