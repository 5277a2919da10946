/**
 * How much memory an edit takes at its peak, beside what an idle worker has. Measured with bench/edits/peak-memory.ts at
 * 1 to 100 megapixels; the estimates are at the peaks or up to 35 % above them. Encoders take more than the edit itself: an
 * AVIF of 50 megapixels takes 2.6 GB, a PNG of the same size .5.
 */
import { backgroundOf } from "@packshot/domain/edits/background.ts";
import { renditionsOf, sceneKeyOf } from "@packshot/domain/edits/rendition.ts";
import type { EditParameters, OutputFormat, ToolId } from "@packshot/domain/edits/tools.ts";
import type { ImageFormat, ImageHeader } from "@packshot/platform/images/image-header.ts";
import { logoPixelsMax } from "../../imaging/codec/background-picture.ts";
import { maskLimits } from "../../imaging/codec/mask-picture.ts";
import { referencePixelsMax } from "../../imaging/codec/reference-picture.ts";
import { sideCellsMax } from "../../imaging/output/draw-outline.ts";
import { largestFrame } from "../../imaging/output/layout.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { grownPixelsMax } from "../../imaging/shadow/grow-canvas.ts";
import { correctsTone, showsPhoto } from "../cut-out/correct-tone.ts";
import { defaultFormat } from "../result/encode-edited.ts";

interface EditToEstimate {
  readonly tool: ToolId;
  readonly parameters: EditParameters;
  readonly sourceBytes: number;
  /** undefined: nothing is decoded. */
  readonly header: Pick<ImageHeader, "format" | "width" | "height"> | undefined;
  /** That of the first file, where it is planned already. Absent: as large as that of any product. */
  readonly frame?: Size;
  /** The file of the picture behind the product. */
  readonly backgroundBytes?: number;
  /** The file of the caller's own matte. */
  readonly maskBytes?: number;
  /** undefined: it cannot be read, or is too large, and is taken for the largest. */
  readonly maskHeader?: EditToEstimate["header"];
  /** The file of the picture over a corner. */
  readonly logoBytes?: number;
  /** The file of the picture from which a scene takes its colors. */
  readonly paletteBytes?: number;
  /** The file of the picture whose light the photo gets. */
  readonly toneBytes?: number;
}

/**
 * Whatever the photo's size: networks' inputs, the work grid and its masks, and some 100 MB of code and kernels that a thread takes
 * with its first edit and keeps.
 */
