/** `ai-shadows`: the product on a shadow. */

import type { PoseParameters, ShadowParameters } from "@packshot/domain/edits/shadow.ts";
import { cutOutImage } from "../../imaging/output/cut-out-image.ts";
import { cutSidesOf } from "../../imaging/output/place-in-frame.ts";
import { imageOfLayers } from "../../imaging/output/stack-layers.ts";
import { visibleBox } from "../../imaging/pixels/alpha-scan.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Image } from "../../imaging/pixels/image.ts";
import { layOverReflection, reflectionEnd, renderReflection } from "../../imaging/scene/reflection.ts";
import { emptyLayer, fadeAtEdges, type ShadowLayer } from "../../imaging/shadow/cast-shadow.ts";
import { composeOverShadow } from "../../imaging/shadow/compose-over-shadow.ts";
import { fitLength } from "../../imaging/shadow/fit-length.ts";
import { type Growth, growCutOut, growthOf, noGrowth } from "../../imaging/shadow/grow-canvas.ts";
import { drawLight, type Light } from "../../imaging/shadow/light.ts";
import { type PhotoLight, photoLightOf } from "../../imaging/shadow/light-side.ts";
import { photoShadowLayer } from "../../imaging/shadow/photo-shadow.ts";
import { estimatePose, type ProductPose, poseAs } from "../../imaging/shadow/pose.ts";
import { aimLight } from "../../imaging/shadow/shadow-bearing.ts";
import {
  type CastKind,
  chooseKind,
  makeShadow,
  mirroredShare,
  onGroundUnlessSure,
  relativeLength,
  type SceneKind,
} from "../../imaging/shadow/shadow-kinds.ts";
import type { NaturalShadow } from "../cut-out/cut-out-context.ts";
import type { EditInput } from "../edit.ts";
import { runStages, type Timings } from "../pipeline.ts";
import type { Edited } from "../result/encode-edited.ts";

const shadowStages = [
  { name: "shadow", run: makeSoftShadow },
  { name: "compose", run: compose },
] as const;

interface Start {
  readonly cut: CutOut;
  readonly input: Pick<EditInput, "parameters" | "maxPixels" | "signal" | "onStage">;
  /** The shadow in the photo, where it was looked for. */
  readonly naturalShadow?: NaturalShadow;
}

/**
 * Puts a soft shadow under the product: RGBA, the size of the cut-out. The shadow is a color with alpha, so that the
 * image can be placed on any clean background; what falls outside the image is cropped, or the canvas grows. An empty cut-out
 * stays empty.
 *
 * @throws PackshotError `canvas_too_large`
 */
export async function editWithShadow(
  cut: CutOut,
  input: Start["input"],
  naturalShadow?: NaturalShadow,
): Promise<Edited & Timings> {
  const start = { cut, input, naturalShadow };
  const { edited, timings } = await runStages(shadowStages, start);
  return { edited, timings };
}

interface Shadowed {
  readonly light: Light;
  readonly pose: ProductPose | null;
  readonly kind: CastKind;
  readonly layer: ShadowLayer;
  /** The cut-out, on a wider canvas where that was asked for and needed. */
  readonly canvas: CutOut;
  /** Where it was asked for. */
  readonly growth?: Growth;
}

async function makeSoftShadow({ cut, input, naturalShadow }: Start): Promise<Shadowed> {
  const { seed, shadow = {}, output = {}, camera } = input.parameters;
  const grows = output.fit === "grow";
  const asItIs = { canvas: cut, ...(grows && { growth: noGrowth }) };
  const own = photoShadowOf(naturalShadow);
  const pose = poseInPhoto(cut, input.parameters, naturalShadow);
  if (pose === null) {
    const layer = emptyLayer(cut, Math.max(cut.width, cut.height));
    return { light: drawLight(seed, shadow), pose, kind: "none", layer, ...asItIs };
  }
  const inPhoto = own && { alpha: own, width: cut.width };
  const inPhotoLight = photoLightOf(cut, pose, inPhoto);
  const drawn = drawLight(seed, shadow, inPhotoLight?.side);
  const photoLayer = own && photoShadowLayer(own, cut, shadow.opacity ?? 1, pose.stance === "standing");
  const posed = camera === "above" ? pose : onGroundUnlessSure(pose);
  const kind = chooseKind(posed, shadow, photoLayer !== undefined);
  const length = relativeLength(shadow);
  const light = kind === "cast" ? castLight(drawn, posed, inPhotoLight, input.parameters) : drawn;
  if (grows && kind !== "natural") {
    const { maxPixels } = input;
    return { light, kind, ...castOnGrownCanvas(kind, posed, light, cut, { length, maxPixels }) };
  }
  const layer = kind === "natural" ? photoLayer! : makeShadow(kind, posed, light, cut, length);
  fadeAtEdges(layer, cut, footOf(posed));
  return { light, pose, kind, layer, ...asItIs };
}

/**
 * What is cast on the ground falls where the photo's shadow does, where that says its side and nobody asks for another, and ends within the
 * picture, unless that grows.
 */
function castLight(
  light: Light,
  pose: ProductPose,
  { shadowBearing }: Partial<PhotoLight> = {},
  { shadow = {}, output = {} }: EditInput["parameters"],
): Light {
  if (shadow.direction !== undefined || pose.view !== "level") return light;
  const aimed = shadowBearing === undefined ? light : aimLight(pose, light, shadowBearing);
  return shadow.length === undefined && output.fit !== "grow" ? fitLength(pose, aimed) : aimed;
}

