/** Images of one size, laid over each other. */

import { allocatePixels, type EditedImage, fillRowOf, type Image, type ImageLayer } from "../pixels/image.ts";

type Layers = readonly [ImageLayer, ...ImageLayer[]];

/** The image that its layers make, the first of them lowest: its pixels are computed when they are read. */
export function imageOfLayers(layers: Layers, about: Pick<EditedImage, "report" | "origin">): EditedImage {
  const { width, height, channels, icc } = layers[0].image;
  let stacked: Image | undefined;
  return {
    width,
    height,
    channels,
    icc,
    get pixels() {
      stacked ??= stackLayers(layers);
      return stacked.pixels;
    },
    layers,
    ...about,
  };
}

/**
 * The layers as one image, the first of them lowest. Nothing is rounded between two layers, so that whoever composes the same
 * layers gets the same image to ±1. It has alpha where the lowest layer has.
 *
 * @param layers of one size and color space; all above the lowest have alpha
 */
export function stackLayers(layers: Layers): Image {
  const { width, height, channels, icc } = layers[0].image;
  const pixels = new Uint8Array(width * height * channels);
  const rows = layers.map(({ image }) => ({
    channels: image.channels,
    fill: fillRowOf(image),
    target: allocatePixels(width * image.channels),
  }));
  const line = new Float32Array(4 * width);
  for (let y = 0; y < height; y++) {
    line.fill(0);
    for (const { channels: depth, fill, target } of rows) {
      fill(y, target);
      layOver(line, target.bytes, depth);
    }
    writeRow(line, pixels.subarray(y * width * channels, (y + 1) * width * channels), channels);
  }
  return { width, height, channels, pixels, icc };
}

/** @param line premultiplied RGBA: colors 0–255, alpha 0–1 */
function layOver(line: Float32Array, row: Uint8Array, channels: 3 | 4): void {
  for (let from = 0, to = 0; to < line.length; from += channels, to += 4) {
    const alpha = channels === 3 ? 1 : row[from + 3]! / 255;
    if (alpha === 0) continue;
    const kept = 1 - alpha;
    line[to] = line[to]! * kept + row[from]! * alpha;
    line[to + 1] = line[to + 1]! * kept + row[from + 1]! * alpha;
    line[to + 2] = line[to + 2]! * kept + row[from + 2]! * alpha;
    line[to + 3] = line[to + 3]! * kept + alpha;
  }
}

function writeRow(line: Float32Array, row: Uint8Array, channels: 3 | 4): void {
  for (let from = 0, to = 0; from < line.length; from += 4, to += channels) {
    const alpha = channels === 3 ? 1 : line[from + 3]!;
    if (alpha === 0) continue;
    row[to] = line[from]! / alpha + 0.5;
    row[to + 1] = line[from + 1]! / alpha + 0.5;
    row[to + 2] = line[from + 2]! / alpha + 0.5;
    if (channels === 4) row[to + 3] = alpha * 255 + 0.5;
  }
}
