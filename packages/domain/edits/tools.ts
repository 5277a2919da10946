/**
 * The tools and the JSON Schema of their parameters. The API validates edits by it, `GET /v1/tools` answers with it, and
 * flat form fields ("output.format") are read by it.
 */
import { type BackgroundParameters, logo, type SurroundingParameters, surroundings } from "./background.ts";
import { type EngineParameters, engineFields } from "./engine.ts";
import { type ExportParameters, exportFields } from "./export.ts";
import {
  existingAlpha,
  type FramingParameters,
  framingFields,
  maskImage,
  mayBeNull,
  type PictureParameters,
  type PointParameters,
  paletteImage,
  point,
  type RegionParameters,
  refine,
  region,
  type TonePictureParameters,
  toneImage,
} from "./framing.ts";
import { outputsSchema } from "./outputs.ts";
import { pipelineParameter as pipeline } from "./pipeline.ts";
import { type OnPoorSource, onPoorSource } from "./poor-source.ts";
import { type PoseParameters, poseFields, type ShadowParameters, shadow } from "./shadow.ts";
import { type ToneMode, tone } from "./tone.ts";

export const toolIds = ["mask", "ai-shadows", "ai-bg"] as const;
export type ToolId = (typeof toolIds)[number];

export function isToolId(value: string): value is ToolId {
  return (toolIds as readonly string[]).includes(value);
}

const outputFormats = ["png", "webp", "jpeg", "avif"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Marketplaces' rules for a main image: `services/inference/imaging/output/preset-rules.ts`. */
export const outputPresets = [
  "amazon-main",
  "google-shopping",
  "ebay",
  "etsy",
  "zalando",
  "shopify-square",
  "square-white",
] as const;
export type OutputPreset = (typeof outputPresets)[number];

const outputAligns = ["center", "top", "bottom", "left", "right"] as const;
export type OutputAlign = (typeof outputAligns)[number];

/** How the finished image is laid out and encoded. Absent fields take the tool's default. */
export interface OutputParameters extends FramingParameters, ExportParameters {
  readonly format?: OutputFormat;
  /** 1–100, for lossy formats. */
  readonly quality?: number;
  /** Pixels; one alone keeps the aspect ratio. */
  readonly width?: number;
  readonly height?: number;
  /** Share of the frame kept free on each side, 0–0.45. */
  readonly padding?: number;
  readonly align?: OutputAlign;
  readonly crop?: "none" | "product";
  /** What becomes of a shadow that goes beyond the image. */
  readonly fit?: "keep" | "grow";
  /** `transparent`, `#rrggbb` or `#rrggbbaa`. */
  readonly background?: string;
}

/** What photos of a set have in common beside theme, seed, shadow and frame: camera and ground line are the scene's own. */
export interface SceneParameters {
  /** The product's share of the frame's height, 0.1–0.95. */
  readonly productHeight?: number;
  /** Where the product's foot is, as a share of the frame's height from above, 0.3–1. */
  readonly baseline?: number;
  /** How far the camera looks down, in degrees. */
  readonly cameraPitch?: number;
}

/** One of several files of an edit. What it has goes before what the edit's other parameters say of all files. */
export interface OutputRequest {
  /** Unique in its edit. */
  readonly name: string;
  /** A marketplace's, once one of the account's own is filled in. */
  readonly preset?: string;
  readonly output?: OutputParameters;
  readonly shadow?: ShadowParameters;
  /** Without a picture of its own. */
  readonly background?: Omit<BackgroundParameters, "imageUrl" | "uploadSessionId">;
}

/** Parameters of an edit as a client may send them. All are optional; the schema refuses unknown ones. */
export interface EditParameters extends PoseParameters, SurroundingParameters, EngineParameters {
  readonly seed?: number;
  readonly mode?: "standard";
  readonly theme?: string;
  /** Words that the scene must not show. */
  readonly avoid?: string;
  /** `#rrggbb`, 1 to 5. */
  readonly palette?: readonly string[];
  readonly paletteImage?: PictureParameters;
  /** A model's name, or `name@version`. */
  readonly model?: string;
  /** A version of the whole pipeline. */
  readonly pipeline?: string;
  readonly alphaOnly?: boolean;
  readonly keepShadow?: boolean;
  readonly preset?: OutputPreset;
  readonly output?: OutputParameters;
  readonly shadow?: ShadowParameters;
  readonly scene?: SceneParameters;
  /** 0–1: how much the scene's light changes the product. */
  readonly harmonize?: number;
  /** How many results, 1–4: with the seed, and with those that follow it. */
  readonly variations?: number;
  /** The result's layers, each as a file of its own. */
  readonly layers?: boolean;
  /** Several files of one cut-out, the first of which is the result. */
  readonly outputs?: readonly OutputRequest[];
  readonly region?: RegionParameters;
  readonly point?: PointParameters;
  readonly maskImage?: PictureParameters;
  readonly existingAlpha?: "auto" | "keep" | "ignore";
  readonly refine?: boolean;
  readonly onPoorSource?: OnPoorSource;
  readonly tone?: ToneMode;
  readonly toneImage?: TonePictureParameters;
}

export const seedMax = 4_294_967_295;

const seed = {
  type: "integer",
  minimum: 0,
  maximum: seedMax,
  description:
    "A number of your choice, without a unit: the same source, parameters, seed and model version give the same image. When absent, a random seed is chosen; the job shows it.",
} as const;

const model = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  pattern: "^[a-z0-9][a-z0-9._-]*(@[0-9]+)?$",
  examples: ["packshot", "packshot@2"],
  description:
    "The segmentation model: a name, or `name@version`. The tool's `models` lists the names; the first is the default.",
} as const;

