/**
 * Parameters that say which part of the photo counts, and where the product stands in the result: what clients of other
 * background removers expect of one.
 */
/** `30px`, or `10%` of a length that the parameter names. */
export type Length = string;

const lengthPattern = "^[0-9]{1,5}(\\.[0-9]{1,6})?(px|%)$";
/**
 * Only the worker knows how large the photo is. Clients' divisions give shares slightly above 100%, which the worker rounds to the
 * photo's edge; 101% lies beyond any photo whose sides have 50 px.
 */
const lengthInPhoto = {
  pattern: "^([0-9]{1,5}(\\.[0-9]{1,6})?px|0{0,3}(100|[0-9]{1,2})(\\.[0-9]{1,6})?%)$",
  "x-pattern-words": 'must be a length in the photo such as "120px" or "10%", up to 100%',
};

export function lengthInPixels(length: Length, whole: number): number {
  const value = Number.parseFloat(length);
  return length.endsWith("%") ? (value / 100) * whole : value;
}

/** A rectangle of the photo as a viewer shows it. */
export interface RegionParameters {
  readonly left?: Length;
  readonly top?: Length;
  readonly right?: Length;
  readonly bottom?: Length;
}

/** A place in the photo as a viewer shows it. */
export interface PointParameters {
  readonly x?: Length;
  readonly y?: Length;
}

/** The free space around the product, beyond its box. */
export interface MarginParameters {
  readonly top?: Length;
  readonly right?: Length;
  readonly bottom?: Length;
  readonly left?: Length;
}

/** A margin in pixels may have so many also around a smaller product, as with remove.bg. */
export const marginPixelsMax = 500;

/** A position that is left out, as a share of the free space. */
export const centered = 0.5;

export interface FramingParameters {
  readonly margin?: MarginParameters;
  /** The product's share of the frame, .1–1. */
  readonly scale?: number;
  /** 0–1: from the frame's left or upper edge to the other. */
  readonly position?: { readonly x?: number; readonly y?: number };
  /** The result is scaled down to at most so many million pixels. */
  readonly maxMegapixels?: number;
}

/** A picture beside the photo: one of the two. */
export interface PictureParameters {
  readonly imageUrl?: string;
  readonly uploadSessionId?: string;
}

/** The picture whose light a photo gets: one of the three. */
export interface TonePictureParameters extends PictureParameters {
  readonly jobId?: string;
}

function lengths(
  descriptions: Readonly<Record<string, string>>,
  rule: { readonly pattern: string } = { pattern: lengthPattern },
): Readonly<Record<string, object>> {
  const fields = Object.entries(descriptions).map(([name, description]) => {
    return [name, { type: "string", ...rule, examples: ["120px", "10%"], description }] as const;
  });
  return mayBeNull(Object.fromEntries(fields));
}

export const region = {
  type: "object",
  additionalProperties: false,
  description:
    "Only what lies in this rectangle of the photo can be the product; all else is removed. Each side is `120px` or `10%` of the photo's width or height, counted from its upper left corner as a viewer shows the photo. A rectangle that is empty or leaves the photo fails the job with `region_out_of_bounds`.",
  properties: lengths(
    {
      left: "Where the rectangle begins. Default 0%.",
      top: "Where the rectangle begins. Default 0%.",
      right: "Where the rectangle ends, from the photo's left side. Default 100%.",
      bottom: "Where the rectangle ends, from the photo's upper side. Default 100%.",
    },
    lengthInPhoto,
  ),
} as const;

export const point = {
  type: "object",
  additionalProperties: false,
  description:
    "The product is the thing at this point of the photo, and all else is removed. Each of both is `120px` or `10%` of the photo's width or height, counted from its upper left corner as a viewer shows the photo. With a `region`, a point in it. A point beyond the photo or the region fails the job with `point_out_of_bounds`, and one on the background with `no_product_found`.",
  properties: lengths(
    {
      x: "From the photo's left side. Default 50%.",
      y: "From the photo's upper side. Default 50%.",
    },
    lengthInPhoto,
  ),
} as const;

const pictureFields = {
  imageUrl: {
    type: "string",
    maxLength: 2048,
    examples: ["https://shop.example/photos/mug-mask.png"],
    description: "http, https, or `s3://<connection>/<key>`; fetched when the job runs.",
  },
  uploadSessionId: { type: "string", maxLength: 100, description: "Of an upload session that has its bytes." },
} as const;

const pictureProperties = mayBeNull(pictureFields);

export const maskImage = {
  type: "object",
  additionalProperties: false,
  description:
    "Your own matte of the photo, from one of `imageUrl` and `uploadSessionId`, or the file `maskImage` of a form, which then has both within `maxFileSizeBytes`: no model runs. White, or the opaque part of a picture with transparency, is the product. It may have any size up to 25 megapixels, or 4 times the photo's pixels where that is more, in the photo's aspect ratio, to 1 %. What is transparent in the photo stays so, unless `existingAlpha` is `ignore`. Where the mask cannot be read, shows nothing of the photo or has another aspect ratio, the job fails with `mask_unusable`. It counts as much as the photo against `maxFileSizeBytes` and `maxWaitingBytes`.",
  properties: pictureProperties,
} as const;

