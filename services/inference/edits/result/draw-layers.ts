/** The layers of an edited image in the frame of its result. */

import { toSrgb } from "../../imaging/codec/open-image.ts";
import { type Background, isIdentity, type Layout, parseBackground } from "../../imaging/output/layout.ts";
import { renderInSrgb, renderLayout } from "../../imaging/output/render-layout.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import type { Image, ImageLayer } from "../../imaging/pixels/image.ts";
import type { EditInput } from "../edit.ts";
import { behindOf, drawPictureBehind, type ResultParts } from "./draw-result.ts";

/**
 * The lowest first: what the request puts behind the product, then the image's own layers. They are of the frame's size, in the
 * result's color space, and all but the lowest are transparent where they show nothing.
 *
 * @param parts whose edited image has layers
 * @throws PackshotError `background_unusable`
 */
export async function drawLayers(
  parts: ResultParts,
  layout: Layout,
  input: EditInput,
): Promise<[ImageLayer, ...ImageLayer[]]> {
  const layers = parts.edited.layers!;
  const { image: lowest } = layers[0];
  const isScene = lowest.channels === 3;
  const picture = isScene ? undefined : await drawPictureBehind(parts, layout, input);
  const color = isScene ? undefined : behindOf(input).color;
  const behind =
    picture === undefined
      ? drawColor(lowest, layout.frame, color)
      : ({ ...layout.frame, channels: 3, pixels: picture } as const);
  const drawn: ImageLayer[] = behind === undefined ? [] : [{ name: "background", image: behind }];
  // A picture may be in another color space than the image.
  const isSrgb = picture !== undefined;
  for (const { name, image } of layers) drawn.push({ name, image: await drawLayer(image, layout, isSrgb) });
  if (input.parameters.output?.colorSpace !== "srgb") return drawn as [ImageLayer];
  return (await Promise.all(drawn.map(async ({ name, image }) => ({ name, image: await toSrgb(image) })))) as [
    ImageLayer,
  ];
}

async function drawLayer(image: Image, layout: Layout, isSrgb: boolean): Promise<Image> {
  if (isSrgb) return await renderInSrgb(image, layout);
  return isIdentity(layout, image) ? image : await renderLayout(image, layout);
}

function drawColor({ icc }: Image, frame: Size, background = "transparent"): Image | undefined {
  const color = parseBackground(background);
  return color.alpha === 0 ? undefined : { ...plainImage(frame, color), icc };
}

function plainImage({ width, height }: Size, { r, g, b, alpha }: Background): Image {
  const pixel = alpha === 1 ? [r, g, b] : [r, g, b, Math.round(alpha * 255)];
  const pixels = new Uint8Array(width * height * pixel.length);
  for (const [c, value] of pixel.entries()) for (let i = c; i < pixels.length; i += pixel.length) pixels[i] = value;
  return { width, height, channels: alpha === 1 ? 3 : 4, pixels };
}
