/**
 * The tools and the JSON Schema of their parameters. The API validates edits by it, `GET /v1/tools` answers with it, and
 * flat form fields ("output.format") are read by it.
 */

export const toolIds = ["mask", "ai-shadows", "ai-bg"] as const;
export type ToolId = (typeof toolIds)[number];

export function isToolId(value: string): value is ToolId {
  return (toolIds as readonly string[]).includes(value);
}

export const outputFormats = ["png", "webp", "jpeg", "avif"] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const outputPresets = ["amazon-main", "google-shopping", "square-white"] as const;
export type OutputPreset = (typeof outputPresets)[number];

export const outputAligns = ["center", "top", "bottom", "left", "right"] as const;
export type OutputAlign = (typeof outputAligns)[number];

/** How the finished image is laid out and encoded. Absent fields take the tool's default. */
export interface OutputParameters {
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
  /** `transparent` or `#rrggbb`. */
  readonly background?: string;
}

export interface ShadowParameters {
  /** Where the light comes from, in degrees clockwise seen from above: 0 is behind the product, 90 is right of it. */
  readonly direction?: number;
  /** 0 hard – 1 very soft. */
  readonly softness?: number;
  /** 0–1. */
  readonly opacity?: number;
}

/** Parameters of an edit as a client may send them. All are optional; the schema refuses unknown ones. */
export interface EditParameters {
  readonly seed?: number;
  readonly mode?: "standard";
  readonly theme?: string;
  /** A model's name, or `name@version`. */
  readonly model?: string;
  readonly alphaOnly?: boolean;
  readonly preset?: OutputPreset;
  readonly output?: OutputParameters;
  readonly shadow?: ShadowParameters;
}

const seed = {
  type: "integer",
  minimum: 0,
  maximum: 4_294_967_295,
  description: "Same source, parameters, seed and model version give the same image. Random when absent.",
} as const;

const model = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  pattern: "^[a-z0-9][a-z0-9._-]*(@[0-9]+)?$",
  description: "The segmentation model by name; `models` of the tool lists them.",
} as const;

const output = {
  type: "object",
  additionalProperties: false,
  properties: {
    format: { type: "string", enum: outputFormats },
    quality: { type: "integer", minimum: 1, maximum: 100 },
    width: { type: "integer", minimum: 1, maximum: 8192 },
    height: { type: "integer", minimum: 1, maximum: 8192 },
    padding: { type: "number", minimum: 0, maximum: 0.45 },
    align: { type: "string", enum: outputAligns },
    crop: { type: "string", enum: ["none", "product"] },
    background: { type: "string", pattern: "^(transparent|#[0-9a-fA-F]{6})$" },
  },
} as const;

const shadow = {
  type: "object",
  additionalProperties: false,
  properties: {
    direction: { type: "number", minimum: 0, maximum: 360 },
    softness: { type: "number", minimum: 0, maximum: 1 },
    opacity: { type: "number", minimum: 0, maximum: 1 },
  },
} as const;

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
      properties: {
        seed,
        model,
        output,
        mode: { type: "string", enum: ["standard"] },
        alphaOnly: { type: "boolean", description: "Return the matte itself as a grayscale image." },
        preset: { type: "string", enum: outputPresets },
      },
    },
  },
  "ai-shadows": {
    id: "ai-shadows",
    name: "AI shadows",
    description: "Stands the product on a realistic shadow, ready to be placed on a clean background.",
    creditsPerEdit: 1,
    parameters: { type: "object", additionalProperties: false, properties: { seed, model, output, shadow } },
  },
  "ai-bg": {
    id: "ai-bg",
    name: "AI background",
    description: "Puts the product into a scene described in a few words.",
    creditsPerEdit: 1,
    parameters: {
      type: "object",
      additionalProperties: false,
      properties: {
        seed,
        model,
        output,
        theme: {
          type: "string",
          maxLength: 500,
          description:
            "A setting, a surface, a lighting cue or a mood in a few words; empty is a neutral light studio.",
        },
      },
    },
  },
};

export const inputTypes = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/tiff", "image/gif"] as const;
