/** Fallen leaves on the ground: those of autumn cover it, and a few dry ones lie in forests and groves that are seen from above. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Motif } from "../motifs/motifs.ts";
import { type Stamp, stampOnGround } from "../motifs/stamp.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { eachGroundPixel, type GroundSpot } from "./ground-spot.ts";

/** Whether leaves of autumn lie on the ground. */
export function hasFallenLeaves({ decor, without }: ScenePlan): boolean {
  return decor === "autumn" && !without.has("plants");
}

const autumnColors = ["#c1742f", "#c99a45", "#9c4a2e", "#7d5233", "#ab6430", "#bb9b4c", "#6b3a28", "#8b7f42"] as const;
const autumnLeaves = 900;
/** On boards, stone or cloth fewer lie than on a wood's ground, so that they are seen. */
const leavesOnFloor = 420;

const isEarth = ({ floor }: ScenePlan) => floor === "soil" || floor === "grass";

/** Those of an autumn, up to the edge of the ground, the farthest first. */
export function drawAutumnLeaves(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  if (!hasFallenLeaves(plan)) return;
  const far = camera.distance / camera.size;
  const wide = camera.view === "above" ? Math.max(1, plan.productLong) : 1;
  const spots = Array.from({ length: Math.round((isEarth(plan) ? autumnLeaves : leavesOnFloor) * wide ** 2) }, () => {
    if (camera.view === "above")
      return {
        u: wide * random.between(-1.7, 1.7),
        v: wide * random.between(-1.4, 1.4),
        radius: random.between(0.085, 0.15),
      };
    const v = 4.4 * random.next() ** 1.7 - 0.9;
    const half = (0.56 * camera.width * (1 + v / far)) / camera.size;
    return { u: random.between(-half, half), v, radius: random.between(0.07, 0.125) };
  });
  spots.sort((a, b) => b.v - a.v);
  for (const spot of spots) drawLeaf(light, plan, camera, random, spot, autumnColors);
}

/** Leaves of last year on the ground of a forest, and on dry earth below trees. */
const litters = {
  forest: {
    colors: ["#5f4127", "#6e4d2c", "#4c3220", "#7d5b36", "#8a6a3f", "#574429", "#66702f"],
    leaves: 120,
    twigs: 34,
    bark: "#4a3524",
  },
  grove: {
    colors: ["#9a8a58", "#a6925f", "#84784a", "#b39f72", "#7c6a44"],
    leaves: 16,
    twigs: 26,
    bark: "#6f5a40",
  },
} as const;

/** So many times the usual number at most. */
const densest = 4;

/** Scattered before anything lies on it: leaves in drifts, and bent twigs between them. */
export function strewLitter(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const litter = litterOf(plan);
  if (litter === null) return;
  const { colors, leaves, twigs, bark } = litters[litter];
  const halfU = (0.55 * camera.width) / camera.size;
  const halfV = (0.55 * camera.height) / camera.size;
  const anywhere = () => ({ x: random.between(-halfU, halfU), y: random.between(-halfV, halfV) });
  const dense = Math.min(densest, Math.max(1, halfU * halfV));
  const wood: Stamp[] = Array.from({ length: Math.round(twigs * dense) }, () => ({
    motif: dryTwig(scale(fromHex(bark), random.between(0.6, 1.5)), random.between(-0.2, 0.2)),
    spot: { ...anywhere(), reach: random.between(0.05, 0.24), turn: random.between(-Math.PI, Math.PI), wide: 0.3 },
    lift: 0.01,
  }));
  stampOnGround(light, plan, camera, wood);
  for (let i = 0; i < leaves * dense; i++) {
    const { x, y } = anywhere();
    drawLeaf(light, plan, camera, random, { u: x, v: y, radius: random.between(0.07, 0.13) }, colors);
  }
}

function litterOf({ floor, backdrop, decor, without }: ScenePlan): keyof typeof litters | null {
  if (floor !== "soil" || without.has("plants") || decor === "autumn") return null;
  if (decor === "olives" || decor === "vines" || decor === "lavender") return "grove";
  return backdrop === "foliage" || decor === "trail" ? "forest" : null;
}

