import type { EditedImage } from "../imaging/pixels/image.ts";
import type { Footing } from "../imaging/shadow/layer.ts";
import { castShadow, fadeAtEdges, readFooting, studioPitch } from "../imaging/shadow/layer.ts";
import type { Light } from "../imaging/shadow/light.ts";
import { drawLight } from "../imaging/shadow/light.ts";
import { shadowUnderProduct } from "../imaging/shadow/under-product.ts";
import type { EditInput } from "./edit.ts";
import type { CutOut } from "../imaging/pixels/cut-out.ts";

type ShadowInput = Pick<EditInput, "parameters" | "signal" | "onStage">;

/**
 * Stands the product on a soft shadow: RGBA, the size of the cut-out. The shadow is black with alpha, so that the
 * picture can be placed on any clean background; what falls outside the picture is cropped.
 * An empty cut-out comes back as it is.
 */
export async function editWithShadow(cut: CutOut, input: ShadowInput): Promise<EditedImage> {
  input.signal.throwIfAborted();
  input.onStage("shadow");
  const light = drawLight(input.parameters.seed, input.parameters.shadow);
  const footing = readFooting(cut.alpha, cut.width, cut.height);
  const layer = footing && castShadow(footing, light, studioPitch, cut.width, cut.height);
  if (layer !== null) fadeAtEdges(layer, cut.width, cut.height);
  // Between the stages a cancelled job must be able to get a word in.
  await new Promise(setImmediate);
  input.signal.throwIfAborted();
  input.onStage("compose");
  const empty = { width: 2, height: 2, stepPx: Math.max(cut.width, cut.height), darkness: new Float32Array(4) };
  return {
    width: cut.width,
    height: cut.height,
    channels: 4,
    pixels: shadowUnderProduct(cut, layer ?? empty),
    ...(cut.icc === undefined ? {} : { icc: cut.icc }),
    report: { shadow: shadowReport(light, footing) },
  };
}

export function shadowReport(light: Light, footing: Footing | null): Record<string, unknown> {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    direction: rounded(light.directionDeg),
    elevation: rounded(light.elevationDeg),
    softness: rounded(light.softness),
    opacity: rounded(light.opacity),
    stance: footing === null ? "empty" : footing.stance.kind,
    ...(footing?.stance.kind === "lying" ? { stanceReason: footing.stance.reason } : {}),
  };
}
