/** `ai-shadows`: the product on a soft shadow. */

import type { CutOut } from "../imaging/pixels/cut-out.ts";
import type { EditedImage } from "../imaging/pixels/image.ts";
import {
  castShadow,
  estimatePose,
  fadeAtEdges,
  type ProductPose,
  type ShadowLayer,
  studioPitch,
} from "../imaging/shadow/cast-shadow.ts";
import { composeOverShadow } from "../imaging/shadow/compose-over-shadow.ts";
import { drawLight, type Light } from "../imaging/shadow/light.ts";
import type { EditInput } from "./edit.ts";
import { runStages } from "./pipeline.ts";

const shadowStages = [
  { name: "shadow", run: castSoftShadow },
  { name: "compose", run: compose },
] as const;

interface Start {
  readonly cut: CutOut;
  readonly input: Pick<EditInput, "parameters" | "signal" | "onStage">;
}

/**
 * Puts a soft shadow under the product: RGBA, the size of the cut-out. The shadow is black with alpha, so that the
 * image can be placed on any clean background; what falls outside the image is cropped. An empty cut-out stays empty.
 */
export async function editWithShadow(cut: CutOut, input: Start["input"]): Promise<EditedImage> {
  const { edited } = await runStages(shadowStages, { cut, input });
  return edited;
}

interface Shadowed {
  readonly light: Light;
  readonly pose: ProductPose | null;
  readonly layer: ShadowLayer;
}

async function castSoftShadow({ cut, input }: Start): Promise<Shadowed> {
  const light = drawLight(input.parameters.seed, input.parameters.shadow);
  const pose = estimatePose(cut.alpha, cut.width, cut.height);
  if (pose === null) return { light, pose, layer: emptyLayer(cut) };
  const layer = castShadow(pose, light, studioPitch, cut.width, cut.height);
  fadeAtEdges(layer, cut.width, cut.height);
  return { light, pose, layer };
}

function emptyLayer({ width, height }: CutOut): ShadowLayer {
  return { width: 2, height: 2, stepPx: Math.max(width, height), darkness: new Float32Array(4) };
}

async function compose({ cut, light, pose, layer }: Start & Shadowed): Promise<{ readonly edited: EditedImage }> {
  const pixels = composeOverShadow(cut, layer);
  const report = { shadow: shadowReport(light, pose) };
  const { width, height, icc } = cut;
  return { edited: { width, height, channels: 4, pixels, ...(icc === undefined ? {} : { icc }), report } };
}

/** The report's name for a flat-lay product is `lying`, which clients read. */
const reportedStance = { standing: "standing", "flat-lay": "lying" } as const;

export function shadowReport(light: Light, pose: ProductPose | null): Record<string, unknown> {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    direction: rounded(light.directionDeg),
    elevation: rounded(light.elevationDeg),
    softness: rounded(light.softness),
    opacity: rounded(light.opacity),
    stance: pose === null ? "empty" : reportedStance[pose.stance.kind],
    ...(pose?.stance.kind === "flat-lay" ? { stanceReason: pose.stance.reason } : {}),
  };
}
