/** Where an open ground ends at the sea: an irregular line that waves wet and foam runs along. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { type Noise, smoothstep } from "../canvas/noise.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { SurfaceKind } from "../words/lexicon.ts";

/** Lengths are sizes of the product, as for materials. */
export interface Shore {
  /** The sea is nowhere nearer in the image, in distances of the product from the lens. */
  readonly seaFrom: number;
  /** Nor is ground that it wets. */
  readonly wetFrom: number;
  /** No ground shines through the water there. */
  isDeep(u: number, v: number): boolean;
  /** Writes the shares of wet ground, of foam and of the sea at a point of the ground. */
  at(u: number, v: number, footprint: number, out: Float32Array): void;
}

/** Grounds that the sea washes: a table before the sea ends as tables do, and water is no shore. */
const washed: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>([
  "sand",
  "stone",
  "pebble",
  "concrete",
  "soil",
  "grass",
  "snow",
  "asphalt",
]);

/** The shore's middle, in distances of the product. */
const middleAway = 2.4;
/** How far the shoreline swings to and fro, and how far from the sea the ground is wet. */
const swing = 1.5;
const wetReach = 1.7;
/** The shoreline bends away from the product before it comes nearer than this, and what is wet ends before the product. */
const nearestLine = 0.6;
const wetEnd = 0.1;
/** The ground shines through the water up to here beyond the shoreline. */
const shallowReach = 1.6;
/** No foam lies further beyond the second wave: it is the end of both bands of foam below. */
const foamEnd = 1.8;
/** Twice the product's distance, the image is twice as wide. Further than this, nothing of the shore lies. */
const awayMax = 5;
const columns = 512;

/** null: the ground does not end at a sea. */
export function createShore(
  { backdrop, floor, decor }: ScenePlan,
  camera: Camera,
  noise: Noise,
  random: Random,
  lampSide: number,
): Shore | null {
  if (backdrop !== "sea" || !(decor === null || decor === "palms") || !washed.has(floor)) return null;
  const far = camera.distance / camera.size;
  const middle = (middleAway - 1) * far;
  // The bay opens toward the light, whose path on the water meets the shore.
  const slant = Math.sign(lampSide || 1) * random.between(0.32, 0.5);
  const offset = random.between(0, 200);
  const alongShore = (valueAt: (u: number) => number) => tabulate(valueAt, camera);
  const lineAt = alongShore((u) =>
    bendAway(
      middle -
        slant * u +
        swing * 2 * (noise.fractal(u * 0.34 + offset, offset * 0.7, 3, 0) - 0.5) +
        0.3 * (noise.at(u * 2.3 + offset, 9) - 0.5),
    ),
  );
  const reachAt = alongShore((u) => wetReach * (0.55 + 0.9 * noise.fractal(u * 0.5 + offset, 31, 2, 0)));
  const waveAt = alongShore((u) => 1.9 + 1.2 * (noise.fractal(u * 0.45 + offset, 77, 2, 0) - 0.5));
  const breakingAt = alongShore((u) => smoothstep(0.4, 0.6, noise.at(u * 0.5 + offset, 120)));
  const nearest = nearestInImage(lineAt, camera);
  return {
    seaFrom: 1 + Math.max(wetEnd, nearest - 0.3) / far,
    wetFrom: 1 + Math.max(wetEnd, nearest - 1.6 * wetReach) / far,
    isDeep: (u, v) => v - lineAt(u) > shallowReach,
    at: (u, v, footprint, out) => {
      const beyond = v - lineAt(u);
      out.fill(0);
      const reach = reachAt(u);
      if (beyond < -reach - 0.25) return;
      out[0] = smoothstep(-reach - 0.25, -reach + 0.35, beyond) * smoothstep(wetEnd, nearestLine, v);
      // Foam and water are nowhere here: the noise below is dear.
      if (beyond < -0.4) return;
      const wave = beyond - waveAt(u);
      if (wave > foamEnd) {
        out[2] = 1;
        return;
      }
      const lace = noise.fractal(u * 2.6 + offset, v * 1.5, 4, footprint * 2.6);
      const edge = beyond + 0.55 * (lace - 0.5);
      const blur = 0.05 + footprint;
      const front = smoothstep(-blur, blur, edge) * (1 - smoothstep(0.3, 1.2, edge + 1.3 * (lace - 0.5)));
      const second = smoothstep(-0.2, 0.05, wave) * (1 - smoothstep(0.1, 1.1, wave + 1.4 * (lace - 0.5)));
      out[1] = Math.min(0.95, front + 0.8 * second * breakingAt(u));
      // The last film of water lets the sand shine through.
      out[2] = smoothstep(0, 0.2, edge) * (0.62 + 0.38 * smoothstep(0.2, shallowReach, beyond));
    },
  };
}

/** Changes nothing of a line that is twice as far away as it may come near, and nowhere has a corner. */
function bendAway(v: number): number {
  const free = 2 * nearestLine;
  return v >= free ? v : nearestLine * (1 + Math.exp((v - free) / nearestLine));
}

/** The same function by a table over all places of the ground that the image can show. */
function tabulate(valueAt: (u: number) => number, { width, size, baseX }: Camera): (u: number) => number {
  const left = -(baseX / size) * awayMax;
  const step = ((width / size) * awayMax) / (columns - 1);
  const values = Float32Array.from({ length: columns + 1 }, (_, i) => valueAt(left + i * step));
  return (u) => {
    const at = Math.min(columns - 1, Math.max(0, (u - left) / step));
    const index = Math.floor(at);
    return values[index]! + (values[index + 1]! - values[index]!) * (at - index);
  };
}

/** How near the shoreline comes to the product's depth within the image. */
function nearestInImage(lineAt: (u: number) => number, { width, size, baseX, distance }: Camera): number {
  let nearest = Infinity;
  const steps = 96;
  for (let i = 0; i <= steps; i++) {
    const u = ((i / steps) * width - baseX) * (awayMax / size);
    const v = lineAt(u);
    const x = baseX + (u * size) / (1 + (v * size) / distance);
    if (x >= 0 && x <= width) nearest = Math.min(nearest, v);
  }
  return nearest;
}
