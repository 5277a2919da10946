/**
 * Garments on a hanger: what was photographed hanging hangs from a rail in a room or a street, seen at eye level, where a picture from above
 * would show nothing of the place.
 */

import type { ProductPose } from "../shadow/pose.ts";
import type { Camera } from "./canvas/camera.ts";
import { type LinearRgb, mix } from "./canvas/color.ts";
import { smoothstep } from "./canvas/noise.ts";
import type { ScenePlan } from "./plan/scene-plan.ts";
import type { BackdropKind } from "./words/lexicon.ts";

/** Where rails are: nobody hangs a shirt over sand or snow. */
const builtBackdrops: ReadonlySet<BackdropKind> = new Set<BackdropKind>([
  "interior",
  "shelves",
  "wall",
  "tiled-wall",
  "skyline",
]);
/** A garment's neck, so far below its top, is narrower than this share of it; trousers have none. */
const neckDepth = 0.03;
const neckShareMax = 0.5;

/** Whether the product is a garment that can hang from a hanger, and the theme a place where it would. */
export function hangsThere({ silhouette, stance }: ProductPose, { isPlace, stand, backdrop }: ScenePlan): boolean {
  if (stance !== "hanging" || !isPlace || stand !== null || !builtBackdrops.has(backdrop)) return false;
  const { left, right, top, bottom } = silhouette;
  const neck = spanAt(silhouette, top + Math.floor(neckDepth * (bottom - top)));
  return neck.to - neck.from < neckShareMax * (right - left);
}

function spanAt({ inside, width }: ProductPose["silhouette"], row: number) {
  const start = row * width;
  return { from: inside.indexOf(1, start) - start, to: inside.lastIndexOf(1, start + width - 1) + 1 - start };
}

/** In sizes of the product: the rail above its top, half the rail's thickness, and half the wire's. */
const railAbove = 0.085;
const railHalf = 0.011;
const wireHalf = 0.0045;
/** The wire goes on so far behind the collar. */
const behindCollar = 0.04;
/** From the rail's middle to its edge: what a round bar of steel reflects of a room. */
const steel = [
  [-1, 0.16],
  [-0.62, 0.62],
  [-0.3, 1.1],
  [0.1, 0.42],
  [0.7, 0.1],
  [1, 0.2],
] as const;
const gray: LinearRgb = [0.42, 0.42, 0.43];

/** The rail and the hanger's hook, in a scene whose depth of field is applied. */
export function hangFromRail(light: Float32Array, plan: ScenePlan, camera: Camera, { silhouette }: ProductPose): void {
  const { width, height, size } = camera;
  const toScene = size / Math.max(silhouette.right - silhouette.left, silhouette.bottom - silhouette.top);
  const neck = spanAt(silhouette, silhouette.top + Math.floor(neckDepth * (silhouette.bottom - silhouette.top)));
  const topY = silhouette.top * toScene;
  const hook = hookAt(((neck.from + neck.to) / 2) * toScene, topY - railAbove * size, size);
  const { ambient, key } = plan.lighting;
  const lit = (c: number, shade: number) => gray[c]! * shade * (ambient[c]! + 0.6 * key[c]!);
  const last = Math.min(height, Math.ceil(topY + behindCollar * size));
  for (let y = Math.max(0, Math.floor(hook.y - 3 * hook.radius)); y < last; y++) {
    const across = (y + 0.5 - hook.y) / (railHalf * size);
    const rail = coverage(Math.abs(across) * railHalf * size, railHalf * size);
    for (let x = 0; x < width; x++) {
      const away = distanceToHook(hook, x + 0.5, y + 0.5);
      const wire = coverage(away, wireHalf * size);
      if (rail === 0 && wire === 0) continue;
      const shade = mix([steelAt(across), 0, 0], [0.22, 0, 0], wire)[0];
      const share = Math.max(rail, wire);
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) light[at + c] = light[at + c]! * (1 - share) + lit(c, shade) * share;
    }
  }
}

/** How much of a pixel something covers whose edge is so far from its middle line. */
const coverage = (away: number, half: number) => 1 - smoothstep(-0.5, 0.5, away - half);

function steelAt(across: number): number {
  const next = Math.max(
    1,
    steel.findIndex(([at]) => at >= across),
  );
  const [from, dark] = steel[next - 1]!;
  const [to, bright] = steel[next]!;
  return dark + (bright - dark) * Math.min(1, Math.max(0, (across - from) / (to - from)));
}

interface Hook {
  readonly x: number;
  /** The middle of its bow, and of the rail. */
  readonly y: number;
  readonly radius: number;
}

function hookAt(x: number, y: number, size: number): Hook {
  return { x, y, radius: (railHalf + wireHalf) * size };
}

/** A wire that comes up from the collar, and around the rail from its right to its left. */
function distanceToHook({ x: cx, y: cy, radius }: Hook, x: number, y: number): number {
  const stem = y > cy + radius ? Math.abs(x - cx) : Math.hypot(x - cx, y - cy - radius);
  const isOpen = x < cx && y > cy;
  const bow = isOpen ? Math.hypot(x - cx + radius, y - cy) : Math.abs(Math.hypot(x - cx, y - cy) - radius);
  return Math.min(stem, bow);
}