const outputFields = {
  format: {
    type: "string",
    enum: outputFormats,
    description: "Default: png for mask and ai-shadows, jpeg for ai-bg. A JPEG has no transparency; it gets white.",
  },
  quality: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    description:
      "Quality of the encoding, in percent: of a JPEG or WebP (default 90) or AVIF (default 60); PNG has none.",
  },
  width: {
    type: "integer",
    minimum: 1,
    maximum: 8192,
    description:
      "In pixels. With one of width and height, the other follows from the aspect ratio, up to 8192 pixels (or the longer side of what is shown): a larger result is scaled down, and `scaledFrom` in the report says from what.",
  },
  height: {
    type: "integer",
    minimum: 1,
    maximum: 8192,
    description:
      "In pixels. With one of width and height, the other follows from the aspect ratio, up to 8192 pixels (or the longer side of what is shown): a larger result is scaled down, and `scaledFrom` in the report says from what.",
  },
  padding: {
    type: "number",
    minimum: 0,
    maximum: 0.45,
    description:
      "Free space on each side, as a share of the frame's width and height. Without `width` and `height` the frame grows around what is shown, to 8192 pixels a side at most (or the photo's own longer side): a larger result is scaled down, and `scaledFrom` in the report says from what. Default 0.",
  },
  align: {
    type: "string",
    enum: outputAligns,
    description: "Where the image lies in a frame of another aspect ratio. Default center.",
  },
  crop: {
    type: "string",
    enum: ["none", "product"],
    description: "`product` crops to the visible pixels before the layout. Default none.",
  },
  background: {
    type: "string",
    pattern: "^(transparent|#[0-9a-fA-F]{6})$",
    examples: ["#ffffff", "transparent"],
    description: "The color behind transparent pixels, `#rrggbb`. Default transparent.",
  },
} as const;

const ofOutput = {
  type: "object",
  description: "How the result is laid out and encoded.",
  additionalProperties: false,
} as const;

/** For tools that leave the product on its own. */
const outputFieldsOfProduct = {
  ...outputFields,
  background: {
    type: "string",
    pattern: "^(transparent|#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?)$",
    examples: ["#ffffff", "#ffffff80", "transparent"],
    description:
      "The color behind transparent pixels, `#rrggbb`, or `#rrggbbaa` for one that lets some through. Default transparent.",
  },
  ...framingFields,
  ...exportFields,
} as const;

const outputOfProduct = { ...ofOutput, properties: mayBeNull(outputFieldsOfProduct) } as const;

