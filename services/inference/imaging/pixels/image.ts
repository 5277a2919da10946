import type { LayerName } from "@packshot/domain/edits/tools.ts";
import type { Point, Size } from "./geometry.ts";

/** An uncompressed image in memory. */
export interface Image {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGB with straight (not premultiplied) alpha. */
  readonly channels: 3 | 4;
  /** Interleaved u8, width × height × channels, sRGB or in the space of `icc`. */
  readonly pixels: Uint8Array;
  readonly icc?: Buffer;
  /** Writes a single row. Where it is given, `pixels` is computed when it is first read. */
  readonly fillRow?: FillRow;
  /** The same image at a thumbnail's size, where an earlier stage has made one. */
  readonly reduced?: Image;
}

/** Pixels of a thumbnail's longer side. */
export const thumbnailSideMax = 512;

/** Writes row `y` (width × channels bytes) to the start of `target`. */
export type FillRow = (y: number, target: PixelBuffer) => FilledWords;

/** Range of a row's words, `last` excluded, outside of which all words are 0. The range may be empty. */
export interface FilledWords {
  readonly first: number;
  readonly last: number;
}

/** The same memory as bytes and as little-endian 32-bit words. */
export interface PixelBuffer {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** @returns the image's own `fillRow`, or one that copies from `pixels` */
export function fillRowOf(image: Image): FillRow {
  if (image.fillRow !== undefined) return image.fillRow;
  const { pixels, width, channels } = image;
  const rowBytes = width * channels;
  const all = { first: 0, last: Math.ceil(rowBytes / 4) };
  return (y, { bytes }) => {
    bytes.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes));
    return all;
  };
}

export function allocatePixels(length: number): PixelBuffer {
  const words = new Uint32Array(Math.ceil(length / 4));
  return { words, bytes: new Uint8Array(words.buffer, 0, length) };
}

/** Takes every n-th pixel, at least two per side of each pixel of `target`: good enough for a thumbnail. */
export function subsample(image: Image, target: Size): Image {
  const step = Math.floor(Math.max(image.width, image.height) / (2 * Math.max(target.width, target.height)));
  if (step < 2) return image;
  const { channels, icc } = image;
  const width = Math.ceil(image.width / step);
  const height = Math.ceil(image.height / step);
  const columns = centersOf(width, image.width);
  const rows = centersOf(height, image.height);
  const { bytes: pixels, words } = allocatePixels(width * height * channels);
  const row = allocatePixels(image.width * channels);
  const fillRow = fillRowOf(image);
  for (let y = 0, to = 0; y < height; y++) {
    fillRow(rows[y]!, row);
    for (let x = 0; x < width; x++) {
      if (channels === 4) words[to++] = row.words[columns[x]!]!;
      else for (let from = columns[x]! * 3, c = 0; c < 3; c++) pixels[to++] = row.bytes[from + c]!;
    }
  }
  return { width, height, channels, pixels, icc };
}

/** The centers of `count` equal parts of a line of `length` pixels. */
function centersOf(count: number, length: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * length) / count));
}

/** A part of an image: laid over each other, its layers give it. */
export interface ImageLayer {
  readonly name: LayerName;
  readonly image: Image;
}

/** An image, and what its edit adds to the job's report (plain JSON values). */
export interface EditedImage extends Image {
  readonly report: Readonly<Record<string, unknown>>;
  /** Where they were asked for: of the image's size, the lowest first. */
  readonly layers?: readonly [ImageLayer, ...ImageLayer[]];
  /** Where the photo's upper left corner lies in it, in pixels, if its canvas was widened. */
  readonly origin?: Point;
}

/**
 * Frees planes of pixels, which are empty afterward. V8 counts the memory outside of its heap, too, and marks the whole heap whenever 64 MB
 * of it may be garbage: it does so half as often where a photo's planes are freed with their edit. What shares its memory stays.
 */
export function freePlanes(planes: readonly (Uint8Array | undefined)[]): void {
  for (const plane of planes) {
    const buffer = plane?.buffer;
    if (buffer instanceof ArrayBuffer && plane!.byteLength === buffer.byteLength && !buffer.detached)
      buffer.transfer(0);
  }
}
