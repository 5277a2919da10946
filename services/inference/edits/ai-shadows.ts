/** `ai-shadows`: the product on a shadow. */

import type { PoseParameters, ShadowParameters } from "@packshot/domain/edits/tools.ts";
import type { CutOut } from "../imaging/pixels/cut-out.ts";
import type { EditedImage } from "../imaging/pixels/image.ts";
import { layOverReflection, renderReflection } from "../imaging/scene/reflection.ts";
import { emptyLayer, fadeAtEdges, type ShadowLayer } from "../imaging/shadow/cast-shadow.ts";
import { composeOverShadow } from "../imaging/shadow/compose-over-shadow.ts";
import { drawLight, type Light } from "../imaging/shadow/light.ts";
import { estimatePose, type ProductPose } from "../imaging/shadow/pose.ts";
import {
  type CastKind,
  chooseKind,
  makeShadow,
  mirroredShare,
  photoShadowLayer,
  relativeLength,
} from "../imaging/shadow/shadow-kinds.ts";
import type { NaturalShadow } from "./cut-out-context.ts";
import type { EditInput } from "./edit.ts";
import { runStages } from "./pipeline.ts";

const shadowStages = [
  { name: "shadow", run: makeSoftShadow },
  { name: "compose", run: compose },
] as const;

interface Start {
  readonly cut: CutOut;
  readonly input: Pick<EditInput, "parameters" | "signal" | "onStage">;
  /** The shadow in the photo, where it was looked for. */
  readonly naturalShadow?: NaturalShadow;
}

/**
 * Puts a soft shadow under the product: RGBA, the size of the cut-out. The shadow is a color with alpha, so that the
 * image can be placed on any clean background; what falls outside the image is cropped. An empty cut-out stays empty.
 */
export async function editWithShadow(
  cut: CutOut,
  input: Start["input"],
  naturalShadow?: NaturalShadow,
): Promise<EditedImage> {
  const start = { cut, input, naturalShadow };
  const { edited } = await runStages(shadowStages, start);
  return edited;
}

interface Shadowed {
  readonly light: Light;
  readonly pose: ProductPose | null;
  readonly kind: CastKind;
  readonly layer: ShadowLayer;
}

async function makeSoftShadow({ cut, input, naturalShadow }: Start): Promise<Shadowed> {
  const { seed, shadow = {} } = input.parameters;
  const light = drawLight(seed, shadow);
  const own = photoShadowOf(naturalShadow);
  const pose = poseInPhoto(cut, input.parameters, naturalShadow);
  if (pose === null) return { light, pose, kind: "none", layer: emptyLayer(cut, Math.max(cut.width, cut.height)) };
  const photoLayer = own && photoShadowLayer(own, cut, shadow.opacity ?? 1);
  const kind = chooseKind(pose, shadow, photoLayer !== undefined);
  const layer = kind === "natural" ? photoLayer! : makeShadow(kind, pose, light, cut, relativeLength(shadow));
  fadeAtEdges(layer, cut.width, cut.height);
  return { light, pose, kind, layer };
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

async function compose(context: Start & Shadowed): Promise<{ readonly edited: EditedImage }> {
  const { cut, input, light, pose, kind, layer } = context;
  const pixels = composeOverShadow(cut, layer, shadowColor(input.parameters.shadow));
  if (kind === "reflection" && pose !== null) {
    const reflection = renderReflection(cut, { ...pose, view: "level" }, layer, mirroredShare);
    if (reflection !== null) layOverReflection(pixels, cut, layer, reflection);
  }
  const report = { shadow: { ...shadowReport(light, pose), kind } };
  const { width, height, icc } = cut;
  return { edited: { width, height, channels: 4, pixels, icc, report } };
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
