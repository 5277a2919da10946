/** What each stage of cutting out adds to the context, in the order of the stages. */

import type { SourceAlpha } from "@packshot/domain/edits/edit-report.ts";
import type { SourceCheck, SourceMeasures } from "@packshot/domain/edits/poor-source.ts";
import type { HoldPlanes } from "../../imaging/kernels/kernel-memory.ts";
import type { Backdrop } from "../../imaging/matting/evidence/backdrop.ts";
import type { Prior } from "../../imaging/matting/evidence/prior.ts";
import type { ScaledPhoto } from "../../imaging/matting/evidence/work-grid.ts";
import type { Candidate } from "../../imaging/matting/parts/choose-product.ts";
import type { RegionView } from "../../imaging/matting/photo-region.ts";
import type { PreparedInput } from "../../imaging/matting/predict/model-input.ts";
import type { PhotoMeasures } from "../../imaging/matting/refine-matte.ts";
import type { MatteReport } from "../../imaging/matting/report/matte-report.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Box, Point } from "../../imaging/pixels/geometry.ts";
import type { Photo } from "../../imaging/pixels/photo.ts";
import type { PhotoFaults } from "../../imaging/source/measure-source.ts";
import type { ModelInput } from "../../model-client/model-client.ts";
import type { EditInput } from "../edit.ts";

export type CutOutInput = Pick<
  EditInput,
  | "source"
  | "decoder"
  | "mask"
  | "keepsMatte"
  | "parameters"
  | "tenant"
  | "deadlineAtMs"
  | "maxPixels"
  | "models"
  | "signal"
  | "onStage"
>;

export interface CutOutStart {
  readonly input: CutOutInput;
  /** false: the network's matte is only enlarged, to measure what refinement adds. */
  readonly refine: boolean;
  /** true: the photo's own shadow is looked for. */
  readonly seeksShadow?: boolean;
  /** true: a second prediction even where the first is certain, to measure what it adds. */
  readonly alwaysAugment?: boolean;
  /** Where the stages may hold planes from one to the next. */
  readonly hold?: HoldPlanes;
}

export interface Decoded {
  /** The whole photo from the last stage on; until then its crop, if a region or a point was given. */
  readonly photo: Photo;
  readonly view?: RegionView;
  /** The photo that matting sees: u8 RGB of the photo's size, laid on a plain color where the photo is transparent. */
  readonly flat: Uint8Array;
  /** What becomes of the source's own alpha; absent where it has none. */
  readonly sourceAlpha?: SourceAlpha;
  /** The photo's alpha is the matte that the caller sent. */
  readonly isMasked?: true;
}

export interface PointInCrop {
  /** The pixel of `photo` at which the product is, if a point was given. */
  readonly pointed?: Point;
}

export interface Prepared {
  readonly modelInput: ModelInput;
  /** At most as large as the work grid and the photo. */
  readonly reduced: ScaledPhoto;
  /** On the work grid: reduced, or enlarged up to four times. */
  readonly onGrid: ScaledPhoto;
  readonly prepared: PreparedInput;
}

export interface Predicted {
  readonly backdrop: Backdrop;
  readonly prior: Prior;
  /** `model@version` that made the matte. */
  readonly model: string;
  /** What was measured for refinement meanwhile, where planes are held. */
  readonly measured?: PhotoMeasures | undefined;
  /** What the whole photo is like, not its crop. */
  readonly faults: PhotoFaults;
}

export interface Refined {
  /** u8, of the photo's size. */
  readonly alpha: Uint8Array;
  /** Whether the backdrop is plain. */
  readonly isPlain: boolean;
  /** The matte before what lies beyond the region or the point was removed, where it is to be kept with the photo's shadow. */
  readonly all?: Uint8Array;
  /** Estimated for the refined matte, before parts of it are left out. */
  readonly expectedOverlap: number;
  /** The share of that matte that either prediction takes for gaps in the product. */
  readonly filledGaps: number;
  /** Boxes, in pixels of the whole photo, of what may be openings in the cut-out and was filled. */
  readonly uncertainOpenings: readonly Box[];
  /** Where the matte showed several things and nobody has said which one is the product. */
  readonly candidates?: readonly Candidate[];
  /** Where it was looked for. */
  readonly naturalShadow?: NaturalShadow;
}

/** The shadow that the product casts in the photo. */
export type NaturalShadow =
  | {
      readonly outcome: "separated";
      /** How black the shadow is, u8, in the whole photo's size. */
      readonly alpha: Uint8Array;
    }
  | { readonly outcome: "none" | "backdrop_not_plain" };

export interface FinishedCutOut {
  readonly photo: Photo;
  readonly cut: CutOut;
  readonly matteReport: MatteReport;
}

/** What the photo itself is like. */
export interface SourceReport extends SourceMeasures {
  readonly checks: readonly SourceCheck[];
}

export interface CutOutContext
  extends CutOutStart,
    Decoded,
    PointInCrop,
    Prepared,
    Predicted,
    Refined,
    FinishedCutOut {}
