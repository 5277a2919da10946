/** Parameters that say what stands behind the product, around it and over it. */

import { backgroundImage, mayBeNull, type PictureParameters } from "./framing.ts";

export const backgroundKinds = ["color", "original", "blur", "gradient", "image"] as const;
export type BackgroundKind = (typeof backgroundKinds)[number];

export interface BackgroundParameters extends PictureParameters {
  readonly kind?: BackgroundKind;
  /** `transparent`, `#rrggbb` or `#rrggbbaa`. */
  readonly color?: string;
  /** `#rrggbb` */
  readonly colorTo?: string;
  /** Degrees, clockwise: 0 runs up, 90 to the right. */
  readonly angle?: number;
  /** 0.1–1 */
  readonly blur?: number;
}

export interface OutlineParameters {
  /** Share of the product's longer side. */
  readonly width?: number;
  /** `#rrggbb` */
  readonly color?: string;
}

export const logoCorners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;

export interface LogoParameters extends PictureParameters {
  readonly corner?: (typeof logoCorners)[number];
  /** Shares of the frame's shorter side. */
  readonly size?: number;
  readonly margin?: number;
  /** 0–1 */
  readonly opacity?: number;
}

const { properties: pictureFields } = backgroundImage;

const backgroundFields = {
  kind: {
    type: "string",
    enum: backgroundKinds,
    examples: ["gradient"],
    description:
      "`color`: one color, or none. `original`: the photo itself, where it was. `blur`: the photo without the product, out of focus, over the whole frame. `gradient`: from `color` to `colorTo`. `image`: a picture of yours, which covers the frame. All but `color` make an opaque result in sRGB. Default color.",
  },
  color: {
    type: "string",
    pattern: "^(transparent|#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?)$",
    examples: ["#f4f1ec"],
    description:
      "With `color`: `#rrggbb`, `#rrggbbaa` for a translucent one, or `transparent`, the default. With `gradient`: the color where it begins. With `original`: the color beyond the photo's border. For these two `#rrggbb`, by default `#ffffff`.",
  },
  colorTo: {
    type: "string",
    pattern: "^#[0-9a-fA-F]{6}$",
    examples: ["#d9d2c5"],
    description: "With `gradient`: the color where it ends, `#rrggbb`. Default `#d9d9d9`.",
  },
  angle: {
    type: "number",
    minimum: 0,
    maximum: 360,
    examples: [180],
    description:
      "With `gradient`: its direction, in degrees clockwise, as in CSS: 0 up, 90 to the right, 180 down. Default 180.",
  },
  blur: {
    type: "number",
    minimum: 0.1,
    maximum: 1,
    examples: [0.5],
    description:
      "With `blur`: its strength, as a share of the strongest, whose standard deviation is 5 % of the frame's longer side. Default 0.5.",
  },
} as const;

const background = {
  type: "object",
  additionalProperties: false,
  description:
    "What stands behind the product. `output.background` and `backgroundImage` are short forms of the kinds `color` and `image`; where one is given beside this, it is named in the report's `overridden`. Ignored with `alphaOnly` and with a `preset`.",
  properties: {
    ...mayBeNull(backgroundFields),
    ...pictureFields,
  },
} as const;

/** What stands behind one of several files of an edit, which has no picture of its own. */
export const fileBackground = {
  type: "object",
  additionalProperties: false,
  description:
    "What stands behind the product in this file, in the place of the edit's own `background`. A picture of yours is one of the whole edit: give it there, and another kind here.",
  properties: mayBeNull({
    ...backgroundFields,
    kind: {
      ...backgroundFields.kind,
      enum: backgroundKinds.filter((kind) => kind !== "image"),
      description:
        "`color`: one color, or none. `original`: the photo itself, where it was. `blur`: the photo without the product, out of focus, over the whole frame. `gradient`: from `color` to `colorTo`. Default color.",
    },
  }),
} as const;

const outline = {
  type: "object",
  additionalProperties: false,
  description:
    "A line around the product, as of a sticker; an empty object makes the usual one. A crop to the product keeps room for it, as far as the photo reaches. Ignored with `alphaOnly` and with a `preset`.",
  properties: mayBeNull({
    width: {
      type: "number",
      minimum: 0.001,
      maximum: 0.1,
      examples: [0.015],
      description: "Width of the line, as a share of the product's longer side. Default 0.015.",
    },
    color: {
      type: "string",
      pattern: "^#[0-9a-fA-F]{6}$",
      examples: ["#ffffff"],
      description: "`#rrggbb`. Default `#ffffff`.",
    },
  }),
} as const;

export const logo = {
  type: "object",
  additionalProperties: false,
  description:
    "A picture of yours over a corner of the result, from one of `imageUrl` and `uploadSessionId`: a PNG or WebP with transparency, mostly. The result is in sRGB. It counts as much as the photo against `maxFileSizeBytes` and `maxWaitingBytes`. What cannot be used fails the job with `logo_unusable`. Ignored with `alphaOnly` and with a `preset`.",
  properties: {
    ...pictureFields,
    ...mayBeNull({
      corner: {
        type: "string",
        enum: logoCorners,
        examples: ["bottom-right"],
        description: "Default bottom-right.",
      },
      size: {
        type: "number",
        minimum: 0.02,
        maximum: 0.5,
        examples: [0.15],
        description: "The logo's longer side, as a share of the frame's shorter side. Default 0.15.",
      },
      margin: {
        type: "number",
        minimum: 0,
        maximum: 0.25,
        examples: [0.03],
        description: "Its distance from the two borders, as a share of the frame's shorter side. Default 0.03.",
      },
      opacity: {
        type: "number",
        minimum: 0,
        maximum: 1,
        examples: [0.8],
        description:
          "How much of it covers what is below, as a share: from 0, not to be seen, to 1, as it is. Default 1.",
      },
    }),
  },
} as const;

export interface SurroundingParameters {
  readonly background?: BackgroundParameters;
  readonly backgroundImage?: PictureParameters;
  readonly outline?: OutlineParameters;
  readonly logo?: LogoParameters;
}

/** For tools that leave the product on its own. */
export const surroundings = { background, backgroundImage, outline, logo } as const;

interface Backgrounds extends SurroundingParameters {
  readonly output?: { readonly background?: string };
}

/** What stands behind the product: `background`, else one of its short forms. */
export function backgroundOf(parameters: Backgrounds): BackgroundParameters & { readonly kind: BackgroundKind } {
  const { background: given, backgroundImage: picture, output } = parameters;
  if (given !== undefined) return { kind: "color", ...given };
  if (picture !== undefined) return { kind: "image", ...picture };
  return { kind: "color", ...(output?.background === undefined ? {} : { color: output.background }) };
}

/** The short forms that do not apply, because `background` is given. */
export function overriddenBackgrounds({ background: given, backgroundImage: picture, output }: Backgrounds): string[] {
  if (given === undefined) return [];
  return [
    ...(output?.background === undefined ? [] : ["output.background"]),
    ...(picture === undefined ? [] : ["backgroundImage"]),
  ];
}
