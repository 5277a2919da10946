/** The stage that takes the photo's light out of the product, where `tone` asks for it: after the cut-out, once for all files. */

import { backgroundOf } from "@packshot/domain/edits/background.ts";
import { renditionsOf } from "@packshot/domain/edits/rendition.ts";
import type { ToneGains, ToneMode } from "@packshot/domain/edits/tone.ts";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { decoderOf } from "../../decoder/image-decoder.ts";
import { openToneReference } from "../../imaging/codec/reference-picture.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Photo } from "../../imaging/pixels/photo.ts";
import {
  type BackdropLight,
  backdropDifference,
  measureBackdropLight,
  type NoLight,
  referenceColor,
  side,
} from "../../imaging/tone/backdrop-light.ts";
import { correctTone, type ToneCorrection } from "../../imaging/tone/correct-tone.ts";
import { planMatchedTone, planNeutralTone, type TonePlan } from "../../imaging/tone/plan-tone.ts";
import type { EditInput } from "../edit.ts";
import type { FinishedCutOut } from "./cut-out-context.ts";

export interface ToneReport {
  readonly mode: Exclude<ToneMode, "none">;
  readonly applied: boolean;
  /** Why not. */
  readonly reason?: NoLight | NoPlan | "already_neutral" | "already_alike";
  /** Factors of linear light where the product is. */
  readonly gains?: ToneGains;
  /** Color of the light, in kelvins. */
  readonly temperature?: number;
  /** In stops. */
  readonly exposure?: number;
  /** CIEDE2000 between the backdrop and the color that it should have, the median. */
  readonly deltaE?: { readonly before: number; readonly after: number };
}

type NoPlan = "backdrop_colored" | "reference_not_plain" | "reference_differs";

export interface ToneOutcome {
  /** The photo in the same tone, where a file shows it behind the product. */
  readonly shownPhoto?: Photo;
  readonly tone?: ToneReport;
}

interface Toned extends ToneOutcome {
  readonly cut: CutOut;
}

export const toneStages = [{ name: "tone", run: correctProduct }] as const;

export function correctsTone({ tone = "none", alphaOnly }: EditParameters): boolean {
  return tone !== "none" && alphaOnly !== true;
}

/** Whether some file shows the photo behind the product. */
export function showsPhoto({ tool, parameters }: { tool: ToolId; parameters: EditParameters }): boolean {
  const files = renditionsOf(tool, parameters).map((file) => file.parameters);
  return [parameters, ...files].some((file) => ["original", "blur"].includes(backgroundOf(file).kind));
}

/** A difference that nobody sees: the photo stays as it is. */
const seenDifferenceMin = 1;

async function correctProduct({ input, photo, cut }: { readonly input: EditInput } & FinishedCutOut): Promise<Toned> {
  const mode = input.parameters.tone as ToneReport["mode"];
  const unchanged = (reason: ToneReport["reason"], rest: Partial<ToneReport> = {}): Toned => {
    return { cut, tone: { mode, applied: false, reason, ...rest } };
  };
  const light = await measureBackdropLight(photo, cut.alpha);
  if (typeof light === "string") return unchanged(light);
  const plan = mode === "match" ? await planMatch(light, input) : planNeutralTone(light);
  if (typeof plan === "string") return unchanged(plan);
  const { correction, goal } = plan;
  const { rgb, size } = light.square;
  const before = backdropDifference(light, rgb, goal);
  if (before < seenDifferenceMin)
    return unchanged(mode === "match" ? "already_alike" : "already_neutral", { deltaE: inHundredths(before, before) });
  const after = backdropDifference(light, correctTone(rgb, size, correction), goal);
  return {
    cut: inTone(cut, correction),
    ...(showsPhoto(input) && { shownPhoto: { ...photo, rgb: correctTone(photo.rgb, photo, correction) } }),
    tone: { mode, applied: true, ...describe(plan), deltaE: inHundredths(before, after) },
  };
}

async function planMatch(light: BackdropLight, input: EditInput): Promise<TonePlan | NoPlan> {
  const { tone, toneGains } = input;
  const color = referenceColor(await openToneReference(tone!, side, input, decoderOf(input).openPicture));
  if (color === undefined) return "reference_not_plain";
  const { red, green, blue } = toneGains ?? { red: 1, green: 1, blue: 1 };
  return planMatchedTone(light, [color[0] * red, color[1] * green, color[2] * blue]);
}

/** The reduced copy was made of the pixels as they were. */
function inTone({ reduced: _, ...cut }: CutOut, correction: ToneCorrection): CutOut {
  return { ...cut, rgb: correctTone(cut.rgb, cut, correction, cut.alpha) };
}

function describe({ correction, temperature, exposure }: TonePlan) {
  const [red, green, blue] = correction.gains.map((gain) => rounded(gain, 1_000)) as [number, number, number];
  return {
    gains: { red, green, blue },
    ...(temperature !== undefined && { temperature: Math.round(temperature) }),
    exposure: rounded(exposure, 100),
  };
}

const inHundredths = (before: number, after: number) => ({ before: rounded(before, 100), after: rounded(after, 100) });

const rounded = (value: number, parts: number) => Math.round(value * parts) / parts;
