/**
 * Cutting the product out of its photo: the stages with which all three tools begin.
 *
 * - decode: the photo at full resolution. With a `region`, the next stages see that part only
 * - prepare: the photo on the work grid, 1,024 cells a side, and as the network's input
 * - predict: the network's small matte, while the backdrop is fitted to the photo's border and the grid's colors are measured.
 *   A model with test-time augmentation predicts the region of interest again, mirrored, unless the first prediction is certain
 * - refine: the product is segmented on the work grid, on a plain backdrop by its distance to the backdrop and elsewhere by the
 *   colors on either side of the network's edge. That and a band around its edge is a trimap; alpha is estimated at full
 *   resolution in the band only
 * - foreground: the old background's color is removed from soft pixels; opaque pixels keep the photo's own color
 */

import { noProduct } from "@packshot/domain/edits/no-product.ts";
import { pictureProblem } from "@packshot/domain/edits/pictures.ts";
import { checkSource, describePoorSource, poorSourceReasons, sourceRules } from "@packshot/domain/edits/poor-source.ts";
import { renditionsOf } from "@packshot/domain/edits/rendition.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { decoderOf } from "../../decoder/image-decoder.ts";
import { maskLimits, openMask } from "../../imaging/codec/mask-picture.ts";
import { holdingPlanes } from "../../imaging/kernels/kernel-memory.ts";
import { estimateForeground } from "../../imaging/matting/alpha/estimate-foreground.ts";
import { enlargeToGrid, reducePhoto } from "../../imaging/matting/evidence/work-grid.ts";
import type { ClosedOpening } from "../../imaging/matting/mend/close-openings.ts";
import { chooseProduct } from "../../imaging/matting/parts/choose-product.ts";
import { mayBeTwoThings } from "../../imaging/matting/parts/joined-things.ts";
import { keepPartAt } from "../../imaging/matting/parts/matte-parts.ts";
import { clearOutside, croppedPhoto, cutOutOfWhole, viewRegion } from "../../imaging/matting/photo-region.ts";
import { flattenForMatting } from "../../imaging/matting/predict/flatten.ts";
import { matteUncertainty } from "../../imaging/matting/predict/matte-uncertainty.ts";
import { prepareReduced } from "../../imaging/matting/predict/model-input.ts";
import { refineMatte } from "../../imaging/matting/refine-matte.ts";
import { expectedOverlap } from "../../imaging/matting/report/expected-overlap.ts";
import { filledGaps } from "../../imaging/matting/report/filled-gaps.ts";
import { frayedEdge } from "../../imaging/matting/report/frayed-edge.ts";
import { reportMatte } from "../../imaging/matting/report/matte-report.ts";
import { isTransparent, sourceAlphaOf } from "../../imaging/matting/report/source-alpha.ts";
import { clearThinFrame } from "../../imaging/matting/thin-frame.ts";
import { coversAtLeast, visibleBox } from "../../imaging/pixels/alpha-scan.ts";
import type { Box } from "../../imaging/pixels/geometry.ts";
import { type Photo, sourceAlphaPlane } from "../../imaging/pixels/photo.ts";
import { resamplePlane } from "../../imaging/pixels/resample.ts";
import { followsPhotoLight } from "../../imaging/shadow/shadow-kinds.ts";
import { measureSource } from "../../imaging/source/measure-source.ts";
import type { EditInput, EditStart } from "../edit.ts";
import { runStages, type Timings } from "../pipeline.ts";
import { correctsTone, type ToneOutcome, toneStages } from "./correct-tone.ts";
import { cropToPoint } from "./crop-to-point.ts";
import type {
  CutOutContext,
  CutOutInput,
  CutOutStart,
  Decoded,
  FinishedCutOut,
  PointInCrop,
  Predicted,
  Prepared,
  Refined,
  SourceReport,
} from "./cut-out-context.ts";
import { keptMatteStages, openKeptMatte } from "./cut-out-of-kept.ts";
import { placeSought, sourceMatteStages } from "./cut-out-of-source.ts";
import { createShadowExtractor } from "./extract-shadow.ts";
import { isTooFine, packMatte, softColorsOf } from "./kept-matte.ts";
import { predictMatte } from "./predict-matte.ts";

