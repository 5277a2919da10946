import type { Image } from "./image.ts";

/** The product cut out of its photo, at full resolution. */
export interface CutOut {
  readonly width: number;
  readonly height: number;
  /** Interleaved u8 RGB with the old background's color taken out of soft edges; untouched where alpha is 255. */
  readonly rgb: Uint8Array;
  /** u8, width × height. */
  readonly alpha: Uint8Array;
  /** The source's ICC profile, kept for the result. */
  readonly icc?: Buffer;
  /** The same as RGBA at a thumbnail's size, where foreground estimation has made it. */
  readonly reduced?: Image;
}
