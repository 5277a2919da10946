/** Parameters that say how the product stands, and what shadow it has. */
import { mayBeNull } from "./framing.ts";

export const poses = ["auto", "standing", "lying", "hanging"] as const;
export const cameras = ["auto", "level", "above"] as const;

/** What the request says of the product's pose; `auto` or absent: it is estimated. */
export interface PoseParameters {
  readonly pose?: (typeof poses)[number];
  readonly camera?: (typeof cameras)[number];
}

export const shadowKinds = ["auto", "cast", "contact", "drop", "float", "reflection", "none"] as const;
export type ShadowKind = (typeof shadowKinds)[number];

export interface ShadowParameters {
  /** Absent: auto. */
  readonly kind?: ShadowKind;
  /** The shadow's length, as a share of the product's height, 0–3. */
  readonly length?: number;
  /** `#rrggbb`. */
  readonly color?: string;
  /** Where the light comes from, in degrees clockwise seen from above: 0 is behind the product, 90 is right of it. */
  readonly direction?: number;
  /** 0 hard – 1 very soft. */
  readonly softness?: number;
  /** 0–1. */
  readonly opacity?: number;
}

/** With ai-bg, where the request says none. */
export const opacityInScenes = 0.94;

export const poseFields = {
  pose: {
    type: "string",
    enum: poses,
    description:
      "How the product stands, instead of an estimate: `standing` on its ground, `lying` and seen from above, or `hanging` in front of a wall, as a garment does. Default auto: estimated from its outline and from the photo's shadow; `shadow.stance` in the report says the outcome.",
  },
  camera: {
    type: "string",
    enum: cameras,
    description:
      "Where the photo was taken from, instead of an estimate: `level`, from the height of the product, or `above`, looking down on it, so that what is not said to stand lies. Default auto.",
  },
} as const;

const lightFields = {
  direction: {
    type: "number",
    minimum: 0,
    maximum: 360,
    description:
      "Where the light comes from, in degrees clockwise as seen from above: 0 (and 360) from behind the product, so that the shadow falls toward the viewer; 90 from the right, 180 from the viewer's side, 270 from the left. When absent, drawn from the seed: with ai-shadows 35 to 105, or 255 to 325, on the side from which the photo's own light comes, where its shadow or the product's shading show it.",
  },
  softness: {
    type: "number",
    minimum: 0,
    maximum: 1,
    description:
      "Size of the lamp, as a share of the largest: from 0, a hard edge, to 1, a very soft one. When absent, drawn from the seed: with ai-shadows between 0.35 and 0.75, and by 0.2 more where neither `direction` nor the photo says from which side the light comes.",
  },
  opacity: {
    type: "number",
    minimum: 0,
    maximum: 1,
    description: `Strength, as a share of the full shadow: from 0, none, to 1. When absent, with ai-shadows drawn from the seed between 0.82 and 0.95, with ai-bg ${opacityInScenes}.`,
  },
} as const;

export const shadow = {
  type: "object",
  description:
    "The shadow, and the light that casts it. With ai-bg, what is absent follows from the theme's light and the seed, and the whole scene is lit from the same side.",
  additionalProperties: false,
  properties: mayBeNull({
    kind: {
      type: "string",
      enum: shadowKinds,
      description:
        "`cast`: falls on the ground, or on the plane behind what lies or hangs. `contact`: soft and close, only below the product. `drop`: the outline, moved and soft, as of a sheet before a wall. `float`: a soft pool on the ground below a product that hovers. `reflection`: the product mirrored in a glossy ground. `none`: the product alone. Default auto: with ai-shadows the photo's own shadow where `naturalShadow` in the report is `separated` and none of direction, softness and length is given, else what suits the product's stance; with ai-bg `cast`, and `none` where the photo's lower border cuts the product or it hangs from a rail.",
    },
    length: {
      type: "number",
      minimum: 0,
      maximum: 3,
      examples: [0.6],
      description:
        "Length of a cast shadow, as a share of the product's height, from 0, below it, to 3; of a dropped one how far it is moved, of a floating one how high the product hovers, relative to the usual at 0.75. When absent, with ai-shadows drawn from the seed between 0.53 and 0.97 (0.32 and 0.67 where neither `direction` nor the photo says from which side the light comes), with ai-bg as the theme's light has it.",
    },
    color: {
      type: "string",
      pattern: "^#[0-9a-fA-F]{6}$",
      examples: ["#1a1a3a"],
      description:
        "Color of the shadow, `#rrggbb`. Default: with ai-shadows black, `#000000`; with ai-bg what the light of the scene leaves of its ground.",
    },
    ...lightFields,
  }),
} as const;