const decodeStages = [{ name: "decode", run: decodeSource }] as const;
const matteStages = [
  { name: "prepare", run: prepareModelInput },
  { name: "predict", run: predictMatte },
  { name: "refine", run: refineAlpha },
  { name: "foreground", run: estimateForegroundColors },
] as const;

/** What the tools begin with. */
export interface Product
  extends EditStart,
    Decoded,
    FinishedCutOut,
    Timings,
    Pick<Refined, "candidates" | "naturalShadow">,
    Partial<Pick<Predicted, "faults">>,
    Partial<Pick<Prepared, "reduced" | "onGrid">>,
    ToneOutcome {
  readonly source: SourceReport;
  /** `model@version` that made the matte; null: the source brought it. */
  readonly model: string | null;
  /** For later edits of the same photo, where `keepsMatte` asked for it. */
  readonly madeMatte?: Buffer;
  /** The matte is the one that an earlier edit has made. */
  readonly tookKeptMatte?: true;
}

/** @throws PackshotError what `decodePhoto` and the model client throw, `no_product_found`, and `poor_source` if asked for */
export async function cutOutProduct(input: EditInput): Promise<Product> {
  const product = judgeSource(await cutOutOfAny(input));
  return correctsTone(input.parameters) ? await runStages(toneStages, product) : product;
}

async function cutOutOfAny(input: EditInput): Promise<Omit<Product, "source">> {
  const decoded = await runStages(decodeStages, { input, refine: true, seeksShadow: seeksShadow(input) });
  if (decoded.isMasked || decoded.sourceAlpha === "used") return await runStages(sourceMatteStages, decoded);
  const kept = input.keptMatte && openKeptMatte(input.keptMatte, decoded);
  if (kept === undefined) return await holdingPlanes((hold) => runStages(matteStages, { ...decoded, hold }));
  return await runStages(keptMatteStages, { ...decoded, kept });
}

/** By the finished cut-out, however it came about. */
function judgeSource(product: Omit<Product, "source">): Product {
  const { input, photo, cut, candidates, matteReport, faults } = product;
  const measures = measureSource(photo, cut.alpha, candidates, faults);
  const checks = checkSource(measures, sourceAlphaPlane(photo) !== undefined);
  const { onPoorSource = "edit" } = input.parameters;
  const source = { ...measures, checks };
  const problem = describePoorSource(checks);
  if (problem === undefined || onPoorSource === "edit") return { ...product, source };
  if (onPoorSource === "refuse") throw new PackshotError("poor_source", problem);
  const reasons = [...matteReport.reasons, ...poorSourceReasons(checks)];
  return { ...product, source, matteReport: { ...matteReport, quality: "review", reasons } };
}

/** What measurements turn off or on. */
export type CutOutOptions = Partial<Omit<CutOutStart, "input">>;

/**
 * Cuts out without an edit, for measurements; the matte is always predicted.
 *
 * @throws PackshotError what `decodePhoto` and the model client throw, and `no_product_found`
 */
export async function cutOut(input: CutOutInput, options: CutOutOptions = {}): Promise<CutOutContext & Timings> {
  const stages = [...decodeStages, ...matteStages] as const;
  return await holdingPlanes((hold) => runStages(stages, { refine: true, hold, ...options, input }));
}

async function decodeSource({ input }: CutOutStart): Promise<Decoded> {
  const { existingAlpha, region } = input.parameters;
  const decoded = await decoderOf(input).decodePhoto(input.source, input);
  const alphaOfSource = sourceAlphaOf(decoded, existingAlpha);
  const visible = existingAlpha === "ignore" ? withoutAlpha(decoded) : decoded;
  const whole = input.mask === undefined ? visible : await maskPhoto(visible, input.mask, input);
  const about = {
    sourceAlpha: alphaOfSource,
    isMasked: input.mask === undefined ? undefined : (true as const),
  };
  if (region === undefined) return { photo: whole, flat: flattenForMatting(whole), ...about };
  const view = viewRegion(region, whole);
  const photo = croppedPhoto(view);
  return { photo, view, flat: flattenForMatting(photo), ...about };
}

