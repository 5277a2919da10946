/** What the photo itself is like, measured from its pixels and the cut-out, in some milliseconds whatever its size. */

import type { SourceMeasures } from "@packshot/domain/edits/poor-source.ts";
import type { Candidate } from "../matting/parts/choose-product.ts";
import { visibleBox } from "../pixels/alpha-scan.ts";
import { type Photo, sourceAlphaPlane } from "../pixels/photo.ts";
import { measureExposure } from "./exposure.ts";
import { measureBlocking } from "./jpeg-blocking.ts";
import { measureOverlay } from "./overlay.ts";
import { measureFrame } from "./photo-frame.ts";
import { measureSharpness } from "./sharpness.ts";

/** From this score on, a thing that was left out may have been meant. */
const otherScoreMin = 0.3;

/** What does not depend on the cut-out. */
export type PhotoFaults = Pick<SourceMeasures, "blocking" | "border">;

export function measurePhotoFaults(photo: Pick<Photo, "rgb" | "width" | "height">): PhotoFaults {
  return { blocking: rounded(measureBlocking(photo)), border: measureFrame(photo) };
}

/**
 * @param alpha the cut-out's, of the photo's size
 * @param faults the photo's, where they were measured before
 */
export function measureSource(
  photo: Photo,
  alpha: Uint8Array,
  candidates: readonly Candidate[] = [],
  faults: PhotoFaults = measurePhotoFaults(photo),
): SourceMeasures {
  const box = visibleBox(alpha, photo) ?? { left: 0, top: 0, width: photo.width, height: photo.height };
  const { lightness, highlight, clippedWhite, clippedBlack } = measureExposure(photo, alpha);
  const sharpness = measureSharpness(photo, alpha, box);
  return {
    sharpness: roundedOrNull(sharpness),
    exposure: {
      lightness: rounded(lightness),
      highlight: rounded(highlight),
      clippedWhite: rounded(clippedWhite),
      clippedBlack: rounded(clippedBlack),
    },
    blocking: faults.blocking,
    productPixels: Math.max(box.width, box.height),
    things: Math.max(1, candidates.length),
    otherThings: candidates.filter(({ chosen, score }) => !chosen && score >= otherScoreMin).length,
    border: faults.border,
    overlay: roundedOrNull(sourceAlphaPlane(photo) === undefined ? measureOverlay(photo, alpha) : undefined),
  };
}

function roundedOrNull(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