const fixedBytes = 128 * 1024 * 1024;
/** The main thread has the source, its edit thread a copy, and decoders buffer a part. */
const copiesOfSource = 2.5;
/** Memory for each pixel of the photo, until the image is encoded; of the last two with a plane for the photo's own shadow. */
const bytesPerPixel: Readonly<Record<ToolId, number>> = { mask: 10, "ai-shadows": 14, "ai-bg": 18 };
const decodeBytesPerPixel: Readonly<Partial<Record<ImageFormat, number>>> = { avif: 8, heic: 8 };
/** While the photo is decoded in a process of its own: its planes there, in the file that both share, and in the worker. */
const decodingBytesPerPixel: Readonly<Record<ImageFormat, number>> = {
  jpeg: 9,
  png: 17,
  webp: 17,
  tiff: 17,
  gif: 17,
  avif: 25,
  heic: 25,
};
/** Encoded files when the thread posts them: its own, in the message, and the main thread's. */
const copiesOfPosted = 3;
/** RGB and alpha of the photo while the image is encoded. */
const heldBytesPerPixel = 4;
/** The same while a frame of another size is drawn and encoded, with what the stages before have left. */
const heldBesideFrameBytesPerPixel = 12;
/** Memory for each pixel of the image while it is encoded. */
const encodeBytesPerPixel: Readonly<Record<OutputFormat, number>> = { png: 7, jpeg: 12, webp: 26, avif: 49 };
/** The layers of an image, beside the image without them; what is composed of them; and copies of them in a frame of another size. */
const layersBytesPerPixel: Readonly<Record<ToolId, number>> = { mask: 0, "ai-shadows": 9, "ai-bg": 12 };
const stackedBytesPerPixel = 4;
const drawnLayersBytesPerPixel = 11;
/** Their files, of noise. */
const encodedLayersBytesPerPixel = 7;
/** The rendered scene that an image model paints over, and pictures of the model's own size: reference, masks, answer, and floats of it. */
const generatedBytesPerPixel = 3;
const paintedBytes = 32 * 1024 * 1024;
/** A picture that files share waits for the last of them: RGB, that of the rendered scene, and where it was painted. */
const keptPictureBytesPerPixel = 7;
/** As published models paint them. */
const picturePixelsMax = 1_048_576;
/** A copy of the product's colors. */
const harmonizedBytesPerPixel = 3;
/** A copy of the product's colors, and one of the photo's where it is shown behind the product. */
const tonedBytesPerPixel = 3;
/** An image of noise, encoded. */
const heldBytesPerEncodedPixel: Readonly<Record<OutputFormat, number>> = { png: 3, jpeg: 1, webp: 1, avif: 1 };
/** The color behind the product, as a picture of the frame's size. */
const sharpenedBytesPerPixel = 3;
/** RGBA of the frame and the picture under it. */
const composedBytesPerPixel = 7;
/** The product alone, a copy of the result, and how much of each pixel the line covers. */
const outlineBytesPerPixel = 10;
/** While the line is drawn: the same of each pixel of the frame, distances in each cell, and RGBA of a cut-out that is laid out. */
const outliningBytesPerPixel = 12;
const distanceBytesPerCell = 75;
const aloneBytesPerPixel = 4;
/** The photo's cut-out, and RGBA of it, beside the cut-out in its frame in which a scene is painted. */
const placedBytesPerPixel = 8;
/** A copy of the frame, because the logo is drawn into it. */
const logoBytesPerPixel = 4;
/** Memory for each pixel of a photo with its own shadow: a plane, and RGBA while it is laid out. */
const shadowBytesPerPixel = 5;

/** A reference picture or a logo that has to be decoded whole before it is reduced. */
const pictureBytesPerPixel = 4;

/** RGBA while it is decoded. */
const maskBytesPerPixel = 4;
/**
 * The files of an edit are drawn one after the other: the largest of them counts, and what the others leave encoded. Many of them
 * take more when they are posted.
 */
export function estimateEditMemory(edit: EditToEstimate): number {
  const files = renditionsOf(edit.tool, edit.parameters).map(({ tool, parameters, hasOwnBackground }) => ({
    ...edit,
    // That of the others is not known.
    frame: undefined,
    tool,
    parameters,
    backgroundBytes: hasOwnBackground ? 0 : edit.backgroundBytes,
  }));
  const photoPixels = edit.header === undefined ? 0 : edit.header.width * edit.header.height;
  const toned = photoPixels * tonedCopies(edit) * tonedBytesPerPixel;
  if (files.length === 0) return estimateFile(edit) + toned;
  const held = files.map(encodedBytes).reduce((sum, bytes) => sum + bytes, 0);
  const posted = fixedBytes + memoryOfFiles(edit) + photoPixels * heldBytesPerPixel + copiesOfPosted * held;
  const kept = keptPictures(edit) * picturePixelsMax * keptPictureBytesPerPixel;
  return Math.ceil(Math.max(Math.max(...files.map(estimateFile)) + held + kept, posted)) + toned;
}

/** Pixels of the photo, or of the largest file that is drawn of it, whichever are more. 0: nothing is decoded. */
export function largestPixels({
  tool,
  parameters,
  header,
}: Pick<EditToEstimate, "tool" | "parameters" | "header">): number {
  if (header === undefined) return 0;
  const files = renditionsOf(tool, parameters).map((file) => file.parameters);
  const frames = [parameters, ...files].map((of) => largestFrame(largestCanvas(header, of), of.output ?? {}));
  return Math.max(...[header, ...frames].map(({ width, height }) => width * height));
}

