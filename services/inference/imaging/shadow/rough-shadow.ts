/**
 * The shadow of what stands, as coarse as its direction needs: several lights are tried before one is chosen, and a shadow that is shown
 * takes far longer. The sky's part is the same under each.
 */

import { addressOf, computeFloats } from "../kernels/kernel-memory.ts";
import { groundReach, softUnderside } from "./cast-shadow.ts";
import { footLoss, writeDarkness } from "./ground-darkness.ts";
import { type Light, lampRays, skyRays } from "./light.ts";
import { computeOcclusion, extrudeSilhouette, halveOutline, joinSlabs, type Outline } from "./occlusion.ts";
import type { ProductPose } from "./pose.ts";
import { longSide } from "./silhouette.ts";
import { type StandingPart, standingParts } from "./standing-parts.ts";

const lampRayCount = 32;
const skyRayCount = 96;
/** Cells across the product's longer side, of which most outlines have twice as many. */
const cellsMax = 100;

/** What is known of all lights that differ in their direction alone. */
export interface RoughGround {
  readonly points: GroundPoints;
  /** The darkness of its points, 0–1, under a light of which only the direction is another one. */
  readonly shadowOf: (directionDeg: number) => Float32Array;
}

/** Points of the ground as the image shows them, row after row from the nearest to the farthest; in cells of the silhouette. */
export interface GroundPoints {
  readonly columns: Float32Array;
  readonly rows: Float32Array;
  /** How many cells each stands for. */
  readonly cells: number;
}

export function createRoughGround(pose: ProductPose, light: Light): RoughGround {
  const { silhouette, ground, pitch } = pose;
  const size = longSide(silhouette);
  const parts = standingParts(silhouette, ground, pitch);
  const slabs = joinSlabs(parts.map((part) => extrudeSilhouette(roughOutline(part, size), pitch)));
  const reach = groundReach(pose, light);
  const bounds = { ...reach, left: Math.max(0, reach.left), right: Math.min(silhouette.width, reach.right) };
  const sky = computeOcclusion(slabs, skyRays(skyRayCount), bounds);
  const foot = footLoss(light, softUnderside(silhouette));
  const points = {
    columns: middles(sky.width, sky.originX, sky.cells),
    rows: middles(sky.depth, sky.originZ, sky.depthStep).map((z) => ground.baseRow - z * pitch),
    cells: sky.cells * sky.depthStep * pitch,
  };
  const shadowOf = (directionDeg: number) => {
    const lit = { ...light, directionDeg };
    const lamp = computeOcclusion(slabs, lampRays(lit, lampRayCount), bounds);
    return computeFloats(lamp.occlusion.length, (to) =>
      writeDarkness(addressOf(lamp.occlusion), addressOf(sky.occlusion), lamp.occlusion.length, lit, foot, to),
    );
  };
  return { points, shadowOf };
}

function middles(count: number, origin: number, step: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => origin + (i + 0.5) * step);
}

/** All parts of a product with cells that are as wide: a rear leg's have those of the whole. */
function roughOutline(part: StandingPart, size: number): Outline {
  let outline: Outline = { ...part, cells: 1 };
  while (size > cellsMax * outline.cells) outline = halveOutline(outline);
  return outline;
}
