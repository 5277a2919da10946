/** The cut-out by a matte that came with the photo, as its own alpha or as a mask: nothing is predicted. */

import { noProduct } from "@packshot/domain/edits/no-product.ts";
import { inKernelMemory } from "../../imaging/kernels/kernel-memory.ts";
import { estimateForeground } from "../../imaging/matting/alpha/estimate-foreground.ts";
import { fitBackdrop } from "../../imaging/matting/evidence/backdrop.ts";
import type { Prior } from "../../imaging/matting/evidence/prior.ts";
import { enlargeToGrid, reducePhoto } from "../../imaging/matting/evidence/work-grid.ts";
import { keepPartAt } from "../../imaging/matting/parts/matte-parts.ts";
import { clearOutside, cutOutOfWhole, pointInView } from "../../imaging/matting/photo-region.ts";
import { refineMatte } from "../../imaging/matting/refine-matte.ts";
import { reportSourceMatte } from "../../imaging/matting/report/matte-report.ts";
import { isTransparent } from "../../imaging/matting/report/source-alpha.ts";
import { visibleBox } from "../../imaging/pixels/alpha-scan.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { dilate, erode } from "../../imaging/pixels/morphology.ts";
import { resamplePlane } from "../../imaging/pixels/resample.ts";
import { resizePixels } from "../../imaging/pixels/resize.ts";
import type { CutOutStart, Decoded, FinishedCutOut, NaturalShadow } from "./cut-out-context.ts";

export interface SourceMatte extends FinishedCutOut {
  readonly model: null;
  readonly naturalShadow?: NaturalShadow;
}

export const sourceMatteStages = [{ name: "foreground", run: takeSourceMatte }] as const;

async function takeSourceMatte(context: CutOutStart & Decoded): Promise<SourceMatte> {
  const { input, photo, view, isMasked } = context;
  const { point, keepShadow, refine } = input.parameters;
  const { width, height, icc } = photo;
  const { alpha, ...foreground } =
    refine === true ? await refineOwnMatte(context) : { rgb: photo.rgb, alpha: photo.alpha!.slice() };
  if (view !== undefined) clearOutside(alpha, view);
  if (point !== undefined) keepPartAt(alpha, photo, pointInView(point, view?.whole ?? photo, view));
  if (visibleBox(alpha, photo) === undefined) {
    const ofPhoto = isTransparent(photo) ? "transparentPhoto" : "ownAlpha";
    throw noProduct({ place: placeSought(context), hiddenBy: isMasked ? "mask" : ofPhoto });
  }
  const shown = { width, height, ...foreground, alpha, icc };
  const [whole, cut] = view === undefined ? [photo, shown] : [view.whole, cutOutOfWhole(shown, view)];
  return {
    photo: whole,
    cut,
    matteReport: reportSourceMatte(cut.alpha, whole, isMasked),
    model: null,
    // What shadow the source has is in its alpha, and stays there.
    ...(keepShadow === true ? { naturalShadow: { outcome: "none" } } : {}),
  };
}

/** Where the request says that the product is. */
export function placeSought({ input, view }: CutOutStart & Pick<Decoded, "view">): "picture" | "region" | "point" {
  if (input.parameters.point !== undefined) return "point";
  return view === undefined ? "picture" : "region";
}

/** The edge that refinement finds is at most so many cells of the work grid from the matte's. */
const edgeReach = 8;
/** Side of the square on which the backdrop is fitted. */
const backdropSide = 480;

/** Moves the matte's edge to the photo's, and takes the old background's color out of soft pixels. */
async function refineOwnMatte({ photo, flat, isMasked }: Decoded): Promise<Pick<CutOut, "rgb" | "alpha">> {
  const { alpha: ownAlpha, ...opaque } = photo;
  const matte = ownAlpha!;
  // A mask hides nothing of its photo: the colors on both sides of its edge are true.
  const shown = isMasked ? photo.rgb : flat;
  const reduced = await reducePhoto(shown, photo);
  const onGrid = await enlargeToGrid(reduced);
  const square = { width: backdropSide, height: backdropSide };
  const backdrop = fitBackdrop(await resizePixels(reduced.rgb, reduced, 3, square), backdropSide);
  const prior = {
    width: onGrid.width,
    height: onGrid.height,
    alpha: resamplePlane(matte, photo, onGrid),
    networkPixel: edgeReach / 2,
  };
  const { alpha } = refineMatte(shown, photo, onGrid, prior, backdrop, { mendsMatte: false });
  keepBeyondEdge(alpha, matte, photo, prior);
  return { ...estimateForeground(isMasked ? opaque : photo, shown, reduced, alpha), alpha };
}

/** Refinement judges what is product; here the caller has. */
function keepBeyondEdge(alpha: Uint8Array, matte: Uint8Array, { width, height }: Size, prior: Prior): void {
  const inside = prior.alpha.map((a) => (a >= 128 ? 1 : 0));
  const [outer, inner] = inKernelMemory(() => [
    dilate(inside, prior, edgeReach).slice(),
    erode(inside, prior, edgeReach).slice(),
  ]) as [Uint8Array, Uint8Array];
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * prior.height) / height) * prior.width;
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * prior.width) / width);
      if (outer[cell] === inner[cell]) alpha[y * width + x] = matte[y * width + x]!;
    }
  }
}
