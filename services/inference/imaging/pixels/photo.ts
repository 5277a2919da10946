import type { ImageFormat } from "@packshot/platform/images/image-header.ts";

export interface Photo {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Interleaved u8 RGB, width × height × 3, in sRGB or in the space of `icc`. */
  readonly rgb: Uint8Array;
  /** The source's own alpha (u8, width × height); absent where the source is opaque. */
  readonly alpha?: Uint8Array;
  /** Only where `alpha` is a mask of the caller's: what the source has itself; null where it is opaque. */
  readonly alphaBelowMask?: Uint8Array | null;
  /** The source has a channel that may be transparency or anything else, and it was left out. */
  readonly hasAmbiguousAlpha?: true;
  /** The source's RGB profile. Absent after CMYK or gray, whose profiles do not fit RGB pixels. */
  readonly icc?: Buffer;
}

/** What the source shows of itself, whatever mask it has got; undefined: all of it. */
export function sourceAlphaPlane({ alpha, alphaBelowMask }: Photo): Uint8Array | undefined {
  return alphaBelowMask === undefined ? alpha : (alphaBelowMask ?? undefined);
}
