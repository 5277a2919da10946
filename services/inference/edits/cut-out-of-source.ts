/** The cut-out of a source that is one already: its own alpha is the matte, and nothing is predicted. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { reportSourceMatte } from "../imaging/matting/matte-report.ts";
import { keepPartAt } from "../imaging/matting/matte-parts.ts";
import { clearOutside, cutOutOfWhole, pointInView } from "../imaging/matting/photo-region.ts";
import { visibleBox } from "../imaging/pixels/alpha-scan.ts";
import type { FinishedCutOut, CutOutStart, Decoded, NaturalShadow } from "./cut-out-context.ts";

export interface SourceMatte extends FinishedCutOut {
  readonly model: null;
  readonly naturalShadow?: NaturalShadow;
}

export const sourceMatteStages = [{ name: "foreground", run: takeSourceMatte }] as const;

async function takeSourceMatte({ input, photo, view }: CutOutStart & Decoded): Promise<SourceMatte> {
  const { point, keepShadow } = input.parameters;
  const { width, height, rgb, icc } = photo;
  const alpha = Uint8Array.from(photo.alpha!);
  if (view !== undefined) clearOutside(alpha, view);
  if (point !== undefined) keepPartAt(alpha, photo, pointInView(point, view?.whole ?? photo, view));
  if (visibleBox(alpha, photo) === undefined) {
    const where = point === undefined ? "in the picture" : "at the point";
    throw new PackshotError("no_product_found", `No product stands out ${where}.`);
  }
  const shown = { width, height, rgb, alpha, ...(icc === undefined ? {} : { icc }) };
  const [whole, cut] = view === undefined ? [photo, shown] : [view.whole, cutOutOfWhole(shown, view)];
  return {
    photo: whole,
    cut,
    matteReport: reportSourceMatte(cut.alpha, whole),
    model: null,
    // What shadow the source has is in its alpha, and stays there.
    ...(keepShadow === true ? { naturalShadow: { outcome: "none" } } : {}),
  };
}