const outputOfShadow = {
  ...ofOutput,
  properties: mayBeNull({
    ...outputFieldsOfProduct,
    fit: {
      type: "string",
      enum: ["keep", "grow"],
      examples: ["grow"],
      description:
        "`keep`: what goes beyond the photo's edges fades out before them. `grow`: the canvas widens until nothing of the shadow or the reflection is cut off, before the layout; `grown` in the report says by how much. It grows to four times the photo's pixels, that of a small photo to 16 million; where more is needed, the job fails with `canvas_too_large`. Not on a side where the photo's border cuts the product, and not with `outline`. Default keep.",
    },
  }),
} as const;

const outputOfScene = {
  ...ofOutput,
  properties: mayBeNull({ ...outputFields, ...framingFields, ...exportFields }),
} as const;

/** A set of photos shares it: docs/guides/scenes.md. */
const scene = {
  type: "object",
  description:
    "Fixes the camera for a set of photos: with the same `scene`, theme, seed, `shadow`, and width and height of `output`, every product stands in the same place before the same background, whatever its photo. Without it, the camera follows from the product.",
  additionalProperties: false,
  properties: mayBeNull({
    productHeight: {
      type: "number",
      minimum: 0.1,
      maximum: 0.95,
      examples: [0.6],
      description:
        "The product's height, as a share of the frame's height; a wide product is smaller, so that it takes at most 0.72 of the width. `output.scale` no longer applies. Default 0.6.",
    },
    baseline: {
      type: "number",
      minimum: 0.3,
      maximum: 1,
      examples: [0.86],
      description:
        "Where the product's foot stands, as a share of the frame's height from above. A product that was photographed from above lies in the middle instead. `output.position.y` no longer applies. Default 0.86.",
    },
    cameraPitch: {
      type: "number",
      minimum: 5,
      maximum: 40,
      examples: [17],
      description: "How far the camera looks down on the ground, in degrees. Default 17.",
    },
  }),
} as const;

const harmonize = {
  type: "number",
  minimum: 0,
  maximum: 1,
  examples: [0.5],
  description:
    "How much the scene's light changes the product, as a share of the most: softly, over the whole product, each color value by at most 15 % at 1. At 0 the product's opaque pixels stay the photo's own. `harmonize` in the report says by how much the product was changed. Default 0.",
} as const;

const variationsMax = 4;

/** `variation-1` is the result itself. */
export function variationName(number: number): string {
  return `variation-${number}`;
}

export function isVariationName(name: unknown): name is string {
  return Array.from({ length: variationsMax }, (_, i) => variationName(i + 1)).includes(name as string);
}

const variations = {
  type: "integer",
  minimum: 1,
  maximum: variationsMax,
  examples: [4],
  description:
    "Number of results, with as many seeds: `seed`, the next number, and so on. Each costs the credits of an edit. The job has them in `results`; `resultUrl` is the first. Not in batches. Default 1.",
} as const;

/** Which model and code run. */
const versions = { model, pipeline } as const;

/** Lowest first. */
export const layerNames = ["background", "shadow", "product"] as const;
export type LayerName = (typeof layerNames)[number];

export function isLayerName(name: unknown): name is LayerName {
  return (layerNames as readonly unknown[]).includes(name);
}

const layers = {
  type: "boolean",
  examples: [true],
  description:
    "true: the job has the layers of which its result is composed in `layers`, each a PNG of the result's size: what is behind, the shadow, and the product. Laid over each other in their order they give the result, to ±1 of 255 before it is encoded. They cost nothing more. Not with `variations` above 1, `outline` or `logo`, and not in batches. Default false.",
} as const;

const outputsOfProduct = outputsSchema({ output: outputOfShadow, hasBackground: true });
const outputsOfScene = outputsSchema({ output: outputOfScene, hasBackground: false });

/** What is said of the photo. */
const ofSource = { maskImage, existingAlpha, refine, onPoorSource } as const;

