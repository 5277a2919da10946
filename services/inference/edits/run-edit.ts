/** One edit from bytes to bytes: cut out, edit, lay out, encode. Safe to call in a worker thread: no global state. */

import type { OutputFormat, OutputParameters, ToolId } from "@packshot/domain/tools.ts";
import { encode, encodePipeline, encodeThumbnail, openPicture } from "../imaging/encode.ts";
import {
  applyLayout,
  isIdentity,
  type Layout,
  type LayoutParameters,
  parseBackground,
  planLayout,
  visibleBox,
} from "../imaging/layout.ts";
import { type Check, checkPreset, presetSettings } from "../imaging/preset.ts";
import { changedOpaqueShare } from "../imaging/matte-report.ts";
import type { EditedPicture, Picture } from "../imaging/picture.ts";
import { editWithScene } from "./ai-bg.ts";
import { editWithShadow } from "./ai-shadows.ts";
import { type CutOutResult, cutOut } from "./cut-out.ts";
import type { EditInput, EditOutput, EncodedPicture } from "./edit.ts";
import { maskPicture, mattePicture } from "./mask.ts";
import { timedStages } from "./stages.ts";

/** How each tool turns the cut-out into a picture. */
const editors: Readonly<Record<ToolId, (cut: CutOutResult, input: EditInput) => Promise<EditedPicture>>> = {
  mask: async (cut, { parameters }) => (parameters.alphaOnly ? mattePicture(cut) : maskPicture(cut)),
  "ai-shadows": editWithShadow,
  "ai-bg": editWithScene,
};

const defaultFormat: Readonly<Record<ToolId, OutputFormat>> = { mask: "png", "ai-shadows": "png", "ai-bg": "jpeg" };

/** @throws PackshotError with a code that a job's `error.code` may carry, or the signal's reason when aborted */
export async function runEdit(input: EditInput): Promise<EditOutput> {
  const { timings, stage } = timedStages(input);
  const cut = await cutOut(input);
  const edited = await stage(input.tool, () => editors[input.tool](cut, input));
  const { result, shown, checks } = await stage("encode", () => layOutAndEncode(cut, edited, input));
  const thumbnail = await stage("thumbnail", () => encodeThumbnail(shown));
  return {
    result,
    thumbnail,
    model: cut.model,
    report: {
      ...cut.report,
      changedOpaqueShare: changedOpaqueShare(cut.photo.rgb, cut.rgb, cut.alpha),
      ...edited.report,
      ...(checks === undefined ? {} : { checks }),
    },
    timings: { ...cut.timings, ...timings },
  };
}

interface Encoded {
  readonly result: EncodedPicture;
  /** What the thumbnail is made of. */
  readonly shown: Picture;
  readonly checks?: readonly Check[];
}

async function layOutAndEncode(cut: CutOutResult, edited: EditedPicture, input: EditInput): Promise<Encoded> {
  const { output = {}, preset, alphaOnly } = input.parameters;
  if (preset !== undefined && !alphaOnly) return await encodePreset(cut, edited, preset, output);
  const format = output.format ?? defaultFormat[input.tool];
  const settings = { format, ...(output.quality === undefined ? {} : { quality: output.quality }) };
  const product = output.crop === "product" ? visibleBox(alphaOf(edited, cut), edited) : undefined;
  const layout = planLayout(edited, product, output);
  const plain = isIdentity(layout, edited) && output.background === undefined;
  if (plain) return { result: await encode(edited, settings), shown: edited };
  const shown = await laidOut(edited, layout, output.background);
  return { result: await encode(shown, settings), shown };
}

async function encodePreset(
  cut: CutOutResult,
  edited: EditedPicture,
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
  const shown = await laidOut(edited, layout, settings.background);
  const result = await encodePipeline(
    openPicture(shown),
    { ...settings, quality: output.quality ?? settings.quality },
    false,
  );
  return { result, shown, checks: await checkPreset(result.bytes, layout.placed, layout.crop) };
}

/** Pixels of the finished frame: the result and the thumbnail are both made of them. */
async function laidOut(picture: Picture, layout: Layout, background = "transparent"): Promise<Picture> {
  const ground = parseBackground(background);
  const { width, height, channels, pixels, icc } = picture;
  const opened = applyLayout(openPicture({ width, height, channels, pixels }), layout, ground);
  const flat = ground.alpha === 1 ? opened.flatten({ background: ground }) : opened;
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    channels: info.channels as 3 | 4,
    pixels: data,
    ...(icc === undefined ? {} : { icc }),
  };
}

function alphaOf(edited: Picture, cut: CutOutResult): Uint8Array {
  if (edited.channels === 3) return cut.alpha;
  const alpha = new Uint8Array(edited.width * edited.height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = edited.pixels[i * 4 + 3]!;
  return alpha;
}
