/** A job's report in sentences for people. */
import type { Report } from "@packshot/sdk";

export interface ReportLine {
  readonly text: string;
  readonly tone: "plain" | "ok" | "warn";
}

export function describeReport(report: Report): readonly ReportLine[] {
  return [
    ...qualityLines(report),
    ...candidateLines(report),
    ...cutOutLines(report),
    ...toneLines(report),
    ...shadowLines(report),
    ...sceneLines(report),
  ];
}

function qualityLines({ quality, reasons = [], overridden = [] }: Report): ReportLine[] {
  const verdict: ReportLine =
    quality === "review" ? { tone: "warn", text: "Needs review" } : { tone: "ok", text: "No review needed" };
  const ignored = overridden.length === 0 ? [] : [`Did not apply, or only in part: ${overridden.join(", ")}.`];
  return [
    verdict,
    ...reasons.map((text) => ({ tone: "warn", text: `${text}.`.replace("..", ".") }) as const),
    ...plain(ignored),
  ];
}

const sourceAlphaTexts = {
  used: "The photo is a cut-out already: its own transparency was kept.",
  combined: "What the photo itself hides stays hidden.",
  ignored: "A channel that is not said to be transparency was left out.",
} as const;

function cutOutLines(report: Report): ReportLine[] {
  const { coverage, uncertainty, expectedOverlap, borderContact, holes, parts, edgeSharpness, changedOpaqueShare } =
    report;
  const lines: (string | undefined)[] = [
    coverage === undefined ? undefined : `The product takes ${percent(coverage)} of the picture.`,
    uncertainty === undefined ? undefined : `The network was unsure about ${percent(uncertainty)} of the product.`,
    expectedOverlap === undefined
      ? undefined
      : `It expects ${percent(expectedOverlap)} of overlap with the true outline.`,
    borderContact === undefined || borderContact === 0
      ? undefined
      : `It touches ${percent(borderContact)} of the picture's border.`,
    parts === undefined || parts < 2 ? undefined : `It has ${parts} separate parts.`,
    holes === undefined || holes === 0 ? undefined : `It encloses ${holes === 1 ? "an opening" : `${holes} openings`}.`,
    edgeSharpness === undefined ? undefined : `Its edge is ${sharpness(edgeSharpness)}.`,
    report.sourceAlpha === undefined ? undefined : sourceAlphaTexts[report.sourceAlpha],
    report.matteOf === undefined ? undefined : `The matte is that of the job ${report.matteOf}.`,
    changedOpaqueShare === undefined
      ? undefined
      : changedOpaqueShare === 0
        ? "Every opaque pixel of the product has the photo's own color."
        : `${percent(changedOpaqueShare)} of the product's opaque pixels have another color than in the photo.`,
  ];
  return plain(lines.filter((line) => line !== undefined));
}

const toneTexts = {
  no_backdrop: "the photo is transparent and has no backdrop",
  backdrop_not_plain: "the backdrop is not plain",
  backdrop_clipped: "the backdrop is overexposed",
  backdrop_dark: "the backdrop is too dark",
  backdrop_colored: "the backdrop is colored paper",
  already_neutral: "they are neutral already",
  already_alike: "they match already",
  reference_not_plain: "the picture to match has no plain backdrop",
  reference_differs: "the picture to match has another backdrop",
} as const;

function toneLines({ tone }: Report): ReportLine[] {
  if (tone === undefined) return [];
  if (tone.reason !== undefined) return plain([`The colors stay as they are, because ${toneTexts[tone.reason]}.`]);
  const { mode, temperature, exposure = 0 } = tone;
  const change = exposure === 0 ? "" : `, ${exposure > 0 ? "brightened" : "darkened"} by ${Math.abs(exposure)} stops`;
  if (mode === "match") return plain([`The colors match those of the other picture${change}.`]);
  return plain([`A light of ${temperature} K was taken out of the colors${change}.`]);
}

function candidateLines({ candidates = [] }: Report): ReportLine[] {
  if (candidates.length === 0) return [];
  const kept = candidates.filter(({ chosen }) => chosen).length;
  const text = `Of ${candidates.length} things that may be the product it keeps ${kept}; "Choose on the photo" chooses another.`;
  return [{ tone: kept === candidates.length ? "plain" : "warn", text }];
}

