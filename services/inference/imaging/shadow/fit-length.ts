/** A cast shadow that leaves the picture is cut to a wedge, so that a lamp of which nobody said how high it is rises until the shadow has room. */

import { elevationOf, type Light } from "./light.ts";
import type { ProductPose } from "./pose.ts";
import { discOf } from "./round-base.ts";

/** Room that is left free at the picture's edge, as a share of its sides: shadows fade there. */
const edgeShare = 0.06;
/** Shorter than this share of the product's height it would tell no direction. */
const lengthMin = 0.35;

/** The light, as high as the shadow of what stands needs it to end within the picture. */
export function fitLength(pose: ProductPose, light: Light): Light {
  const { silhouette, ground, pitch } = pose;
  const { left, right, width, height } = silhouette;
  const length = 1 / Math.tan((light.elevationDeg * Math.PI) / 180);
  const angle = (light.directionDeg * Math.PI) / 180;
  const aside = -Math.sin(angle) * length;
  const down = Math.cos(angle) * length * pitch;
  const heights = heightsOf(pose);
  let fits = 1;
  for (let x = left; x < right; x++) {
    const tall = heights[x - left]!;
    const roomAside = (aside > 0 ? width - (x + 1) : x) - edgeShare * width;
    const roomDown = height * (1 - edgeShare) - ground.groundRow[x]!;
    const shares = [
      [roomAside, Math.abs(aside) * tall],
      [roomDown, down * tall],
    ] as const;
    for (const [room, needed] of shares) if (needed > 0) fits = Math.min(fits, Math.max(0, room) / needed);
  }
  if (fits === 1) return light;
  return { ...light, elevationDeg: Math.max(light.elevationDeg, elevationOf(Math.max(lengthMin, fits * length))) };
}

/**
 * How high each column of the product is above the ground where it stands: what is deep, as a toaster at an angle, is lower than its outline.
 *
 * @returns cells, for columns from the product's left
 */
function heightsOf({ silhouette, ground, pitch }: ProductPose): number[] {
  const { inside, left, right, top, bottom, width } = silhouette;
  const highest = discOf(silhouette)?.tall ?? Number.POSITIVE_INFINITY;
  return Array.from({ length: right - left }, (_, column) => {
    let y = top;
    while (y < bottom && inside[y * width + left + column] === 0) y++;
    const tall = Math.min(highest, Math.max(0, ground.groundRow[left + column]! - y));
    return tall / Math.sqrt(1 - pitch ** 2);
  });
}
