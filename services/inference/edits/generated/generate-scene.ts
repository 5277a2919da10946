/**
 * A scene by an image model. The renderer has drawn the scene, with the product and its shadow: that is the model's reference, and
 * all that lies outside of the product is painted anew. What comes back is put behind the product, whose pixels stay the photo's
 * own. A picture of colors, where the edit has one, is a second reference, for the look. A picture that shows more of the product than there is, or another one, is painted again, twice at most; then the renderer's
 * scene stays.
 */

import { type SceneEngine, strengthDefault } from "@packshot/domain/edits/engine.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { decoderOf } from "../../decoder/image-decoder.ts";
import { openStylePicture } from "../../imaging/codec/reference-picture.ts";
import { inKernelMemory } from "../../imaging/kernels/kernel-memory.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { dilate } from "../../imaging/pixels/morphology.ts";
import { resamplePlane } from "../../imaging/pixels/resample.ts";
import { resizePixels } from "../../imaging/pixels/resize.ts";
import { composeScene, type SceneLayers } from "../../imaging/scene/compose-scene.ts";
import type { ShadowLayer } from "../../imaging/shadow/cast-shadow.ts";
import type { Painter, PainterDescription, Painting, PaintRequest } from "../../model-client/painter.ts";
import type { EditInput } from "../edit.ts";
import { createPictureJudge, type PictureFault } from "./judge-picture.ts";
import { missingContact, type PaintedOver } from "./missing-contact.ts";

export interface DrawnScene {
  /** As it stands in the scene. */
  readonly product: CutOut;
  readonly layers: SceneLayers;
  /** The product's shadow where it touches its ground, which image models lose; null: it touches none. */
  readonly contact: ShadowLayer | null;
}

export interface GeneratedScene {
  /** What the result is composed of. */
  readonly layers: SceneLayers;
  readonly report: {
    readonly engine: SceneEngine;
    /** Absent, with steps, seconds and redraws, where the image model was not asked. */
    readonly imageModel?: string;
    readonly steps?: number;
    readonly seconds?: number;
    readonly redraws?: number;
    readonly rejections?: readonly PictureFault[];
  };
}

/** What the image model has painted for a scene. */
export interface PaintedPicture {
  /** null: all pictures were rejected, or none came in time, and the renderer's scene stays. */
  readonly over: PaintedOver | null;
  readonly report: GeneratedScene["report"];
}

/** Pictures that files of one edit share, by what is seen in them, until the last of these files is painted. */
export type SharedPictures = Map<string, PaintedPicture>;

/** The picture of a file, which others may show as well. */
export interface SharedPicture {
  readonly key: string;
  readonly pictures: SharedPictures;
  readonly isShownLater: boolean;
}

const redrawsMax = 2;
/** What is left of the job's time for the renderer's scene, its files and its record. */
const renderReserveMs = 30_000;
/** The side of the second reference: a quarter of a usual picture's tokens, each of which takes time in every step. */
const styleSide = 512;
/** Image models were trained on no smaller pictures: a smaller scene is enlarged for them. */
const paintedPixelsMin = 262_144;
/** What is painted begins so far from the product, in pixels of the model's picture: its edge stays in its own surroundings. */
const edgePixels = 3;
/** Where neither a prompt nor a theme says anything. */
const plainPrompt = "a neutral, light photo studio";
/** Each redraw has a seed of its own, in which those of other edits have no part. */
const redrawSeeds = 2 ** 32;

/** When the image model must have painted all scenes of an edit, in milliseconds since the epoch. */
export type PaintDeadline = () => number;

export interface ScenePainting {
  readonly untilMs: PaintDeadline;
  readonly shared?: SharedPicture | undefined;
}

/** Throws what the painter throws, and the signal's reason. */
export async function generateScene(
  input: EditInput,
  drawn: DrawnScene,
  { untilMs, shared }: ScenePainting,
): Promise<GeneratedScene> {
  const painted = shared?.pictures.get(shared.key) ?? (await paintPicture(input, drawn, untilMs()));
  if (shared?.isShownLater) shared.pictures.set(shared.key, painted);
  else shared?.pictures.delete(shared.key);
  const { over, report } = painted;
  return { layers: over === null ? drawn.layers : layersOf(over, drawn), report };
}

