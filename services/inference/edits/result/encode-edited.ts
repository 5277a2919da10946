/** The last stage of every tool: lays the edited image out, encodes result and thumbnail, and completes the report. */

import type { Check } from "@packshot/domain/edits/edit-report.ts";
import type { OutputFormat, OutputPreset, ToolId } from "@packshot/domain/edits/tools.ts";
import { type EncodedImage, encodeImage, encodeThumbnail, outputSideMax } from "../../imaging/codec/encode.ts";
import { encodeWithin } from "../../imaging/codec/encode-within.ts";
import { toSrgb } from "../../imaging/codec/open-image.ts";
import { changedOpaqueShare } from "../../imaging/matting/report/matte-report.ts";
import { withOutline } from "../../imaging/output/draw-outline.ts";
import {
  boxInFrame,
  isIdentity,
  type Layout,
  type LayoutParameters,
  limitSides,
  needsProduct,
  planLayout,
  widenShown,
} from "../../imaging/output/layout.ts";
import { aspectOf, checkPreset, presetSettings } from "../../imaging/output/preset.ts";
import { renderLayout } from "../../imaging/output/render-layout.ts";
import { stackLayers } from "../../imaging/output/stack-layers.ts";
import { visibleBox } from "../../imaging/pixels/alpha-scan.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import { type Box, boxAround, type Size } from "../../imaging/pixels/geometry.ts";
import type { EditedImage, Image, ImageLayer } from "../../imaging/pixels/image.ts";
import { shadowImage } from "../../imaging/shadow/natural-shadow.ts";
import type { ToneOutcome } from "../cut-out/correct-tone.ts";
import type { Decoded, FinishedCutOut, NaturalShadow, Refined, SourceReport } from "../cut-out/cut-out-context.ts";
import type { EditInput, EditStart, EncodedLayer } from "../edit.ts";
import { drawLayers } from "./draw-layers.ts";
import { drawLogoOf, drawResult, type ResultParts } from "./draw-result.ts";
import { type ExportSettings, exportSettings, sourceTypeOf } from "./export-settings.ts";
import { overriddenParameters } from "./overridden.ts";

export const defaultFormat: Readonly<Record<ToolId, OutputFormat>> = {
  mask: "png",
  "ai-shadows": "png",
  "ai-bg": "jpeg",
};

/** As the pipelines announce it. */
const stageName = "encode";

export interface Edited {
  readonly edited: EditedImage;
  /** How the photo was placed in the frame before; absent: the layout is planned from the image. */
  readonly placed?: Layout;
}

export interface Encoded {
  readonly result: EncodedImage;
  /** Absent of a further file. */
  readonly thumbnail?: EncodedImage;
  readonly shadow?: EncodedImage;
  readonly layers?: readonly EncodedLayer[];
  readonly report: Readonly<Record<string, unknown>>;
}

export async function encodeEdited(
  context: EditStart &
    Decoded &
    Pick<Refined, "candidates" | "naturalShadow"> &
    FinishedCutOut &
    Edited &
    ToneOutcome & { readonly source?: SourceReport },
): Promise<Encoded> {
  const { input, photo, shownPhoto = photo, cut, matteReport, naturalShadow, sourceAlpha, edited, placed } = context;
  const { source, tone, candidates } = context;
  const isMask = input.tool === "mask";
  // Other tools have used it, or have not; and a cut-out beside which another file has a shadow keeps none.
  const keptShadow = isMask && input.parameters.keepShadow === true ? naturalShadow : undefined;
  const shownShadow = isMask ? keptShadow : naturalShadow;
  const parts = { photo: shownPhoto, cut, edited };
  const encoding =
    placed === undefined ? layOutAndEncode(parts, input, keptShadow) : encodeInFrame(parts, placed, input);
  // Encoders have threads of their own: this thread compares the result with the photo meanwhile.
  const changedShare = input.isFurther ? undefined : changedOpaqueShare(photo.rgb, cut.rgb, cut.alpha);
  const product = boxInEdited(visibleBox(cut.alpha, cut), edited);
  const { result, thumbnail, layers: drawn, layout, checks, scaledFrom, encoding: encodingReport } = await encoding;
  const digitalSourceType = sourceTypeOf(input);
  const shadow = await encodeShadow(keptShadow, cut, layout);
  const layers = drawn && (await encodeLayers(drawn));
  const foreground = product && boxInFrame(product, layout);
  const overridden = overriddenParameters(input.parameters, formatOf(input), layout.cutMargins);
  const report = {
    ...matteReport,
    source,
    tone,
    sourceAlpha,
    candidates,
    changedOpaqueShare: changedShare,
    foreground,
    ...(shownShadow === undefined || input.tool === "ai-bg" ? {} : { naturalShadow: shownShadow.outcome }),
    ...edited.report,
    checks,
    scaledFrom,
    encoding: encodingReport,
    digitalSourceType,
    ...(overridden.length === 0 ? {} : { overridden }),
  };
  return { result, thumbnail, shadow, layers, report };
}