/** A bent stick with a knot, thinner at its tip. */
function dryTwig(color: LinearRgb, bend: number): Motif {
  return ({ x, y, soft, lampY }, out) => {
    const half = 0.036 * (1.25 - 0.6 * x) * (1 + 0.3 * Math.exp(-((x + 0.3) ** 2) * 90));
    const aside = y - bend * (1 - x * x) - 0.03 * Math.sin(5 * x + 9 * bend);
    const round = Math.min(1, Math.abs(aside) / half);
    const shade = 0.8 + 0.5 * (aside / half) * lampY - 0.3 * round * round;
    for (let c = 0; c < 3; c++) out[c] = color[c]! * Math.max(0.2, shade);
    out[3] = smoothstep(-soft, soft, Math.min(half - Math.abs(aside), 0.98 - Math.abs(x)));
  };
}

function drawLeaf(
  light: Float32Array,
  plan: ScenePlan,
  camera: Camera,
  random: Random,
  spot: GroundSpot,
  colors: readonly [string, ...string[]],
): void {
  const { key, ambient, lamp } = plan.lighting;
  const turn = random.between(0, Math.PI * 2);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const isLobed = random.chance(0.55);
  const tint = scale(mix(fromHex(random.pick(colors)), fromHex(random.pick(colors)), 0.25), random.between(0.75, 1.15));
  const curl = random.between(-0.35, 0.35);
  const lampSide = Math.sign(Math.sin((lamp.directionDeg * Math.PI) / 180));
  const slim = random.between(0.36, 0.52);
  /** How far inside its outline a point is, below 0 outside; x runs from its stem to its tip. */
  const inLeaf = (x: number, y: number) => {
    if (!isLobed) {
      const along = (x + 1) / 2;
      if (along <= 0 || along >= 1) return -1;
      const teeth = 0.022 * Math.abs(Math.sin(along * 44));
      return slim * 1.9 * along ** 0.75 * (1 - along) ** 0.62 - teeth - Math.abs(y);
    }
    // Five pointed lobes, the middle one the longest, and deep bays between them.
    const angle = Math.atan2(y, x);
    const fifth = (Math.abs(angle) / (2 * Math.PI)) * 5.4;
    const lobe = 1 - 2 * Math.abs(fifth - Math.round(fifth));
    const longest = 0.62 + 0.36 * Math.cos(angle * 0.9);
    const teeth = 0.05 * Math.sin(angle * 27);
    return longest * (0.46 + 0.54 * lobe ** 1.5) + teeth - Math.hypot(x, y);
  };
  const rise = 0.03 + 0.02 * random.next();
  eachGroundPixel(camera, { ...spot, u: spot.u - rise * lampSide, v: spot.v - rise * 0.6 }, (i, du, dv, share) => {
    const dark = 0.5 * share * smoothstep(-0.12, 0.1, inLeaf(du * cos + dv * sin, -du * sin + dv * cos));
    for (let c = 0; c < 3; c++) light[i + c]! *= 1 - dark;
  });
  eachGroundPixel(camera, spot, (i, du, dv, share) => {
    const x = du * cos + dv * sin;
    const y = -du * sin + dv * cos;
    const inside = inLeaf(x, y);
    if (inside < 0) return;
    const keep = share * smoothstep(0, 0.05, inside);
    const ribs = isLobed ? Math.abs(Math.sin(2.7 * Math.atan2(y, x))) * Math.hypot(x, y) : Math.abs(y);
    const veins = Math.abs(Math.sin((x - Math.abs(y) * 0.8) * 13));
    const rib = 1 + 0.28 * (1 - smoothstep(0, 0.06, ribs)) + 0.1 * (1 - smoothstep(0, 0.25, veins)) - 0.12 * veins;
    const bowl = 0.86 + 0.3 * du * lampSide + curl * y - 0.12 * (1 - smoothstep(0, 0.2, inside));
    for (let c = 0; c < 3; c++) {
      const value = tint[c]! * (ambient[c]! + key[c]! * 0.9) * Math.max(0.35, bowl) * rib;
      light[i + c]! += (value - light[i + c]!) * keep;
    }
  });
}