function withoutAlpha({ alpha: _, ...photo }: Photo): Photo {
  return photo;
}

/**
 * The photo with the caller's matte as its alpha; what is transparent in the source stays transparent.
 *
 * @throws PackshotError `mask_unusable`
 */
async function maskPhoto(photo: Photo, mask: Uint8Array, input: CutOutInput): Promise<Photo> {
  const { maxPixels, shrinksAbove } = maskLimits(photo.width * photo.height);
  const limits = { maxPixels: Math.min(input.maxPixels, maxPixels), shrinksAbove };
  const own = await openMask(mask, photo, limits, decoderOf(input).decodePhoto);
  const alpha = multiplyBySourceAlpha(own, photo);
  if (visibleBox(own, photo) !== undefined && visibleBox(alpha, photo) === undefined) {
    const problem =
      "what it shows is transparent in the photo. To take the photo as opaque, set existingAlpha to ignore.";
    throw pictureProblem("mask", problem);
  }
  return { ...photo, alpha, alphaBelowMask: photo.alpha ?? null };
}

async function prepareModelInput(context: CutOutStart & Decoded): Promise<Partial<Decoded> & PointInCrop & Prepared> {
  const modelInput = await context.input.models.describe(context.input.parameters.model);
  const cropped = await cropToPoint({ ...context, modelInput });
  const { photo, flat } = { ...context, ...cropped };
  const reduced = await reducePhoto(flat, photo);
  const prepared = await prepareReduced(reduced, { ...photo, rgb: flat }, modelInput);
  return { ...cropped, modelInput, reduced, onGrid: await enlargeToGrid(reduced), prepared };
}

function noneSeen(context: CutOutStart & Decoded): PackshotError {
  const { photo } = context;
  const place = placeSought(context);
  if (isTransparent(photo)) return noProduct({ place, hiddenBy: "transparentPhoto" });
  const { width, height } = photo;
  const isSmall = place === "picture" && Math.max(width, height) < sourceRules.productPixels.min;
  if (!isSmall) return noProduct({ place });
  return noProduct({ place, remedy: `It has only ${width} × ${height} pixels. ${sourceRules.productPixels.remedy}` });
}

async function refineAlpha(context: CutOutStart & Decoded & PointInCrop & Prepared & Predicted): Promise<Refined> {
  const { input, refine, seeksShadow = false, photo, view, flat, pointed, reduced, onGrid, prior, backdrop } = context;
  // Mends were fitted to the answers of the bundled network, the one with limits of review.
  const mendsMatte = context.modelInput.reviewLimits !== undefined;
  const options = { mendsMatte, measured: context.measured };
  const refined = refine ? refineMatte(flat, photo, onGrid, prior, backdrop, options) : undefined;
  const matte = refined?.alpha ?? resamplePlane(prior.alpha, prior, photo);
  const expected = {
    expectedOverlap: expectedOverlap(matte, photo, prior),
    filledGaps: filledGaps(matte, photo, prior),
  };
  const alpha = multiplyBySourceAlpha(matte, photo);
  if (refined !== undefined && view === undefined) clearThinFrame(alpha, photo);
  const extractShadow = seeksShadow ? createShadowExtractor(context, alpha, refined?.isPlain) : undefined;
  const isPlain = refined?.isPlain ?? false;
  // Elsewhere nothing is removed from a matte on a plain backdrop.
  const all = isPlain && view !== undefined && input.keepsMatte === true ? alpha.slice() : undefined;
  if (view !== undefined) clearOutside(alpha, view);
  if (pointed !== undefined) keepPartAt(alpha, photo, pointed);
  if (!coversAtLeast(alpha, productShareMin)) throw noneSeen(context);
  // Whoever gave a region or a point has chosen.
  const hasChosen = refined === undefined || view !== undefined;
  const candidates = hasChosen ? [] : chooseProduct(alpha, photo, reduced, refined.showsAll);
  const naturalShadow = extractShadow?.(alpha);
  return {
    alpha,
    isPlain,
    all,
    ...expected,
    uncertainOpenings: openingsOfProduct(refined?.uncertainOpenings ?? [], alpha, context),
    ...(candidates.length === 0 ? {} : { candidates }),
    naturalShadow,
  };
}

