/** What an image's first bytes and header say. The module opens no image, so that any process may import it. */

export const imageFormats = ["jpeg", "png", "webp", "avif", "tiff", "gif", "heic"] as const;
export type ImageFormat = (typeof imageFormats)[number];

export interface ImageHeader {
  readonly format: ImageFormat;
  readonly contentType: `image/${ImageFormat}`;
  /** Pixels as a viewer shows them: EXIF orientation applied. Of the first frame; of a TIFF, of the largest page. */
  readonly width: number;
  readonly height: number;
  /** Frames of an animation, pages of a TIFF; 1 for a still image. */
  readonly pages: number;
}

export interface ImageLimits {
  /** Width × height allowed, in pixels. */
  readonly maxPixels: number;
}

/** `inspectImage`, or the inspector of a process that must not open images itself: both throw the same errors. */
export type InspectImage = (source: Uint8Array | string, limits: ImageLimits) => Promise<ImageHeader>;

/** The first bytes that tell what an image is. */
export const sniffedBytesMax = 1024;

export function sniffImage(head: Uint8Array): ImageFormat | "svg" | "unknown" {
  const starts = (...bytes: number[]) => head.length >= bytes.length && bytes.every((byte, i) => head[i] === byte);
  const ascii = (from: number, to: number) => Buffer.from(head.subarray(from, to)).toString("latin1");
  if (starts(0xff, 0xd8, 0xff)) return "jpeg";
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return "webp";
  if (ascii(0, 6) === "GIF87a" || ascii(0, 6) === "GIF89a") return "gif";
  // II and MM with 42 is TIFF, with 43 BigTIFF.
  if (starts(0x49, 0x49, 0x2a, 0) || starts(0x4d, 0x4d, 0, 0x2a)) return "tiff";
  if (starts(0x49, 0x49, 0x2b, 0) || starts(0x4d, 0x4d, 0, 0x2b)) return "tiff";
  if (ascii(4, 8) === "ftyp") return sniffIsoMedia(head, ascii);
  if (/^\uFEFF?\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(Buffer.from(head).toString("utf8"))) {
    return /<svg[\s>:]/i.test(Buffer.from(head).toString("utf8")) ? "svg" : "unknown";
  }
  return "unknown";
}

/** ISO/IEC 23008-12: the brands of `ftyp` tell AV1 images from HEVC ones; `mif1` alone tells neither. */
function sniffIsoMedia(head: Uint8Array, ascii: (from: number, to: number) => string): ImageFormat | "svg" | "unknown" {
  const boxBytes = Math.min(new DataView(head.buffer, head.byteOffset, 4).getUint32(0), head.length);
  const brands = [ascii(8, 12)];
  for (let at = 16; at + 4 <= boxBytes; at += 4) brands.push(ascii(at, at + 4));
  if (brands.some((brand) => brand === "avif" || brand === "avis")) return "avif";
  if (brands.some((brand) => /^(hei[csmx]|hev[cmsx]|mif1|msf1)$/.test(brand))) return "heic";
  return "unknown";
}
