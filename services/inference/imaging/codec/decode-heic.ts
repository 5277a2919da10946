/**
 * Decodes HEIC with libheif compiled to WebAssembly, which is loaded at the first such photo (docs/adr/0024-heic.md). Each photo
 * gets an instance of its own: WebAssembly's memory only grows, and what one photo did to it ends with that photo.
 */

import { PackshotError } from "@packshot/domain/errors.ts";

export interface DecodedHeic {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Interleaved u8 RGB or RGBA, upright. */
  readonly data: Uint8Array;
}

/** Objects of the C++ side; those that report an error have a `code`. */
type Handle = object;

/** What we use of libheif's interface: its own names. */
interface Libheif {
  heif_context_alloc(): Handle & { readonly $$: { readonly ptr: number } };
  heif_context_read_from_memory(context: Handle, bytes: Uint8Array): LibheifError;
  heif_js_context_get_primary_image_handle(context: Handle): Handle | LibheifError;
  heif_image_handle_has_alpha_channel(handle: Handle): number | boolean;
  heif_js_decode_image2(handle: Handle, colorspace: Handle, chroma: Handle): DecodedImage | LibheifError;
  _heif_context_set_maximum_image_size_limit(context: number, side: number): void;
  readonly heif_error_code: { readonly heif_error_Ok: Handle };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: Handle };
  readonly heif_chroma: {
    readonly heif_chroma_interleaved_RGB: Handle;
    readonly heif_chroma_interleaved_RGBA: Handle;
  };
}

interface LibheifError {
  readonly code: Handle;
  readonly message: string;
}

interface DecodedImage {
  readonly channels: readonly {
    readonly width: number;
    readonly height: number;
    /** Bytes from one row to the next. */
    readonly stride: number;
    readonly data: Uint8Array;
  }[];
}

type CreateLibheif = (options: { print(): void; printErr(): void }) => Libheif;

/**
 * Decodes the primary image. Its rotation and mirroring are applied; more than 8 bits become 8.
 *
 * @param limits.maxPixels what libheif may allocate an image for, whatever the header said
 * @throws what libheif says of an image that it cannot decode; PackshotError `unsupported_media_type` where it is not
 *   installed
 */
export async function decodeHeic(
  bytes: Uint8Array,
  { maxPixels }: { readonly maxPixels: number },
): Promise<DecodedHeic> {
  const libheif = await createLibheif();
  const context = libheif.heif_context_alloc();
  libheif._heif_context_set_maximum_image_size_limit(context.$$.ptr, Math.ceil(Math.sqrt(maxPixels)));
  const read = libheif.heif_context_read_from_memory(context, bytes);
  if (read.code !== libheif.heif_error_code.heif_error_Ok) throw unreadable(read.message);
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if (isError(handle)) throw unreadable(handle.message);
  const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma;
  const { heif_colorspace_RGB: colorspace } = libheif.heif_colorspace;
  const image = await libheif.heif_js_decode_image2(handle, colorspace, channels === 4 ? rgba : rgb);
  if (isError(image)) throw unreadable(image.message);
  const [plane] = image.channels;
  if (plane === undefined) throw unreadable("it has no pixels");
  const { width, height } = plane;
  return { width, height, channels, data: withoutStride(plane, width * channels) };
}

/** A copy: the plane lies in the instance's memory. */
function withoutStride({ height, stride, data }: DecodedImage["channels"][number], rowBytes: number): Uint8Array {
  if (stride === rowBytes) return data.slice(0, rowBytes * height);
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  return rows;
}

/** Silent: what libheif prints would be lines of the worker's output. */
async function createLibheif(): Promise<Libheif> {
  try {
    // @ts-expect-error The package has types for its other modules only, and may not be installed.
    const { default: create } = (await import("libheif-js/libheif-wasm/libheif-bundle.mjs")) as {
      default: CreateLibheif;
    };
    return create({ print() {}, printErr() {} });
  } catch (cause) {
    throw new PackshotError("unsupported_media_type", "HEIC is not supported: export the photo as JPEG or PNG.", {
      cause,
    });
  }
}

function isError(result: object): result is LibheifError {
  return "code" in result;
}

function unreadable(message: string): Error {
  return new Error(`libheif: ${message}`);
}
