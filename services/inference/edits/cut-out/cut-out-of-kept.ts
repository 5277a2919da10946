/** The cut-out by a matte that an earlier edit of the same photo has made: nothing is predicted or refined again. */

import { copyBytes, estimateForeground, reducedForeground } from "../../imaging/matting/alpha/estimate-foreground.ts";
import { reducePhoto, type ScaledPhoto } from "../../imaging/matting/evidence/work-grid.ts";
import { croppedPhoto, cutOutOfWhole } from "../../imaging/matting/photo-region.ts";
import { flattenForMatting } from "../../imaging/matting/predict/flatten.ts";
import { prepareReduced } from "../../imaging/matting/predict/model-input.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { EditInput, EditStart } from "../edit.ts";
import type { CutOutStart, Decoded, FinishedCutOut, NaturalShadow, Refined } from "./cut-out-context.ts";
import { createShadowExtractor } from "./extract-shadow.ts";
import { type KeptMatte, setSoftColors, unpackMatte } from "./kept-matte.ts";

/** undefined where the file is not one of this photo: then all stages run. */
export function openKeptMatte({ bytes }: NonNullable<EditInput["keptMatte"]>, photo: Decoded): KeptMatte | undefined {
  const kept = unpackMatte(bytes);
  const whole = photo.view?.whole ?? photo.photo;
  const { width, height } = kept?.view?.crop ?? whole;
  return kept?.width === width && kept.height === height ? kept : undefined;
}

export const keptMatteStages = [{ name: "foreground", run: takeKeptMatte }] as const;

type Start = EditStart & CutOutStart & Decoded & { readonly kept: KeptMatte };

interface TakenMatte extends FinishedCutOut, Pick<Refined, "candidates" | "naturalShadow"> {
  readonly model: string;
  readonly tookKeptMatte: true;
}

async function takeKeptMatte(context: Start): Promise<TakenMatte> {
  const { input, kept, seeksShadow = false } = context;
  const shown = shownIn(context);
  const { photo, view } = shown;
  // Thumbnails of cut-outs and of shadows are made of the foreground at that size.
  const needsReduced = view === undefined && (input.tool !== "ai-bg" || input.parameters.outputs !== undefined);
  const reduced = needsReduced || (seeksShadow && kept.isPlain) ? await reducePhoto(shown.flat, photo) : undefined;
  const foreground =
    needsReduced && reduced !== undefined
      ? foregroundOf(shown, kept, reduced, input.tool)
      : { rgb: colorsOf(shown, kept) };
  const { width, height, icc } = photo;
  const cut: CutOut = { width, height, alpha: kept.alpha, ...foreground, icc };
  const naturalShadow = seeksShadow ? await findShadow(context, shown, reduced) : undefined;
  const { candidates, matteReport, model } = kept;
  return {
    photo: view?.whole ?? photo,
    cut: view === undefined ? cut : cutOutOfWhole(cut, view),
    matteReport,
    model,
    tookKeptMatte: true,
    candidates,
    naturalShadow,
  };
}

type Shown = Pick<Decoded, "photo" | "view" | "flat">;

function foregroundOf(shown: Shown, kept: KeptMatte, reduced: ScaledPhoto, tool: EditInput["tool"]) {
  const { photo, flat } = shown;
  if (tool === "mask") return estimateForeground(photo, flat, reduced, kept.alpha);
  const small = reducedForeground(photo, reduced, kept.alpha);
  return { rgb: colorsOf(shown, kept), ...(small && { reduced: small }) };
}

/** What the matte is of: the photo, or the crop that its region or point made. */
function shownIn({ photo, view: ofRegion, flat, kept }: Start): Shown {
  if (kept.view === undefined) return { photo, flat };
  const view = { whole: ofRegion?.whole ?? photo, ...kept.view };
  const crop = croppedPhoto(view);
  return { photo: crop, view, flat: flattenForMatting(crop) };
}

function colorsOf({ photo, flat }: Shown, { alpha, softColors }: KeptMatte): Uint8Array {
  // A source with its own alpha has straight colors already.
  if (photo.alpha !== undefined) return photo.rgb;
  const rgb = copyBytes(flat);
  setSoftColors(rgb, alpha, softColors);
  return rgb;
}

async function findShadow(
  { input, kept }: Start,
  { photo, view, flat }: Shown,
  reduced: ScaledPhoto | undefined,
): Promise<NaturalShadow> {
  if (reduced === undefined || !kept.isPlain) return { outcome: "backdrop_not_plain" };
  const modelInput = await input.models.describe(input.parameters.model);
  // Only the backdrop is fitted, on the pixels on which it was fitted before.
  const prepared = await prepareReduced(reduced, { ...photo, rgb: flat }, { ...modelInput, channels: "rgb" });
  const seen = { photo, view, reduced, backdrop: await prepared.backdrop() };
  return createShadowExtractor(seen, kept.all ?? kept.alpha, kept.isPlain)(kept.alpha);
}