/** The most that wait at once: those that are painted for a larger file wait from the beginning. */
function keptPictures({ tool, parameters }: EditToEstimate): number {
  if (parameters.engine !== "generative") return 0;
  const filesByPicture = Map.groupBy(renditionsOf(tool, parameters), sceneKeyOf);
  return [...filesByPicture].filter(([key, files]) => key !== undefined && files.length > 1).length;
}

function estimateFile(edit: EditToEstimate): number {
  const { tool, parameters, header, maskBytes = 0 } = edit;
  const sourceMemory = fixedBytes + memoryOfFiles(edit);
  if (header === undefined) return Math.ceil(sourceMemory);
  const { output = {}, scene, harmonize = 0 } = parameters;
  const photoPixels = header.width * header.height;
  const format = formatOf(edit);
  const canvas = largestCanvas(header, parameters);
  const frame = frameOf(edit, canvas);
  const pixels = canvas.width * canvas.height;
  const decoding = decodeBytesPerPixel[header.format] ?? 0;
  // A small product in a large frame: the scene is painted at the frame's own size.
  const isPlaced = [output.scale, output.position, output.padding, scene].some((given) => given !== undefined);
  const isPaintedInFrame = tool === "ai-bg" && isPlaced;
  const painted = isPaintedInFrame ? Math.max(pixels, frame.width * frame.height) : pixels;
  const harmonizing = harmonize > 0 ? harmonizedBytesPerPixel : 0;
  const layering = parameters.layers === true ? layersBytesPerPixel[tool] : 0;
  const generating = parameters.engine === "generative" ? painted * generatedBytesPerPixel + paintedBytes : 0;
  const placing = isPaintedInFrame ? photoPixels * placedBytesPerPixel : 0;
  const editing =
    painted * (bytesPerPixel[tool] + harmonizing + layering) + photoPixels * decoding + generating + placing;
  const decodingApart = photoPixels * decodingBytesPerPixel[header.format];
  const isWholeFrame = frame.width === header.width && frame.height === header.height && !isLaidOut(parameters);
  const isRowwise = layering === 0 && format === "png" && isWholeFrame && !needsAllPixels(parameters);
  const outlining = parameters.outline === undefined ? 0 : outliningBytes(pixels, frame, isWholeFrame);
  const composing = frame.width * frame.height * composedBytes(edit);
  const encoding = isRowwise
    ? 0
    : pixels * (isWholeFrame ? heldBytesPerPixel : heldBesideFrameBytesPerPixel) +
      frame.width * frame.height * encodeBytesPerPixel[format];
  // Results that are done wait for the last of them.
  const held = ((parameters.variations ?? 1) - 1) * frame.width * frame.height * heldBytesPerEncodedPixel[format];
  const shadow = parameters.keepShadow === true ? pixels * shadowBytesPerPixel : 0;
  const drawn = isWholeFrame ? 0 : drawnLayersBytesPerPixel;
  const inFrame = layering === 0 ? 0 : stackedBytesPerPixel + drawn + encodedLayersBytesPerPixel;
  const mask = maskBytes === 0 ? 0 : decodingMask(edit.maskHeader, photoPixels);
  const finishing = encoding + composing + pixels * layering + frame.width * frame.height * inFrame;
  return Math.ceil(sourceMemory + shadow + mask + held + Math.max(decodingApart, editing, outlining, finishing));
}

/** Frames of variations differ: each has a shadow of its own, which counts as a part of the product. */
function frameOf({ frame, parameters: { output = {}, variations = 1 } }: EditToEstimate, canvas: Size): Size {
  return frame === undefined || variations > 1 ? largestFrame(canvas, output) : frame;
}

/** AVIF, HEIC and interlaced files are decoded whole before they are scaled down. */
function decodingMask(header: EditToEstimate["header"], photoPixels: number): number {
  if (header === undefined) return maskLimits(photoPixels).maxPixels * maskBytesPerPixel;
  return header.width * header.height * decodingBytesPerPixel[header.format];
}

function formatOf({ tool, parameters: { output = {}, preset } }: EditToEstimate): OutputFormat {
  return preset === undefined ? (output.format ?? defaultFormat[tool]) : "jpeg";
}

