/** Fields of `output` that say how the finished picture becomes a file. */

export const chromas = ["4:2:0", "4:4:4"] as const;
export type Chroma = (typeof chromas)[number];

export const metadataKinds = ["none", "copyright", "all"] as const;
export type MetadataKind = (typeof metadataKinds)[number];

export interface ExportParameters {
  /** The file has at most so many bytes. */
  readonly maxBytes?: number;
  /** Pixels per inch, as the file says. */
  readonly dpi?: number;
  /** A JPEG that comes sharper and sharper, an interlaced PNG. */
  readonly progressive?: boolean;
  readonly lossless?: boolean;
  readonly chroma?: Chroma;
  readonly colorSpace?: "srgb" | "source";
  readonly metadata?: MetadataKind;
  /** 0–1: strength, where the image was scaled down. */
  readonly sharpen?: number;
}

export const exportFields = {
  sharpen: {
    type: "number",
    minimum: 0,
    maximum: 1,
    examples: [0.5],
    description:
      "Sharpens the product, and a scene that is scaled with it, where the result is smaller than the photo: strength, as a share of the strongest, whose edges exceed what is on either side by at most a tenth of its contrast. The cut-out's edge stays as it is, and what is behind it does not count. Not for a result that is as large or larger, and not with `alphaOnly`. Default 0.",
  },
  maxBytes: {
    type: "integer",
    minimum: 1000,
    maximum: 100_000_000,
    examples: [500_000],
    description:
      "The file has at most so many bytes: the highest quality up to `quality` and from 10 on is searched that keeps to them, in at most four encodings (and one at quality 10 where none of these fits), mostly to within 3 % below the limit where a quality reaches that. `encoding` in the report says the outcome. A PNG is compressed harder. Where nothing keeps to it, the job fails with `max_bytes_unreachable`.",
  },
  dpi: {
    type: "integer",
    minimum: 72,
    maximum: 1200,
    examples: [300],
    description:
      "Resolution that the file states for print, in pixels per inch; the pixels stay the same. Default: with `metadata` that is kept, the photo's, or 72 where its EXIF states none; else none is stated.",
  },
  progressive: {
    type: "boolean",
    examples: [true],
    description: "A progressive JPEG, or an interlaced PNG. WebP and AVIF know no such thing. Default false.",
  },
  lossless: {
    type: "boolean",
    examples: [true],
    description:
      "A WebP or AVIF without loss; `quality` and `chroma` no longer apply. A PNG never loses anything, and a JPEG always does: with `format: jpeg` it is named in the report's `overridden`. Default false.",
  },
  chroma: {
    type: "string",
    enum: chromas,
    examples: ["4:4:4"],
    description:
      "Resolution of the colors in a JPEG or AVIF: `4:4:4` has all of it, `4:2:0` a quarter, in smaller files with softer edges of color. Default 4:2:0 for JPEG, 4:4:4 for AVIF. WebP always has 4:2:0.",
  },
  colorSpace: {
    type: "string",
    enum: ["srgb", "source"],
    examples: ["srgb"],
    description:
      "`source` keeps the photo's RGB profile, as of Display P3 or Adobe RGB, and its colors as they are, where the profile is one of three primaries and three curves, as nearly all are; a photo with another one is converted to sRGB. `srgb` converts them to sRGB, for shops that ignore profiles. Default source. A result with a preset, a picture or a logo is sRGB in any case.",
  },
  metadata: {
    type: "string",
    enum: metadataKinds,
    examples: ["copyright"],
    description:
      "What the file keeps of the photo's EXIF, IPTC and XMP. `copyright`: creator, credit, copyright notice, usage terms and their web page. `all`: also title, description, keywords, date, camera, exposure and place (GPS); never previews and makers' notes. Default none.",
  },
} as const;