/** The row of the image on which the product stands; undefined where it stands on none. */
function footOf({ view, stance, silhouette }: ProductPose): number | undefined {
  return view === "level" && stance === "standing" ? silhouette.bottom * silhouette.cellPx : undefined;
}

/** The shadow on a canvas that has room for all of it. */
function castOnGrownCanvas(
  kind: SceneKind,
  pose: ProductPose,
  light: Light,
  cut: CutOut,
  { length, maxPixels }: { readonly length: number; readonly maxPixels: number },
): Pick<Shadowed, "pose" | "layer" | "canvas" | "growth"> {
  const sides = cutSidesOf(cut, visibleBox(cut.alpha, cut)!);
  const mirroredTo = kind === "reflection" ? reflectionEnd(pose, mirroredShare) : undefined;
  const growth = growthOf(kind, pose, light, cut, { length, cut: sides, mirroredTo });
  const canvas = growCutOut(cut, growth, maxPixels);
  const posed = canvas === cut ? pose : poseAs(pose, canvas.alpha, canvas.width, canvas.height)!;
  const layer = makeShadow(kind, posed, light, canvas, length);
  fadeAtEdges(layer, canvas, footOf(posed), sides);
  return { pose: posed, layer, canvas, growth };
}

/** @returns null for an empty cut-out */
export function poseInPhoto(
  { alpha, width, height }: CutOut,
  requested: PoseParameters,
  naturalShadow?: NaturalShadow,
): ProductPose | null {
  const own = photoShadowOf(naturalShadow);
  return estimatePose(alpha, width, height, requested, own && { alpha: own, width });
}

function photoShadowOf(shadow: NaturalShadow | undefined): Uint8Array | undefined {
  return shadow?.outcome === "separated" ? shadow.alpha : undefined;
}

async function compose(context: Start & Shadowed): Promise<Edited> {
  const { canvas: cut, input, light, pose, kind, growth } = context;
  const about = {
    report: { shadow: { ...shadowReport(light, pose), kind }, ...(growth && { grown: growth }) },
    ...(growth && { origin: { x: growth.left, y: growth.top } }),
  };
  const { width, height, icc } = cut;
  const form = { width, height, channels: 4, icc } as const;
  if (input.parameters.layers !== true) {
    const reduced = reducedImage(context);
    const pixels = composePixels(context, cut);
    return { edited: { ...form, pixels, ...(reduced && { reduced: { ...reduced, icc } }), ...about } };
  }
  const shadow = { ...form, pixels: composePixels(context, { ...cut, alpha: new Uint8Array(width * height) }) };
  const layers = [
    { name: "shadow", image: shadow },
    { name: "product", image: cutOutImage(cut) },
  ] as const;
  return { edited: imageOfLayers(layers, about) };
}

/** The same at a thumbnail's size, where the cut-out has it: what libvips makes of the whole takes ten times as long. */
function reducedImage({ canvas, input, kind, layer }: Shadowed & Start): Image | undefined {
  const { reduced, width } = canvas;
  if (reduced === undefined || kind === "reflection") return undefined;
  const stepPx = (layer.stepPx * reduced.width) / width;
  const color = shadowColor(input.parameters.shadow);
  const pixels = composeOverShadow(separateAlpha(reduced), { ...layer, stepPx }, color);
  return { width: reduced.width, height: reduced.height, channels: 4, pixels };
}

function separateAlpha({ width, height, pixels }: Image): CutOut {
  const cut = { width, height, rgb: new Uint8Array(3 * width * height), alpha: new Uint8Array(width * height) };
  for (let y = 0; y < height; y++) separateRow(pixels, y * width, (y + 1) * width, cut);
  return cut;
}

function separateRow(pixels: Uint8Array, from: number, end: number, { rgb, alpha }: CutOut): void {
  for (let i = from; i < end; i++) {
    rgb[3 * i] = pixels[4 * i]!;
    rgb[3 * i + 1] = pixels[4 * i + 1]!;
    rgb[3 * i + 2] = pixels[4 * i + 2]!;
    alpha[i] = pixels[4 * i + 3]!;
  }
}

/** @param shown the product as it is laid over its shadow */
function composePixels({ canvas: cut, input, pose, kind, layer }: Start & Shadowed, shown: CutOut): Uint8Array {
  const pixels = composeOverShadow(shown, layer, shadowColor(input.parameters.shadow));
  if (kind !== "reflection" || pose === null) return pixels;
  const reflection = renderReflection(cut, { ...pose, view: "level" }, layer, mirroredShare);
  if (reflection !== null) layOverReflection(pixels, cut, layer, reflection);
  return pixels;
}

/** @returns undefined where the request has none */
export function shadowColor({ color }: ShadowParameters = {}): readonly [number, number, number] | undefined {
  if (color === undefined) return undefined;
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function shadowReport(light: Light, pose: ProductPose | null): Record<string, unknown> {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    direction: rounded(light.directionDeg),
    elevation: rounded(light.elevationDeg),
    softness: rounded(light.softness),
    opacity: rounded(light.opacity),
    ...(pose === null
      ? { stance: "empty" }
      : {
          stance: pose.stance,
          stanceConfidence: rounded(pose.confidence),
          stanceReason: pose.reason,
          cameraPitch: Math.round((Math.asin(pose.pitch) * 180) / Math.PI),
        }),
  };
}
