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