/** A file that waits for the last of them. */
function encodedBytes(edit: EditToEstimate): number {
  const { header, parameters } = edit;
  if (header === undefined) return 0;
  const { width, height } = largestFrame(largestCanvas(header, parameters), parameters.output ?? {});
  return width * height * heldBytesPerEncodedPixel[formatOf(edit)];
}

function memoryOfFiles(edit: EditToEstimate): number {
  const { sourceBytes, backgroundBytes = 0, maskBytes = 0, logoBytes = 0, paletteBytes = 0, toneBytes = 0 } = edit;
  const reference = paletteBytes === 0 && toneBytes === 0 ? 0 : referencePixelsMax * pictureBytesPerPixel;
  const logo = logoBytes === 0 ? 0 : logoPixelsMax * pictureBytesPerPixel;
  return (
    copiesOfSource * (sourceBytes + backgroundBytes + maskBytes + logoBytes + paletteBytes + toneBytes) +
    reference +
    logo
  );
}

/** The length of a shadow that is drawn from the seed, as a share of the product's height, with its lamp's radius. */
const drawnReach = 1.4;
const lampRadiusMax = 0.52;
/** How steeply cameras look down at most: the share of a length on the ground that is seen upright. */
const steepestPitch = 0.75;

/** The canvas with all of the shadow of a product that fills the photo, as large as such a canvas may be. */
function largestCanvas({ width, height }: Size, { output = {}, shadow = {} }: EditParameters): Size {
  if (output.fit !== "grow" || shadow.kind === "none") return { width, height };
  const reach = height * (shadow.length === undefined ? drawnReach : shadow.length + lampRadiusMax);
  const grown = { width: width + reach, height: height + Math.max(steepestPitch * reach, height) };
  const pixelsMax = grownPixelsMax(width * height);
  const scale = Math.min(1, Math.sqrt(pixelsMax / (grown.width * grown.height)));
  return { width: Math.ceil(grown.width * scale), height: Math.ceil(grown.height * scale) };
}

function tonedCopies(edit: EditToEstimate): number {
  if (!correctsTone(edit.parameters)) return 0;
  return showsPhoto(edit) ? 2 : 1;
}

/** sharp's encoder of PNG takes the image whole. */
function needsAllPixels({ output = {} }: EditParameters): boolean {
  const { progressive = false, metadata = "none", maxBytes } = output;
  return progressive || metadata !== "none" || maxBytes !== undefined;
}

/** Drawing the line around the product takes most before anything is encoded: its distances are measured in cells. */
function outliningBytes(pixels: number, { width, height }: Size, isWholeFrame: boolean): number {
  const cells = width * height * Math.min(1, sideCellsMax / Math.max(width, height)) ** 2;
  const held = isWholeFrame ? heldBytesPerPixel : heldBesideFrameBytesPerPixel + aloneBytesPerPixel;
  return pixels * held + width * height * outliningBytesPerPixel + cells * distanceBytesPerCell;
}

/** Whether the product may be placed, scaled or cropped in a frame, whatever the frame's size. */
function isLaidOut({ output = {}, scene }: EditParameters): boolean {
  const { crop, padding = 0, scale, position } = output;
  return crop === "product" || padding > 0 || [scale, position, scene].some((given) => given !== undefined);
}

/** For each pixel of the frame, beside what is encoded: a picture under it, the line around the product, a copy for the logo. */
function composedBytes({ parameters, backgroundBytes = 0, logoBytes = 0 }: EditToEstimate): number {
  const isComposed = backgroundBytes > 0 || backgroundOf(parameters).kind !== "color";
  const composed = isComposed ? composedBytesPerPixel : 0;
  const outlined = parameters.outline === undefined ? 0 : outlineBytesPerPixel;
  const sharpened = (parameters.output?.sharpen ?? 0) > 0 ? sharpenedBytesPerPixel : 0;
  return composed + outlined + sharpened + (logoBytes === 0 ? 0 : logoBytesPerPixel);
}
