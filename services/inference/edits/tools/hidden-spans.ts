/** What a product hides of its scene, which need not be painted. */

import { inKernelMemory, kernelBytes, kernelIntegers } from "../../imaging/kernels/kernel-memory.ts";
import { kernels } from "../../imaging/kernels/kernels.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Camera, HiddenSpans } from "../../imaging/scene/canvas/camera.ts";

type SceneSize = Pick<Camera, "width" | "height" | "view">;

/** The scene is blurred, so what is hidden this near to the product's edge shines through; a share of the longer side. */
const hiddenMarginShare = 0.03;
/** A ground that is parallel to the image is sharp, and only enlarged. */
const sharpMarginPixels = 2;

/**
 * What opaque pixels of the product hide of each row of the scene, and of the rows above and below it.
 *
 * @param cut at least as large as the scene
 */
export function hiddenBy(cut: CutOut, camera: SceneSize): HiddenSpans {
  const { from, to } = hiddenInRows(opaqueRuns(cut), camera, cut);
  // A pixel of the image is mixed from two rows of the scene.
  const near = (values: Int32Array, y: number) => values.subarray(Math.max(0, y - 1), y + 2);
  return {
    from: from.map((_, y) => Math.max(...near(from, y))),
    to: to.map((_, y) => Math.min(...near(to, y))),
  };
}

/** The columns that are opaque in all rows of the image over which a row of the scene is enlarged, without a margin. */
function hiddenInRows(runs: HiddenSpans, camera: SceneSize, { width, height }: CutOut): HiddenSpans {
  const from = new Int32Array(camera.height);
  const to = new Int32Array(camera.height);
  const scale = camera.width / width;
  const blurred = Math.ceil(hiddenMarginShare * Math.max(camera.width, camera.height));
  const margin = camera.view === "above" ? sharpMarginPixels : blurred;
  for (let y = 0; y < camera.height; y++) {
    const first = Math.floor((y * height) / camera.height);
    const end = Math.ceil(((y + 1) * height) / camera.height);
    from[y] = Math.ceil(Math.max(...runs.from.subarray(first, end)) * scale) + margin;
    to[y] = Math.floor(Math.min(...runs.to.subarray(first, end)) * scale) - margin;
  }
  return { from, to };
}

/** The longest opaque run of each row of the image. */
function opaqueRuns({ alpha, width, height }: CutOut): HiddenSpans {
  const from = new Int32Array(height);
  const to = new Int32Array(height);
  inKernelMemory(() => {
    const row = kernelBytes(width);
    const run = kernelIntegers(2);
    for (let y = 0; y < height; y++) {
      row.set(alpha.subarray(y * width, (y + 1) * width));
      kernels.longestOpaque(row.byteOffset, width, run.byteOffset);
      from[y] = run[0]!;
      to[y] = run[1]!;
    }
  });
  return { from, to };
}