export interface Tool {
  readonly id: ToolId;
  readonly name: string;
  readonly description: string;
  readonly creditsPerEdit: number;
  /** JSON Schema (2020-12) of `parameters`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const tools: Readonly<Record<ToolId, Tool>> = {
  mask: {
    id: "mask",
    name: "Mask",
    description: "Removes the background and returns the cut-out product as a transparent PNG.",
    creditsPerEdit: 1,
    parameters: {
      type: "object",
      additionalProperties: false,
      properties: mayBeNull({
        seed,
        ...versions,
        region,
        point,
        ...ofSource,
        tone,
        toneImage,
        output: outputOfProduct,
        ...surroundings,
        mode: { type: "string", enum: ["standard"], description: "The only mode; it may be left out." },
        alphaOnly: {
          type: "boolean",
          description: "Returns the matte itself, a grayscale image, instead of the cut-out.",
        },
        keepShadow: {
          type: "boolean",
          description:
            "Keeps the shadow that the product casts in the photo as an image of its own, at the job's `shadowUrl`: a PNG, black with alpha, of the result's size and in its place, to be laid below the result where that is transparent. With `crop: product`, the shadow counts, too. Only on a plain backdrop, and not with a `preset`; `naturalShadow` in the report says what was found.",
        },
        preset: {
          type: "string",
          enum: outputPresets,
          description:
            "A marketplace's rules for a main image: a JPEG in its aspect ratio, the product on pure white. The job's report has the measured `checks`. Of `output`, only width (alone: in that aspect ratio), height beside it, align, quality, maxBytes, dpi, progressive, metadata and sharpen apply; `overridden` in the report names what was given and did not apply. Ignored with `alphaOnly`.",
        },
        outputs: outputsOfProduct,
      }),
    },
  },
  "ai-shadows": {
    id: "ai-shadows",
    name: "AI shadows",
    description: "Stands the product on a realistic shadow, ready to be placed on a clean background.",
    creditsPerEdit: 1,
    parameters: {
      type: "object",
      additionalProperties: false,
      properties: mayBeNull({
        seed,
        ...versions,
        region,
        point,
        ...ofSource,
        tone,
        toneImage,
        output: outputOfShadow,
        ...surroundings,
        ...poseFields,
        shadow,
        layers,
        outputs: outputsOfProduct,
      }),
    },
  },
  "ai-bg": {
    id: "ai-bg",
    name: "AI background",
    description: "Puts the product into a scene described in a few words.",
    creditsPerEdit: 1,
    parameters: {
      type: "object",
      additionalProperties: false,
      properties: mayBeNull({
        seed,
        ...versions,
        region,
        point,
        ...ofSource,
        tone,
        toneImage,
        output: outputOfScene,
        logo,
        ...poseFields,
        theme: {
          type: "string",
          maxLength: 500,
          description:
            "The scene in a few words of English, German, French, Spanish, Italian, Dutch or Polish: a place, a surface, a stand, the light, a mood. Empty, absent or without a known word: a neutral, light studio.",
        },
        avoid: {
          type: "string",
          maxLength: 500,
          examples: ["plants, window, wood"],
          description:
            "What the scene must not show, in words as those of `theme`; they go before it. Also `lights`, `plants`, `furniture`, `windows`, `objects`, `clouds` and `patterns` (of shadow), which places have on their own, and one kind of them, as `bed`; the place stays. `avoidUnrecognized` in the report has the unknown words.",
        },
        palette: {
          type: "array",
          minItems: 1,
          maxItems: 5,
          items: { type: "string", pattern: "^#[0-9a-fA-F]{6}$", examples: ["#e8d5c4"] },
          examples: [["#e8d5c4", "#f7f2ec", "#7a8b6f"]],
          description:
            "Colors of the scene, `#rrggbb`, 1 to 5, which go before those of `theme`: of the wall, of the ground or the stand, and of things beside the product. In a form or a CSV cell they are separated by commas.",
        },
        paletteImage,
        ...engineFields,
        scene,
        harmonize,
        variations,
        layers,
        shadow,
        outputs: outputsOfScene,
      }),
    },
  },
};

/** And `image/heic` where its decoder is installed. */
export const inputTypes = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/tiff", "image/gif"] as const;
