import type { Size } from "./geometry.ts";

/** An uncompressed picture, as stages hand it to one another. */
export interface Image {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGB with straight (not premultiplied) alpha. */
  readonly channels: 3 | 4;
  /** Interleaved u8, width × height × channels, sRGB or in the space of `icc`. */
  readonly pixels: Uint8Array;
  readonly icc?: Buffer;
  /** Makes one row by itself; `pixels` is then made when it is first asked for. */
  readonly fillRow?: FillRow;
  /** The same at a thumbnail's size, where the making of the picture brought one. */
  readonly reduced?: Image;
}

/** Pixels of a thumbnail's longer side, at most. */
export const thumbnailSideMax = 512;

/** Writes row `y` (width × channels bytes) to the start of `into`. */
export type FillRow = (y: number, into: PixelBuffer) => FilledWords;

/** The words of a row from `first` to before `last`, outside of which all are 0; of an empty row any such that hold none. */
export interface FilledWords {
  readonly first: number;
  readonly last: number;
}

/** One memory, seen as bytes and as little-endian words. */
export interface PixelBuffer {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** @returns the picture's own `fillRow`, or one that copies from `pixels` */
export function fillRowOf(picture: Image): FillRow {
  if (picture.fillRow !== undefined) return picture.fillRow;
  const { pixels, width, channels } = picture;
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

/** About two pixels to each side of the `wanted` ones, evenly chosen: enough for a small view, not for measuring. */
export function subsample(picture: Image, wanted: Size): Image {
  const step = Math.floor(Math.max(picture.width, picture.height) / (2 * Math.max(wanted.width, wanted.height)));
  if (step < 2) return picture;
  const { channels, icc } = picture;
  const [width, height] = [Math.ceil(picture.width / step), Math.ceil(picture.height / step)];
  const columns = centersOf(width, picture.width);
  const rows = centersOf(height, picture.height);
  const { bytes: pixels, words } = allocatePixels(width * height * channels);
  const row = allocatePixels(picture.width * channels);
  const fillRow = fillRowOf(picture);
  for (let y = 0, to = 0; y < height; y++) {
    fillRow(rows[y]!, row);
    for (let x = 0; x < width; x++) {
      if (channels === 4) words[to++] = row.words[columns[x]!]!;
      else for (let from = columns[x]! * 3, c = 0; c < 3; c++) pixels[to++] = row.bytes[from + c]!;
    }
  }
  return { width, height, channels, pixels, ...(icc === undefined ? {} : { icc }) };
}

/** The middle of each of `count` equal parts of a line of `length` pixels. */
function centersOf(count: number, length: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * length) / count));
}

/** A picture with what its making has to say in the job's report (plain JSON values). */
export interface EditedImage extends Image {
  readonly report: Readonly<Record<string, unknown>>;
}
