/**
 * Whether an image model's picture shows the product as it is. Such models make products larger at their edges, and set others of
 * their kind beside them. The network that cuts products out looks at the rendered scene and at the painted one: what it takes for a
 * product in the second alone, away from the product's own place, was painted. So were letters, unless what the rendered scene has
 * looks like a line of them, too.
 */
import { inKernelMemory } from "../../imaging/kernels/kernel-memory.ts";
import { prepareInput } from "../../imaging/matting/predict/model-input.ts";
import { labelComponents, runStride } from "../../imaging/pixels/connected-components.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { dilate } from "../../imaging/pixels/morphology.ts";
import { resamplePlane } from "../../imaging/pixels/resample.ts";
import type { EditInput } from "../edit.ts";
import { longestLine } from "./lettering.ts";
import { predict } from "../cut-out/predict-matte.ts";

/** `not_finite`: the model has answered what is no number. `timed_out`: it has not answered in time. */
export type PictureFault = "product_grown" | "second_product" | "text" | "not_finite" | "timed_out";

export interface JudgedScene extends Size {
  /** The rendered scene, RGB. */
  readonly reference: Uint8Array;
  /** 0 where the picture stays the reference. */
  readonly fill: Uint8Array;
  /** The product's. */
  readonly alpha: Uint8Array;
}

export type JudgePicture = (picture: Uint8Array) => Promise<PictureFault | undefined>;

/** The network's edge is uncertain by so much, as a share of its input's side. */
const edgeShare = 0.03;
/** A part of so much of the product's area is no noise of the network. */
const partShare = 0.025;
/** Shorter lines of marks are chance (bench/generative/lettering.ts). */
export const lettersMin = 5;
/** What the network takes for a product. */
const productMin = 128;

export async function createPictureJudge(
  input: Pick<EditInput, "models" | "parameters" | "tenant" | "deadlineAtMs" | "signal">,
  { reference, fill, alpha, ...size }: JudgedScene,
): Promise<JudgePicture> {
  const modelInput = await input.models.describe(input.parameters.model);
  const grid: Size = { width: modelInput.width, height: modelInput.height };

  async function productIn(rgb: Uint8Array): Promise<Uint8Array> {
    const { tensor } = await prepareInput(rgb, size, modelInput);
    return (await predict(input, tensor)).prior.alpha;
  }

  const isLettered = (rgb: Uint8Array) => longestLine({ ...size, rgb }, alpha) >= lettersMin;
  const hasLines = isLettered(reference);
  const expected = await productIn(reference);
  const own = resamplePlane(alpha, size, grid);
  const radius = Math.ceil(edgeShare * Math.max(grid.width, grid.height));
  const mask = own.map((value) => (value > 0 ? 1 : 0));
  const [place, around] = inKernelMemory(() => [
    dilate(mask, grid, radius).slice(),
    dilate(mask, grid, radius + 1).slice(),
  ]) as [Uint8Array, Uint8Array];
  const cellsMin = partShare * own.filter((value) => value >= productMin).length;

  return async (picture) => {
    // The product is laid over what was painted, as in the result.
    const shown = picture.slice();
    for (let at = 0; at < fill.length; at++) {
      if (fill[at] === 0) shown.set(reference.subarray(at * 3, at * 3 + 3), at * 3);
    }
    // Before products: the network takes letters for one.
    if (!hasLines && isLettered(shown)) return "text";
    const seen = await productIn(shown);
    const added = seen.map((value, at) =>
      value >= productMin && expected[at]! < productMin && place[at] === 0 ? 1 : 0,
    );
    return faultOf(added, around, { grid, cellsMin });
  };
}

/** By the largest part: one that begins at the product's edge is the product's, another is one of its own. */
function faultOf(
  added: Uint8Array,
  around: Uint8Array,
  { grid, cellsMin }: { readonly grid: Size; readonly cellsMin: number },
): PictureFault | undefined {
  const { runs, sizes } = labelComponents(added, grid);
  const largest = sizes.indexOf(Math.max(...sizes.slice(1)), 1);
  if (largest < 1 || sizes[largest]! < cellsMin) return undefined;
  for (let run = 0; run < runs.length; run += runStride) {
    const [from, end, label] = runs.subarray(run, run + runStride) as unknown as [number, number, number];
    if (label === largest && around.subarray(from, end).includes(1)) return "product_grown";
  }
  return "second_product";
}
