/** The stages of edits, as a job's `timings` name them: in words for people, for the contract, and in the worker's metric. */

interface StageWords {
  /** What goes on, for whoever waits. */
  readonly label: string;
  /** For the contract. */
  readonly description: string;
  /** Its value in the label `stage` of `packshot_stage_duration_seconds`; absent: it is not measured there. */
  readonly metric?: string;
}

/** In the order in which they run. A name with a point is a part: its time is within that of the stage before the point. */
export const stages = {
  fetchSource: {
    label: "Reading the photo",
    description: "Reading or downloading the source",
    metric: "fetch",
  },
  decode: { label: "Decoding the photo", description: "Decoding the photo", metric: "decode" },
  prepare: {
    label: "Preparing the photo",
    description: "Reducing the photo to the network's input",
    metric: "prepare",
  },
  predict: {
    label: "Finding the product",
    description: "The network, and waiting for it",
    metric: "predict",
  },
  refine: { label: "Refining the edge", description: "Refining the matte at full size", metric: "refine" },
  foreground: {
    label: "Cleaning the edge's colors",
    description: "Estimating the colors of the product's edge",
    metric: "foreground",
  },
  tone: {
    label: "Correcting the tone",
    description: "Correcting brightness and color, with `tone`",
    metric: "compose",
  },
  mask: { label: "Cutting out", description: "Making the cut-out of photo and matte", metric: "compose" },
  "ai-shadows": {
    label: "Casting the shadow",
    description: "All of the shadow, its parts included",
    metric: "compose",
  },
  "ai-shadows.shadow": { label: "Casting the shadow", description: "Light, pose and shadow" },
  "ai-shadows.compose": { label: "Composing the picture", description: "Laying the product over its shadow" },
  "ai-bg": { label: "Making the scene", description: "All of the scene, its parts included", metric: "compose" },
  "ai-bg.plan": { label: "Planning the scene", description: "Reading the theme, and planning scene, light and camera" },
  "ai-bg.scene": { label: "Drawing the scene", description: "Rendering the scene", metric: "scene" },
  "ai-bg.harmonize": {
    label: "Lighting the product",
    description: "Lighting the product as its scene; next to 0 without `harmonize`",
  },
  "ai-bg.shadow": { label: "Casting the shadow", description: "Shadow and reflection of the product" },
  "ai-bg.paint": {
    label: "Painting the scene",
    description: "The image model, and waiting for it; absent of a rendered scene",
    metric: "paint",
  },
  "ai-bg.compose": { label: "Composing the picture", description: "Laying the product into its scene" },
  encode: {
    label: "Encoding the result",
    description: "Layout and encoding of result and thumbnail",
    metric: "encode",
  },
  storeResult: { label: "Storing the result", description: "Storing both", metric: "store" },
  storeDestination: {
    label: "Storing in the bucket",
    description: "Putting the result into the bucket of its destination",
  },
} as const satisfies Readonly<Record<string, StageWords>>;

const known: Readonly<Record<string, StageWords>> = stages;

/**
 * What goes on, in words.
 *
 * @param name a key of `timings`, or a stage as a job's events announce it: parts by their own name alone
 * @returns the name itself where this version does not know it
 */
export function labelOfStage(name: string): string {
  const part = Object.keys(known).find((key) => key.endsWith(`.${name}`));
  return known[name]?.label ?? (part === undefined ? name : known[part]!.label);
}

/** undefined: its time is in no metric. */
export function metricOfStage(name: string): string | undefined {
  return known[name]?.metric;
}

/** The stage that a part of `timings` is within; undefined of a stage. */
export function stageOfPart(name: string): string | undefined {
  const point = name.indexOf(".");
  return point < 0 ? undefined : name.slice(0, point);
}

/** The contract's schema of `timings`. */
export function timingsSchema(): object {
  const milliseconds = (description: string) => ({
    type: "number",
    minimum: 0,
    description: `${description}; milliseconds.`,
  });
  const properties = Object.entries(known).map(([name, { description }]) => [name, milliseconds(description)]);
  const total = milliseconds("All of it, from the start of the job");
  return {
    type: "object",
    description:
      "Milliseconds by stage. A name with a point is a part, whose time is within that of the stage before the point. Stages and parts may be added.",
    additionalProperties: { type: "number", minimum: 0 },
    properties: { ...Object.fromEntries(properties), total },
  };
}