/** Where a box of the photo lies in the edited image. */
function boxInEdited(box: Box | undefined, { origin }: EditedImage): Box | undefined {
  if (box === undefined || origin === undefined) return box;
  return { ...box, left: box.left + origin.x, top: box.top + origin.y };
}

/** After the result, one after the other: each takes an encoder's memory. */
async function encodeLayers(layers: readonly ImageLayer[]): Promise<EncodedLayer[]> {
  const encoded: EncodedLayer[] = [];
  for (const { name, image } of layers) encoded.push({ name, image: await encodeImage(image, { format: "png" }) });
  return encoded;
}

/** In the result's frame, after the result: both at once would take the memory of two. */
async function encodeShadow(
  shadow: NaturalShadow | undefined,
  size: Size,
  layout: Layout,
): Promise<EncodedImage | undefined> {
  if (shadow?.outcome !== "separated") return undefined;
  const image = shadowImage(shadow.alpha, size);
  return await encodeImage(isIdentity(layout, size) ? image : await renderLayout(image, layout), { format: "png" });
}

interface EncodedFiles {
  readonly result: EncodedImage;
  readonly thumbnail?: EncodedImage;
  /** In the frame's size, the lowest first. */
  readonly layers?: readonly ImageLayer[];
  /** How the photo lies in the frame. */
  readonly layout: Layout;
  readonly checks?: readonly Check[];
  /** Size of the frame that was asked for, where it is too large, or larger than its format can be. */
  readonly scaledFrom?: Size;
  readonly encoding?: EncodingReport;
}

/** What the search for a quality came to. */
interface EncodingReport {
  /** Absent where the format has none. */
  readonly quality?: number;
  readonly encodings: number;
}

interface FittedLayout {
  readonly layout: Layout;
  readonly scaled: Pick<EncodedFiles, "scaledFrom">;
}

/** Encoders refuse longer sides only after all of the work. */
function fitFormat(planned: Layout, format: OutputFormat, { isFurther, onFrame }: EditInput): FittedLayout {
  const layout = limitSides(planned, outputSideMax[format]);
  if (!isFurther) onFrame?.(layout.frame);
  const asked = planned.askedFrame ?? planned.frame;
  const isScaled = layout.frame.width < asked.width || layout.frame.height < asked.height;
  return { layout, scaled: isScaled ? { scaledFrom: asked } : {} };
}

const formatOf = ({ tool, parameters: { output = {} } }: EditInput) => output.format ?? defaultFormat[tool];

/** On a scale to 255: a smooth shadow that is cut off where it has more shows an edge. */
const shadowAlphaMin = 2;

async function layOutAndEncode(
  parts: ResultParts,
  input: EditInput,
  shadow: NaturalShadow | undefined,
): Promise<EncodedFiles> {
  const { cut, edited } = parts;
  const { output = {}, preset, alphaOnly } = input.parameters;
  if (preset !== undefined && !alphaOnly) return await encodePreset(cut, edited, preset, input);
  const product = needsProduct(output) ? shownProduct(parts, input) : undefined;
  // A shadow that is kept counts, as one does that ai-shadows casts: a crop cuts neither off.
  const shadowBox =
    product && shadow?.outcome === "separated" ? visibleBox(shadow.alpha, edited, shadowAlphaMin) : undefined;
  const shown = product && shadowBox ? boxAround(product, shadowBox) : product;
  const planned = planLayout(edited, shown, alphaOnly ? { ...output, sharpen: 0 } : output);
  // What fades out below the threshold of what is visible.
  const tails =
    shown && (shadowBox !== undefined || input.tool === "ai-shadows")
      ? visibleBox(alphaOf(edited, cut), edited, 1)
      : undefined;
  const { layout, scaled } = fitFormat(tails ? widenShown(planned, tails) : planned, formatOf(input), input);
  if (edited.layers !== undefined) return { ...(await encodeStack(parts, layout, input)), layout, ...scaled };
  return { ...(await encodeByParameters(await drawResult(parts, layout, input), input)), layout, ...scaled };
}

/** The result is composed of its layers in the frame: scaled after that, it would no longer be what they give. */
async function encodeStack(
  parts: ResultParts,
  layout: Layout,
  input: EditInput,
): Promise<Omit<EncodedFiles, "layout">> {
  const drawn = await drawLayers(parts, layout, input);
  return { ...(await encodeByParameters(stackLayers(drawn), input)), layers: drawn };
}

