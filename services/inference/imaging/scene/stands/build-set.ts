/** Chooses the pieces of a set: the stand below the product and the shapes of a theme beside and behind it. */

import type { Random } from "@packshot/domain/random.ts";
import type { ProductPose } from "../../shadow/pose.ts";
import type { Camera } from "../canvas/camera.ts";
import { mix, scale } from "../canvas/color.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { buildStand } from "./build-stand.ts";
import type { Piece } from "./set-pieces.ts";
import type { StandInput } from "./stand-parts.ts";

export interface SceneSet {
  readonly pieces: readonly Piece[];
  /** Height of the floor, 0 or below: the product's foot is at 0. */
  readonly floor: number;
  /** There is no floor below the stand, but the wall behind it: a shelf. */
  readonly isShelf: boolean;
  /** The product's shadow ends at the stand's edge. */
  readonly clipsShadow: boolean;
}

/** What the product stands on, as the image shows it. */
export interface StandInScene {
  /** Height of the floor below the product's foot, in sizes of the product; below 0. */
  readonly floor: number;
  /** How far it reaches to each side, in sizes of the product. */
  readonly half: number;
  /** 1 where the scene shows the stand. */
  readonly covers: Uint8Array;
}

export const emptySet: SceneSet = { pieces: [], floor: 0, isShelf: false, clipsShadow: false };

/** Width and height of the product, whose longer side is `productLong`. */
export function productShares(
  pose: ProductPose | null,
  productLong = 1,
): { readonly wide: number; readonly tall: number } {
  if (pose === null) return { wide: 0.6 * productLong, tall: productLong };
  const { left, right, top, bottom } = pose.silhouette;
  const longest = Math.max(1, right - left, bottom - top);
  return { wide: (productLong * (right - left)) / longest, tall: (productLong * (bottom - top)) / longest };
}

export function buildSet(
  plan: ScenePlan,
  camera: Camera,
  pose: ProductPose | null,
  { material, noise, random }: Pick<StandInput, "material" | "noise" | "random">,
) {
  const { wide, tall } = productShares(pose);
  const pieces: Piece[] = [];
  const radius = 0.5 * wide * 1.3 + 0.09;
  const stand = plan.stand === null ? null : buildStand(plan.stand, { plan, camera, radius, material, noise, random });
  if (stand !== null) pieces.push(...stand.pieces);
  const floor = stand?.floor ?? 0;
  if (plan.props.includes("arch") || plan.props.includes("shapes")) {
    pieces.push(...buildShapes(plan, { radius, tall, wide, floor, random }));
  }
  const isShelf = plan.stand === "shelf";
  return { pieces, floor, isShelf, clipsShadow: stand !== null && plan.stand !== "tray" } satisfies SceneSet;
}

interface Room {
  readonly radius: number;
  readonly tall: number;
  readonly wide: number;
  readonly floor: number;
  readonly random: Random;
}

/** An arch behind the product; for "geometric shapes" also a ball, a block and a column beside it. */
function buildShapes(plan: ScenePlan, { radius, tall, wide, floor, random }: Room): Piece[] {
  const [first, second, third] = plan.pieceColors;
  const side = random.chance(0.5) ? 1 : -1;
  const halfU = Math.max(0.46, 0.5 * wide + 0.2);
  const behind = radius * 1.35 + 0.42;
  const arch = { shape: "arch", u: 0, v: behind, halfV: 0.1, bottom: floor } as const;
  const straight = Math.max(0.12, tall + 0.12 - halfU * 0.55);
  const pieces: Piece[] = [];
  if (plan.props.includes("arch")) {
    const openU = halfU * 1.08;
    const color = mix(first, plan.backdropColor, 0.35);
    const deep = 0.26;
    pieces.push({
      ...arch,
      shape: "portal",
      openU,
      halfU: halfU * 1.38,
      halfV: deep,
      v: behind + deep,
      top: straight,
      color,
    });
    // What closes the passage.
    pieces.push({ ...arch, halfU: halfU * 1.3, halfV: 0.02, v: behind + 2 * deep, top: straight, color: first });
  }
  if (!plan.props.includes("shapes")) return pieces;
  const near = radius + 0.3;
  if (!plan.props.includes("arch")) {
    pieces.push({ ...arch, u: side * (near * 0.75), halfU: halfU * 0.72, top: tall * 0.6, color: first });
  }
  const high = random.between(0.34, 0.5) * tall;
  const blockU = -side * (near + 0.16);
  pieces.push(
    {
      shape: "box",
      u: blockU,
      v: 0.62,
      halfU: 0.2,
      halfV: 0.2,
      turn: 0.5,
      bottom: floor,
      top: floor + high,
      color: second,
    },
    { shape: "sphere", u: blockU, v: 0.6, radius: 0.14, bottom: floor + high, top: floor + high + 0.28, color: third },
    {
      shape: "cylinder",
      u: side * (near + 0.28),
      v: 0.5,
      radius: 0.19,
      bottom: floor,
      top: floor + random.between(0.14, 0.26),
      color: scale(third, 0.9),
    },
    {
      shape: "sphere",
      u: side * (near + 0.02),
      v: -0.06,
      radius: 0.09,
      bottom: floor,
      top: floor + 0.18,
      color: second,
    },
  );
  return pieces;
}
