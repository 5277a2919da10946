/** A cast shadow that leaves the picture is cut to a wedge, so that a lamp of which nobody said how high it is rises until the shadow has room. */

import { elevationOf, type Light } from "./light.ts";
import type { ProductPose } from "./pose.ts";

/** Room that is left free at the picture's edge, as a share of its sides: shadows fade there. */
const edgeShare = 0.06;
/** Shorter than this share of the product's height it would tell no direction. */
const lengthMin = 0.35;

/** The light, as high as the shadow of what stands needs it to end within the picture. */
export function fitLength({ silhouette, ground, pitch }: ProductPose, light: Light): Light {
  const { left, right, top, width, height } = silhouette;
  const length = 1 / Math.tan((light.elevationDeg * Math.PI) / 180);
  const tall = (ground.baseRow - top) / Math.sqrt(1 - pitch ** 2);
  const angle = (light.directionDeg * Math.PI) / 180;
  const aside = -Math.sin(angle) * length * tall;
  const down = Math.cos(angle) * length * tall * pitch;
  const roomAside = (aside > 0 ? width - right : left) - edgeShare * width;
  const roomDown = height * (1 - edgeShare) - ground.baseRow;
  const fits = Math.min(
    1,
    ...[[roomAside, Math.abs(aside)] as const, [roomDown, down] as const].map(([room, needed]) =>
      needed > 0 ? Math.max(0, room) / needed : 1,
    ),
  );
  if (fits === 1) return light;
  return { ...light, elevationDeg: Math.max(light.elevationDeg, elevationOf(Math.max(lengthMin, fits * length))) };
}
