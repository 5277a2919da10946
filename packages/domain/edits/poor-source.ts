/** What becomes of an edit whose photo is poor. */

export type OnPoorSource = "edit" | "review" | "refuse";

export const onPoorSource = {
  type: "string",
  enum: ["edit", "review", "refuse"] satisfies OnPoorSource[],
  examples: ["refuse"],
  description:
    "What becomes of a photo of which one of `source.checks` in the report does not pass: blurred, under- or overexposed, with JPEG blocks, too small, with other things beside the product, in a frame, or with lettering over it. `edit`: it is edited all the same. `review`: `quality` is `review`, and `reasons` names what is poor, each beginning with `poor_source`. `refuse`: the job fails with `poor_source`, which costs nothing and says what to do. Default edit.",
} as const;

export interface SourceMeasures {
  /** 0–1; null where the product has too few edges. */
  readonly sharpness: number | null;
  readonly exposure: {
    /** Mean luma of the product, 0–1. */
    readonly lightness: number;
    /** The luma that a hundredth of the photo exceeds, 0–1. */
    readonly highlight: number;
    /** Shares of the product, 0–1. */
    readonly clippedWhite: number;
    readonly clippedBlack: number;
  };
  /** From 1 on. */
  readonly blocking: number;
  /** The longer side of the product's box in the photo. */
  readonly productPixels: number;
  /** What may be the product. */
  readonly things: number;
  /** Those of them that are not in the cut-out, although not much speaks against them. */
  readonly otherThings: number;
  /** Pixels of a frame's widest side. */
  readonly border: number;
  /** The share of the marks on the ground that stands in rows, as letters do, 0–1; null where no plain ground is seen. */
  readonly overlay: number | null;
}

interface SourceRule {
  readonly min?: number;
  readonly max?: number;
  /** What is wrong with the photo. */
  readonly fault: string;
  readonly remedy: string;
}

/** The limits were found by degrading photos: docs/guides/poor-photos.md. */
export const sourceRules = {
  sharpness: { min: 0.3, fault: "the photo is blurred", remedy: "Take it again in focus, or send a sharper original." },
  highlight: { min: 0.65, fault: "the photo is underexposed", remedy: "Take it again with more light." },
  clippedWhite: { max: 0.03, fault: "the product is overexposed", remedy: "Take it again with a shorter exposure." },
  blocking: {
    max: 4,
    fault: "strong compression left blocks in the photo",
    remedy: "Send the original, or a JPEG of a higher quality.",
  },
  productPixels: {
    min: 400,
    fault: "the product has few pixels",
    remedy: "Send a larger photo, or one taken from nearer.",
  },
  otherThings: {
    max: 0,
    fault: "the photo shows other things beside the product",
    remedy: "Say by point or region which one is the product.",
  },
  border: { max: 0, fault: "the photo has a frame", remedy: "Send it without the frame." },
  overlay: { max: 0.3, fault: "lettering lies over the photo", remedy: "Send it without watermark and text." },
} as const satisfies Readonly<Record<string, SourceRule>>;

export type SourceRuleName = keyof typeof sourceRules;

export interface SourceCheck {
  readonly name: SourceRuleName;
  readonly value: number;
  readonly limit: number;
  readonly passed: boolean;
}

/** @param hasOwnAlpha the photo is a cut-out, which has no ground by whose light underexposure could be judged */
export function checkSource(
  { sharpness, exposure, overlay, ...measures }: SourceMeasures,
  hasOwnAlpha: boolean,
): readonly SourceCheck[] {
  const values: Readonly<Record<SourceRuleName, number | undefined>> = {
    sharpness: sharpness ?? undefined,
    highlight: hasOwnAlpha ? undefined : exposure.highlight,
    clippedWhite: exposure.clippedWhite,
    overlay: overlay ?? undefined,
    ...measures,
  };
  return (Object.keys(sourceRules) as SourceRuleName[]).flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    const { min, max }: SourceRule = sourceRules[name];
    const passed = value >= (min ?? value) && value <= (max ?? value);
    return [{ name, value, limit: (min ?? max)!, passed }];
  });
}

const failed = (checks: readonly SourceCheck[]) => checks.filter(({ passed }) => !passed);

/** For `reasons` of a report. */
export function poorSourceReasons(checks: readonly SourceCheck[]): string[] {
  return failed(checks).map(({ name }) => `poor_source: ${sourceRules[name].fault}`);
}

/** What is poor and what to do, for people; undefined where nothing is. */
export function describePoorSource(checks: readonly SourceCheck[]): string | undefined {
  const sentences = failed(checks).map(({ name, value, limit }) => {
    const { fault, remedy, ...rule }: SourceRule = sourceRules[name];
    const bound = `${name} is ${value}, ${rule.min === undefined ? "at most" : "at least"} ${limit} is asked for`;
    return `${fault[0]!.toUpperCase()}${fault.slice(1)} (${bound}). ${remedy}`;
  });
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