export const existingAlpha = {
  type: "string",
  enum: ["auto", "keep", "ignore"],
  examples: ["keep"],
  description:
    "What becomes of the source's own transparency. `auto`: it is the matte where the source is a cut-out already, and else stays transparent in a predicted one. `keep`: it is the matte in any case, where `maskImage` shows it, and no model runs; a source without transparency is predicted. `ignore`: the photo is taken as opaque. Default auto.",
} as const;

export const refine = {
  type: "boolean",
  examples: [true],
  description:
    "Of your own matte, from `maskImage` or the source's transparency: true aligns its edge with the photo's and takes the old background's color out of soft pixels. Default false: it is taken as it is. A predicted matte is refined in any case.",
} as const;

export const backgroundImage = {
  type: "object",
  additionalProperties: false,
  description:
    "A picture behind the product, instead of `output.background`: from one of `imageUrl` and `uploadSessionId`. It is scaled to cover the frame and cut off evenly where it is longer. The result is opaque. It counts as much as the photo against `maxFileSizeBytes` and `maxWaitingBytes`. Ignored with `alphaOnly` and with a `preset`.",
  properties: pictureProperties,
} as const;

export const paletteImage = {
  type: "object",
  additionalProperties: false,
  description:
    "A picture from which the scene takes its colors, in the place of `palette`, and the direction of its light: from one of `imageUrl` and `uploadSessionId`, or the file `paletteImage` of a form, which then has all files within `maxFileSizeBytes`. The color of its wall, of its ground, and of up to three other parts count; colors of `palette` replace the first ones, and `shadow.direction` its light. `scene.reference` in the report says what was taken. With `engine: generative` the image model sees the picture, too, as a reference for the look. The picture may have 24 million pixels. Where it cannot be fetched or read, the job fails with `palette_unusable`. It counts as much as the photo against `maxFileSizeBytes` and `maxWaitingBytes`.",
  properties: pictureProperties,
} as const;

export const toneImage = {
  type: "object",
  additionalProperties: false,
  description:
    "With `tone: match`, the picture whose light the photo gets: from one of `imageUrl`, `uploadSessionId` and `jobId`, or the file `toneImage` of a form, which then has all files within `maxFileSizeBytes`. A photo of the same set, on the same backdrop. It may have 24 million pixels. Where it cannot be fetched or read, the job fails with `tone_unusable`. It counts as much as the photo against `maxFileSizeBytes` and `maxWaitingBytes`.",
  properties: mayBeNull({
    ...pictureFields,
    jobId: {
      type: "string",
      maxLength: 36,
      examples: ["0193c3a2-7b1e-7c4d-9f60-2a5b8c7d1e3f"],
      description:
        "Id of another of the account's jobs, whose light counts: that of its photo as it came (a photo at an address is fetched from it anew); where it matched another picture itself, of that one; where it has `tone: neutral`, that of its result, once it has completed. Otherwise whatever its status, until its `expiresAt`; of live jobs for live keys, and of test jobs for test keys. Another id is refused with `not_found`, and in a batch its row fails with `tone_unusable`.",
    },
  }),
} as const;

/** Fields of `output` for tools that leave the product on its own. */
export const framingFields = {
  margin: {
    type: "object",
    additionalProperties: false,
    description:
      "With `crop: product`, free space around the product: each side is `30px` of the photo or `10%` of the product's width or height. A share counts up to 100%, pixels up to 500px, or up to the product's width or height where that is more; a side with more is named in the report's `overridden`. Default 0.",
    properties: lengths({
      top: "Above the product.",
      right: "Right of the product.",
      bottom: "Below the product.",
      left: "Left of the product.",
    }),
  },
  scale: {
    type: "number",
    minimum: 0.1,
    maximum: 1,
    description:
      "The product's share of the frame: scaled until its width or its height is this share of the frame's. It may be enlarged. The frame is as large as it would be without; `align` no longer applies.",
  },
  position: {
    type: "object",
    additionalProperties: false,
    description: "Where the product stands in the frame, whole. Without it and with `scale`, in the middle.",
    properties: mayBeNull({
      x: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "As a share of the free width: from 0, at the left edge, to 1, at the right. Default .5.",
      },
      y: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "As a share of the free height: from 0, at the upper edge, to 1, at the lower. Default .5.",
      },
    }),
  },
  maxMegapixels: {
    type: "number",
    minimum: 0.01,
    maximum: 1000,
    description: "A larger result is scaled down to at most so many million pixels. Its aspect ratio stays.",
  },
} as const;

/** JSON Schema of optional request fields: in a request null equals absent. */

export interface FieldSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Every field is optional, so the schema allows null for it. */
export function mayBeNull(fields: Readonly<Record<string, FieldSchema>>): Readonly<Record<string, object>> {
  const nullable = ({ enum: values, ...field }: FieldSchema) => ({
    ...field,
    type: [field.type, "null"],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, nullable(field)]));
}
