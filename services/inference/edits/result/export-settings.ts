/** How a result is encoded: what its request asks for in `output`, and what its file says beside the pixels. */

import type { OutputFormat } from "@packshot/domain/edits/tools.ts";
import { decoderOf } from "../../decoder/image-decoder.ts";
import type { Embedded, EncodeSettings } from "../../imaging/codec/encode.ts";
import { readKeptMetadata } from "../../imaging/codec/source-metadata.ts";
import { type DigitalSourceType, xmpProperties } from "../../imaging/codec/xmp.ts";
import type { EditInput } from "../edit.ts";

export type ExportSettings = Omit<EncodeSettings, "quality"> & {
  /** The highest, where a size is searched for. */
  readonly quality?: number;
  readonly bytesMax?: number;
  /** No quality is taken that turns white to another color. */
  readonly keepsWhite?: boolean;
};

/** Whatever the format does not know is left out; `overridden` of the report names it. */
export async function exportSettings(input: EditInput, format: OutputFormat): Promise<ExportSettings> {
  const { output = {} } = input.parameters;
  const { quality, maxBytes, progressive, lossless, chroma } = output;
  return {
    format,
    gray: input.parameters.alphaOnly === true,
    quality,
    bytesMax: maxBytes,
    progressive,
    lossless: format === "jpeg" ? undefined : lossless,
    chroma,
    embedded: await embeddedOf(input),
  };
}

async function embeddedOf(input: EditInput): Promise<Embedded> {
  const { dpi, metadata = "none" } = input.parameters.output ?? {};
  const kept = await readKeptMetadata(input.source, metadata, decoderOf(input).readMetadataBlocks);
  const { words, exif } = kept;
  const xmp = xmpProperties(words, sourceTypeOf(input));
  return { xmp, exif, dpi: dpi ?? (exif && statableDpi(kept.dpi)) };
}

/** The value of EXIF 3.0 for an unknown resolution, which EXIF must state. */
const unknownDpi = 72;

/** A file with EXIF states the photo's resolution, unless no printer has such a one. libvips would state one pixel per millimeter. */
function statableDpi(dpi = unknownDpi): number {
  return dpi >= 1 && dpi <= 10_000 ? dpi : unknownDpi;
}

/**
 * A scene of the renderer is not learned and not photographed, and one of an image model is learned. Whether somebody's own picture behind the product is synthetic, nobody
 * here knows. A product on a color, with or without a shadow, is a photo with its background removed.
 */
export function sourceTypeOf({ tool, background, logo, parameters }: EditInput): DigitalSourceType | undefined {
  if (tool === "ai-bg") {
    return parameters.engine === "generative" ? "compositeWithTrainedAlgorithmicMedia" : "compositeSynthetic";
  }
  if (parameters.alphaOnly === true || parameters.preset !== undefined) return undefined;
  return background === undefined && logo === undefined ? undefined : "composite";
}
