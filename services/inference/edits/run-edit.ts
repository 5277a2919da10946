/** One edit from bytes to bytes: cut out, edit, lay out, encode. Safe to call in a worker thread: no global state. */

import type { OutputFormat, OutputParameters, ToolId } from "@packshot/domain/tools.ts";
import { encodeImage, encodePipeline, encodeThumbnail, openImage } from "../imaging/codec/encode.ts";
import { isIdentity, type LayoutParameters, planLayout } from "../imaging/output/layout.ts";
import { type Check, checkPreset, presetSettings } from "../imaging/output/preset.ts";
import { changedOpaqueShare } from "../imaging/matting/matte-report.ts";
import type { EditedImage, Image } from "../imaging/pixels/image.ts";
import { editWithScene } from "./ai-bg.ts";
import { editWithShadow } from "./ai-shadows.ts";
import { type CutOutResult, cutOut } from "./cut-out.ts";
import type { EditInput, EditOutput } from "./edit.ts";
import { renderLayout } from "../imaging/output/render-layout.ts";
import { cutOutImage, matteImage } from "../imaging/output/cut-out-image.ts";
import { placeInFrame } from "../imaging/output/place-in-frame.ts";
import { timedStages } from "./pipeline.ts";
import { visibleBox } from "../imaging/pixels/alpha-scan.ts";
import type { Size } from "../imaging/pixels/geometry.ts";
import type { CutOut } from "../imaging/pixels/cut-out.ts";
import type { EncodedImage } from "../imaging/codec/encode.ts";

/** How each tool turns the cut-out into a picture. */
const editors: Readonly<Record<ToolId, (cut: CutOut, input: EditInput) => Promise<EditedImage>>> = {
  mask: async (cut, { parameters }) => (parameters.alphaOnly ? matteImage(cut) : cutOutImage(cut)),
  "ai-shadows": editWithShadow,
  "ai-bg": editWithScene,
};

const defaultFormat: Readonly<Record<ToolId, OutputFormat>> = { mask: "png", "ai-shadows": "png", "ai-bg": "jpeg" };

/** @throws PackshotError with a code that a job's `error.code` may carry, or the signal's reason when aborted */
export async function runEdit(input: EditInput): Promise<EditOutput> {
  const { timings, stage } = timedStages(input);
  const cut = await cutOut(input);
  const staged = input.tool === "ai-bg" ? await placeInFrame(cut, input.parameters.output) : undefined;
  const edited = await stage(input.tool, () => editors[input.tool](staged?.cut ?? cut, input));
  const { result, thumbnail, checks, report } = await stage("encode", async () => {
    const encoding =
      staged === undefined ? layOutAndEncode(cut, edited, input) : encodeInFrame(edited, staged.frame, input);
    // Encoders have threads of their own: this one looks at the matte meanwhile.
    const report = reportOf(cut);
    return { ...(await encoding), report };
  });
  return {
    result,
    thumbnail,
    model: cut.model,
    report: {
      ...report,
      ...edited.report,
      ...(checks === undefined ? {} : { checks }),
    },
    timings: { ...cut.timings, ...timings },
  };
}

function reportOf({ photo, rgb, alpha, report }: CutOutResult) {
  return {
    ...report,
    changedOpaqueShare: changedOpaqueShare(photo.rgb, rgb, alpha),
  };
}

interface Encoded {
  readonly result: EncodedImage;
  readonly thumbnail: EncodedImage;
  readonly checks?: readonly Check[];
}

async function layOutAndEncode(cut: CutOutResult, edited: EditedImage, input: EditInput): Promise<Encoded> {
  const { output = {}, preset, alphaOnly } = input.parameters;
  if (preset !== undefined && !alphaOnly) return await encodePreset(cut, edited, preset, output);
  const product = output.crop === "product" ? visibleBox(alphaOf(edited, cut), edited) : undefined;
  const layout = planLayout(edited, product, output);
  const plain = isIdentity(layout, edited) && output.background === undefined;
  const shown = plain ? edited : await renderLayout(edited, layout, output.background);
  return await encodeAsAsked(shown, input);
}

async function encodeAsAsked(shown: Image, input: EditInput): Promise<Encoded> {
  const { output = {}, alphaOnly } = input.parameters;
  const format = output.format ?? defaultFormat[input.tool];
  const encoding = encodeImage(shown, {
    format,
    gray: alphaOnly === true,
    ...(output.quality === undefined ? {} : { quality: output.quality }),
  });
  return await withThumbnail(shown, encoding, format);
}

/** The thumbnail is made of the same pixels at the same time: an encoder keeps one core busy, not two. */
async function withThumbnail(shown: Image, encoding: Promise<EncodedImage>, format: OutputFormat) {
  const [result, thumbnail] = await Promise.all([encoding, encodeThumbnail(shown, format)]);
  return { result, thumbnail };
}

/** A scene fills its frame: the product was laid out before the scene was painted around it. */
async function encodeInFrame(scene: EditedImage, frame: Size, input: EditInput): Promise<Encoded> {
  const whole = { left: 0, top: 0 };
  const layout = {
    crop: { ...whole, width: scene.width, height: scene.height },
    placement: { ...whole, ...frame },
    frame,
  };
  const shown = isIdentity(layout, scene) ? scene : await renderLayout(scene, layout);
  return await encodeAsAsked(shown, input);
}

async function encodePreset(
  cut: CutOutResult,
  edited: EditedImage,
  preset: NonNullable<EditInput["parameters"]["preset"]>,
  output: OutputParameters,
): Promise<Encoded> {
  const product = visibleBox(cut.alpha, cut);
  const settings = presetSettings(preset, product ?? { left: 0, top: 0, width: cut.width, height: cut.height });
  const asked: LayoutParameters = {
    ...settings.layout,
    ...(output.width === undefined ? {} : { width: output.width, height: output.height ?? output.width }),
    ...(output.align === undefined ? {} : { align: output.align }),
  };
  const layout = planLayout(edited, product, asked);
  const shown = await renderLayout(edited, layout, settings.background);
  const quality = output.quality ?? settings.quality;
  const encoding = encodePipeline(openImage(shown), { ...settings, quality }, false);
  const encoded = await withThumbnail(shown, encoding, settings.format);
  return { ...encoded, checks: await checkPreset(encoded.result.bytes, layout.placement, layout.crop) };
}

function alphaOf(edited: Image, cut: CutOutResult): Uint8Array {
  if (edited.channels === 3) return cut.alpha;
  const { pixels } = edited;
  const alpha = new Uint8Array(edited.width * edited.height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = pixels[i * 4 + 3]!;
  return alpha;
}