async function paintPicture(input: EditInput, drawn: DrawnScene, untilMs: number): Promise<PaintedPicture> {
  const { painter, parameters, signal } = input;
  const isOver = input.mayRender && Date.now() >= untilMs;
  if (painter === undefined || isOver) return unpainted(input);
  const { prompt = parameters.theme, strength = strengthDefault, seed } = parameters;
  const described = await painter.describe();
  const size = paintedSize(drawn.product, described);
  const reference = await resizePixels(composeScene(drawn.product, drawn.layers), drawn.product, 3, size);
  const { fill, alpha } = masksOf(drawn.product, size);
  const style = await stylePicture(input, described);
  const judge = await createPictureJudge(input, { ...size, reference, fill, alpha });
  const { tenant } = input;
  const rejections: PictureFault[] = [];
  let { steps } = described;
  let ms = 0;
  for (let redraw = 0; redraw <= redrawsMax; redraw++) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const request = {
      prompt: prompt || plainPrompt,
      seed: redraw * redrawSeeds + seed,
      strength,
      ...size,
      reference,
      fill,
      ...(style && { style }),
      tenant,
      deadlineAtMs: untilMs,
      signal,
      onStep(done: number, of: number) {
        steps = of;
        input.onStage("paint", { step: done, steps: of });
      },
    };
    const { picture, runMs, isLate } = await paintInTime(painter, request, input);
    ms += runMs ?? performance.now() - startedAt;
    const fault = isLate ? "timed_out" : picture === null ? "not_finite" : await judge(picture);
    const report = { imageModel: described.model, steps, seconds: Math.round(ms) / 1_000, redraws: redraw };
    const rejected = { ...(rejections.length > 0 && { rejections }) };
    if (fault === undefined) {
      const over = { ...size, picture: picture!, reference, fill };
      return { over, report: { engine: "generative", ...report, ...rejected } };
    }
    rejections.push(fault);
    if (redraw === redrawsMax || fault === "timed_out")
      return { over: null, report: { engine: "renderer", ...report, rejections } };
  }
  throw new Error("no picture was painted");
}

/** No model server has had the image model for too long, or earlier scenes of the edit took all of its time. */
function unpainted({ mayRender }: EditInput): PaintedPicture {
  if (!mayRender) throw new Error("this worker has no image model");
  return { over: null, report: { engine: "renderer", rejections: ["timed_out"] } };
}

/** The time begins when the first scene is drawn. */
export function createPaintDeadline(input: EditInput): PaintDeadline {
  const { deadlineAtMs, paintTimeoutMs = Number.POSITIVE_INFINITY, mayRender } = input;
  const lastMs = mayRender ? deadlineAtMs - renderReserveMs : deadlineAtMs;
  let untilMs: number | undefined;
  return () => (untilMs ??= Math.min(lastMs, Date.now() + paintTimeoutMs));
}

type InTime = Pick<Painting, "picture" | "runMs"> & { readonly isLate?: true };

/** Throws `image_model_timeout` where the renderer's scene is not wanted, and `deadline_exceeded` where the job's own time is over. */
async function paintInTime(painter: Painter, request: PaintRequest, input: EditInput): Promise<InTime> {
  try {
    return await painter.paint(request);
  } catch (error) {
    const isLate = error instanceof PackshotError && error.code === "deadline_exceeded";
    if (!isLate || request.deadlineAtMs >= input.deadlineAtMs) throw error;
    if (input.mayRender) return { picture: null, runMs: undefined, isLate };
    const seconds = Math.round(input.paintTimeoutMs! / 1_000);
    const message = `The image model did not paint the edit in ${seconds} seconds: try again, or leave "engine" out.`;
    throw new PackshotError("image_model_timeout", message);
  }
}

/** As the scene is, in whole patches. */
function paintedSize({ width, height }: Size, described: PainterDescription): Size {
  const pixels = Math.min(described.pixelsMax, Math.max(width * height, paintedPixelsMin));
  const scale = Math.sqrt(pixels / (width * height));
  return wholePatches({ width: width * scale, height: height * scale }, described);
}

function wholePatches({ width, height }: Size, { patchPixels }: PainterDescription): Size {
  const side = (length: number) => Math.max(1, Math.floor(length / patchPixels)) * patchPixels;
  return { width: side(width), height: side(height) };
}

/** undefined: the edit brings no picture for its colors. */
async function stylePicture(input: EditInput, described: PainterDescription) {
  if (input.palette === undefined) return undefined;
  const side = Math.min(styleSide, Math.sqrt(described.pixelsMax));
  const opened = await openStylePicture(input.palette, side, input, decoderOf(input).openPicture);
  const size = wholePatches(opened, described);
  return { ...size, rgb: await resizePixels(opened.rgb, opened, 3, size) };
}

/** Where the picture is painted (255) and where it stays (0), and the product's alpha in that size. */
function masksOf({ alpha, width, height }: CutOut, size: Size) {
  const reduced = resamplePlane(alpha, { width, height }, size);
  const visible = reduced.map((value) => (value > 0 ? 1 : 0));
  const near = inKernelMemory(() => dilate(visible, size, edgePixels).slice());
  return { alpha: reduced, fill: near.map((isNear) => (isNear === 1 ? 0 : 255)) };
}

/** The model has painted reflection and cast shadow over. */
function layersOf(over: PaintedOver, { product, layers, contact }: DrawnScene): SceneLayers {
  const scene = Float32Array.from(over.picture);
  const shadow = contact && missingContact(contact, over, product);
  return { ...layers, scene, sceneWidth: over.width, sceneHeight: over.height, shadow, reflection: null };
}