/** The box of what the result shows of the product: with its shadow, and with the line around it. */
function shownProduct({ cut, edited }: ResultParts, { parameters }: EditInput): Box | undefined {
  const box = visibleBox(alphaOf(edited, cut), edited);
  const { outline, alphaOnly } = parameters;
  const product = outline === undefined || alphaOnly ? undefined : visibleBox(cut.alpha, cut);
  return box && product ? boxAround(box, withOutline(product, outline!, edited)) : box;
}

async function encodeByParameters(image: Image, input: EditInput): Promise<Omit<EncodedFiles, "layout">> {
  const { output = {} } = input.parameters;
  const settings = await exportSettings(input, formatOf(input));
  const drawn = await drawLogoOf(input, image);
  return await encodeFiles(output.colorSpace === "srgb" ? await toSrgb(drawn) : drawn, settings, input);
}

/**
 * The thumbnail is made of the same pixels at the same time, because an encoder keeps one core busy, not two. It begins first: rows of
 * RGBA are compressed on this thread, and its encoder has a thread of its own meanwhile.
 */
async function encodeFiles(
  image: Image,
  settings: ExportSettings,
  { isFurther, onStage, signal }: EditInput,
): Promise<Omit<EncodedFiles, "layout">> {
  // Each encoding of a search has the time of a stage, and nobody waits for those of a cancelled edit.
  const onFurther = () => {
    signal.throwIfAborted();
    onStage(stageName);
  };
  if (isFurther) return await encodeToSize(image, settings, onFurther);
  const [thumbnail, encoded] = await Promise.all([
    encodeThumbnail(image, settings.format),
    encodeToSize(image, settings, onFurther),
  ]);
  return { ...encoded, thumbnail };
}

async function encodeToSize(
  image: Image,
  { bytesMax, ...settings }: ExportSettings,
  onFurther: () => void,
): Promise<Pick<EncodedFiles, "result" | "encoding">> {
  if (bytesMax === undefined) return { result: await encodeImage(image, settings) };
  const { image: result, ...encoding } = await encodeWithin(image, settings, bytesMax, onFurther);
  return { result, encoding };
}

async function encodeInFrame(parts: ResultParts, placed: Layout, input: EditInput): Promise<EncodedFiles> {
  const { edited: scene } = parts;
  const origin = { left: 0, top: 0 };
  const { layout, scaled } = fitFormat(placed, formatOf(input), input);
  const whole = {
    crop: { ...origin, width: scene.width, height: scene.height },
    placement: { ...origin, ...layout.frame },
    frame: layout.frame,
  };
  if (scene.layers !== undefined) return { ...(await encodeStack(parts, whole, input)), layout, ...scaled };
  const image = isIdentity(whole, scene) ? scene : await renderLayout(scene, whole);
  return { ...(await encodeByParameters(image, input)), layout, ...scaled };
}

async function encodePreset(
  cut: CutOut,
  edited: EditedImage,
  preset: OutputPreset,
  input: EditInput,
): Promise<EncodedFiles> {
  const { output = {} } = input.parameters;
  const product = visibleBox(cut.alpha, cut);
  const settings = presetSettings(preset, product ?? { left: 0, top: 0, width: cut.width, height: cut.height });
  const parameters: LayoutParameters = {
    ...settings.layout,
    ...(output.width === undefined
      ? {}
      : { width: output.width, height: output.height ?? Math.max(1, Math.round(output.width / aspectOf(preset))) }),
    ...(output.align === undefined ? {} : { align: output.align }),
    ...(output.sharpen === undefined ? {} : { sharpen: output.sharpen }),
  };
  const { format, chroma, background } = settings;
  const { layout, scaled } = fitFormat(planLayout(edited, product, parameters), format, input);
  const image = await toSrgb(await renderLayout(edited, layout, background));
  const exported = await exportSettings(input, format);
  const quality = output.quality ?? settings.quality;
  const files = await encodeFiles(image, { ...exported, quality, chroma, keepsWhite: true }, input);
  return {
    ...files,
    layout,
    ...scaled,
    checks: await checkPreset(preset, files.result.bytes, layout.placement, layout.crop),
  };
}

function alphaOf(edited: Image, cut: CutOut): Uint8Array {
  if (edited.channels === 3) return cut.alpha;
  const { pixels } = edited;
  const alpha = new Uint8Array(edited.width * edited.height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = pixels[i * 4 + 3]!;
  return alpha;
}
