/** What grows on the ground outdoors: grass near the product, and flowers behind it. */

import { createRandom, type Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { type DrawnThing, motifOf } from "../motifs/draw-thing.ts";
import type { Motif } from "../motifs/motifs.ts";
import { stampInScene } from "../motifs/stamp.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { SurfaceKind } from "../words/lexicon.ts";
import { growBlades } from "./blades.ts";

/** How far away the farthest and the nearest are, in distances of the product from the lens. */
const farthest = 9;
const nearest = 1.16;
/** The farthest are out of focus by so many pixels of the drawing for one of the scene. */
const blurMax = 9;
/** Height of a flower at the product's distance, in heights of the image, before its own share. */
const tallness = 0.62;
/** How many there are for each of a thing's count. */
const perCount = 13;

const grown: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["grass", "soil", "stone", "sand", "pebble"]);

/** Whether flowers grow on the ground itself, and not behind a table. */
export function growsOnGround({ floor, stand, backdrop }: ScenePlan): boolean {
  return (
    grown.has(floor) && stand === null && (backdrop === "hills" || backdrop === "foliage" || backdrop === "mountains")
  );
}

/** Flowers: the farthest first, more of them at the sides than before the product's place. */
export function growField(
  light: Float32Array,
  plan: ScenePlan,
  camera: Camera,
  things: readonly DrawnThing[],
  random: Random,
): void {
  growBlades(light, plan, camera, createRandom(plan.seed ^ 0x6ba5));
  const flowers = things.filter(({ place }) => place === "flower");
  if (flowers.length === 0 || !growsOnGround(plan)) return;
  const { key, ambient, lamp } = plan.lighting;
  const lampSide = Math.sin((lamp.directionDeg * Math.PI) / 180);
  const arriving = [0, 1, 2].map((c) => ambient[c]! + 0.6 * key[c]!) as [number, number, number];
  const motifs = flowers.map(({ drawing }) => motifOf(drawing, lampSide > 0));
  const count = perCount * flowers.reduce((sum, flower) => sum + flower.count, 0);
  for (let i = 0; i < count; i++) {
    const which = i % flowers.length;
    const { tall: share, drawing } = flowers[which]!;
    const near = (i + random.next()) / count;
    const away = 1 / (1 / farthest + (1 / nearest - 1 / farthest) * near);
    const tall = (tallness * share * camera.height * random.between(0.75, 1.2)) / away;
    const footY = camera.horizonY + (camera.baseY - camera.horizonY) / away;
    const x = random.between(-0.04, 1.04) * camera.width;
    // The nearest stand at the image's sides.
    const isInside = Math.abs(x - camera.baseX) < 0.3 * camera.width;
    if (isInside && near > 0.72) continue;
    const reach = (tall / 2) * Math.max(1, drawing.aspect);
    const spot = { x, y: footY - tall * 0.42, reach, turn: random.between(-0.16, 0.16) };
    const motif = motifs[which]!;
    // What rises above the ground's edge is not blurred with the ground.
    const blur = 1 + blurMax * (1 - 1 / away);
    const soft: Motif = (point, out) => motif({ ...point, soft: point.soft * blur }, out);
    stampInScene(light, camera, soft, spot, lampSide, arriving);
  }
}
