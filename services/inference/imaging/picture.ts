/** An uncompressed picture, as stages hand it to one another. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGB with straight (not premultiplied) alpha. */
  readonly channels: 3 | 4;
  /** Interleaved u8, width × height × channels, sRGB or in the space of `icc`. */
  readonly pixels: Uint8Array;
  readonly icc?: Buffer;
}

/** A picture with what its making has to say in the job's report (plain JSON values). */
export interface EditedPicture extends Picture {
  readonly report: Readonly<Record<string, unknown>>;
}