/** What was filled in things that are not in the cut-out is left out. */
function openingsOfProduct(
  openings: readonly ClosedOpening[],
  alpha: Uint8Array,
  { photo, view }: Decoded,
): readonly Box[] {
  const { left, top } = view?.crop ?? { left: 0, top: 0 };
  return openings
    .filter(({ inside: { x, y } }) => alpha[y * photo.width + x]! >= 128)
    .map(({ box }) => ({ ...box, left: box.left + left, top: box.top + top }));
}

/** Some file needs it. */
function seeksShadow({ tool, parameters }: Pick<EditInput, "tool" | "parameters">): boolean {
  if (parameters.outputs === undefined) return usesShadow({ tool, parameters });
  return renditionsOf(tool, parameters).some(usesShadow);
}

/** The photo's shadow is kept, or says how the product stands or how it is lit. A preset's image is opaque: nothing can be laid below it. */
function usesShadow({ tool, parameters }: Pick<EditInput, "tool" | "parameters">): boolean {
  const { keepShadow, preset, alphaOnly, pose = "auto", shadow = {} } = parameters;
  if (tool === "mask") return keepShadow === true && (preset === undefined || alphaOnly === true);
  return pose === "auto" || (tool === "ai-shadows" && followsPhotoLight(shadow));
}

/** A matte that covers less than this share of the photo shows a speck, not a product. */
const productShareMin = 0.0005;

/** What is transparent in the source stays transparent. */
function multiplyBySourceAlpha(matte: Uint8Array, photo: Photo): Uint8Array {
  if (photo.alpha === undefined) return matte;
  return matte.map((a, i) => Math.round((a * photo.alpha![i]!) / 255));
}

async function estimateForegroundColors(
  context: CutOutStart & Decoded & PointInCrop & Prepared & Predicted & Refined,
): Promise<FinishedCutOut & Pick<Product, "madeMatte">> {
  const { photo, view, flat, pointed, modelInput, reduced, alpha, prior } = context;
  const { width, height, icc } = photo;
  const foreground = estimateForeground(photo, flat, reduced, alpha);
  const network = {
    uncertainty: matteUncertainty(prior),
    expectedOverlap: context.expectedOverlap,
    filledGaps: context.filledGaps,
    reviewLimits: modelInput.reviewLimits,
    reviewWeights: modelInput.reviewWeights,
    uncertainOpenings: context.uncertainOpenings,
    candidates: context.candidates,
    frayedEdge: frayedEdge(alpha, photo, reduced, prior),
    mayBeTwoThings: pointed !== undefined && mayBeTwoThings(alpha, photo),
  };
  const shown = { width, height, alpha, ...foreground, icc };
  const cut = view === undefined ? shown : cutOutOfWhole(shown, view);
  const finished = {
    photo: view?.whole ?? photo,
    cut,
    matteReport: reportMatte(cut.alpha, cut, network),
  };
  const madeMatte = context.input.keepsMatte ? packMadeMatte(context, foreground.rgb, finished) : undefined;
  return { ...finished, madeMatte };
}

/** What a later edit of the same photo takes. @param rgb the colors of the cut-out, of the size of `photo` */
function packMadeMatte(
  { photo, view, alpha, all, isPlain, model, candidates }: Decoded & Predicted & Refined,
  rgb: Uint8Array,
  { matteReport }: FinishedCutOut,
): Buffer | undefined {
  if (isTooFine(alpha) || (all !== undefined && isTooFine(all))) return undefined;
  return packMatte({
    width: photo.width,
    height: photo.height,
    model,
    matteReport,
    candidates,
    isPlain,
    view: view && { crop: view.crop, region: view.region },
    alpha,
    softColors: rgb === photo.rgb ? new Uint8Array() : softColorsOf(rgb, alpha),
    all,
  });
}
