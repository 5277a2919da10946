/** The schema of `outputs`: several files of one edit, made of one cut-out. `rendition.ts` says what each of them is. */
import { fileBackground } from "./background.ts";
import { type FieldSchema, mayBeNull } from "./framing.ts";
import { shadow } from "./shadow.ts";

const outputsMax = 10;
const outputNamePattern = "^[a-z0-9-]{1,40}$";

const nameOfFile = {
  type: "string",
  pattern: outputNamePattern,
  "x-pattern-words": "must have 1 to 40 small letters, digits and hyphens",
  examples: ["amazon", "zalando", "web-400"],
  description:
    "Names the file, once in its edit, in the job's `results` and in the destination's key. Not `result`, which is the first file, nor `variation-` and a number.",
} as const;

const example = [
  { name: "amazon", preset: "amazon-main" },
  { name: "zalando", preset: "zalando" },
  { name: "web-400", output: { format: "webp", width: 400 } },
];

const shadowOfFile = {
  ...shadow,
  description: "The shadow in this file. With mask, this is what gives it one: an empty object makes the usual one.",
} as const;

const presetOfFile = {
  type: "string",
  pattern: "^[a-z0-9][a-z0-9_-]{0,62}$",
  examples: ["amazon-main", "shop"],
  description:
    "A marketplace's rules for a main image, for this file: the product on pure white. Of `output`, the fields apply that apply with a preset of mask. Not with `shadow` or `background`. Or one of the account's own presets of this tool, with mask also of ai-shadows, that has nothing but `preset`, `output`, `shadow` and `background`; its destination is not looked at.",
} as const;

interface ToolOfFiles {
  /** The tool's own `output`. */
  readonly output: FieldSchema;
  /** A scene leaves none to choose. */
  readonly hasBackground: boolean;
}

export function outputsSchema({ output, hasBackground }: ToolOfFiles) {
  const fields = {
    preset: presetOfFile,
    output: {
      ...output,
      description: "How this file is laid out and encoded, with the fields of the parameter `output`.",
    },
    shadow: shadowOfFile,
    ...(hasBackground && { background: fileBackground }),
  };
  return {
    type: "array",
    minItems: 1,
    maxItems: outputsMax,
    examples: [example],
    description:
      "Several files of one edit, 1 to 10, made of one cut-out. What the other parameters say holds for all of them, and a file's own fields go before it, field by field. The job has the files in `results`, in this order; `resultUrl` is the first. A file after the first costs `creditsPerFurtherOutput` of the account's limits; with `engine: generative` each picture that an image model paints costs `creditsPerGeneratedScene`, and files in which the same is seen share one. One that cannot be made has an `error` in `results` and costs nothing; where it is the first, the job fails. A file with a `preset` is drawn by mask, and with mask one with a `shadow` by ai-shadows. Not with `preset`, `alphaOnly`, `keepShadow`, `layers` or `variations` of the edit itself. In a form or a CSV cell, JSON.",
    items: {
      type: "object",
      required: ["name"],
      additionalProperties: false,
      description: "One of the files.",
      properties: { name: nameOfFile, ...mayBeNull(fields) },
    },
  } as const;
}
