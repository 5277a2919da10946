import type { EditedImage } from "../imaging/pixels/image.ts";
import { placeCamera } from "../imaging/scene/camera.ts";
import { develop } from "../imaging/scene/develop.ts";
import { defocus } from "../imaging/scene/focus.ts";
import { mirrorShare } from "../imaging/scene/create-material.ts";
import { mirrorImage } from "../imaging/scene/mirror-image.ts";
import { placeProduct } from "../imaging/scene/place-product.ts";
import type { ScenePlan } from "../imaging/scene/plan.ts";
import { needsHorizon, planScene } from "../imaging/scene/plan.ts";
import { renderScene } from "../imaging/scene/render.ts";
import type { Theme } from "../imaging/scene/theme.ts";
import { readTheme } from "../imaging/scene/theme.ts";
import { castShadow, readFooting } from "../imaging/shadow/layer.ts";
import { shadowReport } from "./ai-shadows.ts";
import type { EditInput } from "./edit.ts";
import type { CutOut } from "../imaging/pixels/cut-out.ts";

type SceneInput = Pick<EditInput, "parameters" | "signal" | "onStage">;

/** The scene is painted at a quarter of the picture's pixels within these bounds and blown up: most of it is blurred. */
const scenePixelsMin = 900_000;
const scenePixelsMax = 2_000_000;
/** A camera looking down by 17°. */
const scenePitch = 0.29;

/**
 * Puts the product into a scene made from `parameters.theme`: RGB, the size of the cut-out. Pixels of the product with
 * alpha 255 are the source's own.
 */
export async function editWithScene(cut: CutOut, input: SceneInput): Promise<EditedImage> {
  const { signal, onStage, parameters } = input;
  signal.throwIfAborted();
  onStage("plan");
  const text = parameters.theme ?? "";
  const theme = readTheme(text);
  const plan = planScene(theme, text, parameters.seed);
  const footing = readFooting(cut.alpha, cut.width, cut.height, !needsHorizon(plan));
  const sourcePixels = cut.width * cut.height;
  const scenePixels = Math.min(scenePixelsMax, Math.max(scenePixelsMin, sourcePixels / 4));
  const scale = Math.min(1, Math.sqrt(scenePixels / sourcePixels));
  const width = Math.max(1, Math.round(cut.width * scale));
  const height = Math.max(1, Math.round(cut.height * scale));
  const camera = placeCamera(footing, width, height, scale, scenePitch);
  await pause(signal);

  onStage("scene");
  const scene = renderScene(plan, camera);
  await pause(signal);
  defocus(scene, camera);
  develop(scene.light, plan, camera);
  await pause(signal);

  onStage("shadow");
  const standsInFrame =
    footing !== null && !(footing.stance.kind === "lying" && footing.stance.reason === "cut-at-bottom");
  const shadow = standsInFrame ? castShadow(footing, plan.lighting.lamp, scenePitch, cut.width, cut.height) : null;
  const mirror =
    shadow === null || footing === null ? null : mirrorImage(cut, footing, shadow, mirrorShare[plan.surface]);
  await pause(signal);

  onStage("compose");
  const pixels = placeProduct(cut, {
    scene: scene.light,
    sceneWidth: width,
    sceneHeight: height,
    shadow,
    mirror,
    shadowFloor: floorOf(plan),
    grain: 1.7,
    seed: plan.seed,
  });
  return {
    width: cut.width,
    height: cut.height,
    channels: 3,
    pixels,
    ...(cut.icc === undefined ? {} : { icc: cut.icc }),
    report: { scene: sceneReport(theme, plan, camera.view), shadow: shadowReport(plan.lighting.lamp, footing) },
  };
}

/** Lets a cancelled job get a word in between two stages. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise(setImmediate);
  signal.throwIfAborted();
}

/** The sky's light colors what the lamp does not reach. */
function floorOf({ lighting }: ScenePlan): readonly [number, number, number] {
  const most = Math.max(...lighting.ambient, 0.001);
  return [0.1 * (lighting.ambient[0] / most), 0.1 * (lighting.ambient[1] / most), 0.1 * (lighting.ambient[2] / most)];
}

function sceneReport(theme: Theme, plan: ScenePlan, view: string): Record<string, unknown> {
  return {
    surface: plan.surface,
    backdrop: view === "above" ? "none" : plan.backdrop,
    light: plan.lightKind,
    view,
    recognized: theme.recognized,
    unrecognized: theme.unrecognized,
    // The names of version 0.1, for one version more.
    recognised: theme.recognized,
    unrecognised: theme.unrecognized,
  };
}