const naturalShadowTexts = {
  separated: "Its own shadow is an image of its own, at the job's shadowUrl.",
  none: "It casts no shadow in the photo that can be seen.",
  backdrop_not_plain: "Its own shadow cannot be told from a backdrop that is not plain.",
} as const;

const stanceTexts = {
  standing: "The product stands",
  lying: "The product lies",
  hanging: "The product hangs",
  floating: "The product stands on nothing that can be seen",
  empty: "There is no product",
} as const;

function shadowLines({ shadow, naturalShadow, grown }: Report): ReportLine[] {
  if (shadow?.direction === undefined)
    return naturalShadow === undefined ? [] : plain([naturalShadowTexts[naturalShadow]]);
  const stance = stanceTexts[shadow.stance ?? "standing"];
  const isUnsure = (shadow.stanceConfidence ?? 1) < stanceConfidenceMin;
  const doubt = isUnsure ? " (not sure: the parameter pose says it)" : "";
  return plain([`${stance}${doubt}; ${describeShadow(shadow)}.`, ...grownTexts(grown)]);
}

const sideTexts = { left: "at the left", top: "above", right: "at the right", bottom: "below" } as const;

function grownTexts(grown: Report["grown"]): string[] {
  if (grown === undefined) return [];
  const sides = (["left", "top", "right", "bottom"] as const).filter((name) => grown[name] > 0);
  if (sides.length === 0) return ["The canvas has room for all of the shadow."];
  return [`The canvas grew ${sides.map((name) => `${grown[name]} pixels ${sideTexts[name]}`).join(", ")}.`];
}

/** Below it, a person may know better. */
const stanceConfidenceMin = 0.7;

function describeShadow({ kind = "cast", softness = 0.5, direction = 0 }: NonNullable<Report["shadow"]>): string {
  if (kind === "natural") return "its shadow is the photo's own";
  if (kind === "none") return "it has no shadow";
  if (kind !== "cast") return shadowTexts[kind];
  const edge = softness < 0.4 ? "hard" : softness < 0.65 ? "soft" : "very soft";
  return `light from ${side(direction)} casts a ${edge} shadow`;
}

const shadowTexts = {
  contact: "a soft shadow lies close below it",
  drop: "its outline is its shadow",
  float: "a soft shadow lies on the ground below it",
  reflection: "the ground mirrors it",
} as const;

function sceneLines({ scene }: Report): ReportLine[] {
  if (scene === undefined) return [];
  const { surface, backdrop, light, reference, recognized = [], unrecognized = [], notShown = [] } = scene;
  const parts = [
    surface && `on ${surface}`,
    backdrop && backdrop !== "none" && `before ${backdrop}`,
    light && `in ${light} light`,
  ];
  const made = `The scene: ${parts.filter(Boolean).join(", ")}.`;
  const from = reference?.direction === undefined ? "" : `, and its light from ${side(reference.direction)}`;
  return plain([
    made,
    ...(reference === undefined ? [] : [`Its colors come from the picture: ${reference.palette.join(", ")}${from}.`]),
    ...(recognized.length > 0 ? [`Words that shaped it: ${recognized.join(", ")}.`] : []),
    ...(notShown.length > 0 ? [`Words whose thing it does not show: ${notShown.join(", ")}.`] : []),
    ...(unrecognized.length > 0 ? [`Words that it does not know: ${unrecognized.join(", ")}.`] : []),
  ]);
}

function plain(texts: readonly string[]): ReportLine[] {
  return texts.map((text) => ({ text, tone: "plain" }));
}

function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "less than 0.1 %";
  return `${value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, "")} %`;
}

function sharpness(value: number): string {
  return value > 0.7 ? "sharp" : value > 0.4 ? "a little soft" : "soft";
}

/** Degrees clockwise from behind, as seen from above. */
function side(degrees: number): string {
  const sides = [
    "behind",
    "behind right",
    "the right",
    "the front right",
    "the front",
    "the front left",
    "the left",
    "behind left",
  ];
  return sides[Math.round(degrees / 45) % sides.length]!;
}
