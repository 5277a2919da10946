/**
 * Floor fans, stick vacuums and people stand on a room's floor, whose boards and tiles are small beside them, and not on the cloth or the
 * worktop that shows smaller products there.
 */

import type { ProductPose } from "../../shadow/pose.ts";
import { fromHex } from "../canvas/color.ts";
import { type BackdropKind, type SurfaceKind, surfaces } from "../words/lexicon.ts";
import type { Theme } from "../words/theme.ts";
import { namesTable } from "../words/theme-words.ts";
import { applyMoods, limitReflectance } from "./mood-colors.ts";
import { isSomebody, isWorn } from "./outlined-length.ts";
import type { ScenePlan } from "./scene-plan.ts";

const rooms: ReadonlySet<BackdropKind> = new Set<BackdropKind>(["interior", "shelves", "wall", "tiled-wall"]);
const paved: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["wood", "tile", "stone", "concrete"]);
/** What a room's floor is laid with instead of what covers its beds and worktops. */
const floors: Partial<Readonly<Record<SurfaceKind, string>>> = { fabric: "oak", marble: "tile", metal: "tile" };
/** Lower things, as shares of the backdrop's height, are not put on floors, and so much lower where the theme names them. */
const lowTall = 0.36;
const lowered = 0.5;
/** Higher ones stand on the floor beside people, too. */
const tableTall = 0.45;
/** They lie on floors. */
const onFloors: ReadonlySet<string> = new Set(
  (
    "backpack basket basketball beach-ball boxing-gloves bucket-spade cone crate dumbbell flip-flops football golf kettlebell pool-ring " +
    "rain-boots sandcastle skateboard suitcase teddy umbrella watering-can yoga-mat"
  ).split(" "),
);

/**
 * The plan as it is below what stands on a pole; that of other products and of tables is as it was.
 *
 * @param text the plan's theme as it was written
 */
export function standOnFloor(plan: ScenePlan, theme: Theme, pose: ProductPose | null, text: string): ScenePlan {
  if (plan.stand !== null || pose === null) return plan;
  if (isSomebody(pose)) {
    const stood = { ...plan, things: awayFromFeet(plan) };
    return rooms.has(plan.backdrop) ? withFloor(stood, theme) : stood;
  }
  if (plan.decor === "desk" || !isOnPole(pose) || namesTable(text)) return plan;
  const onFloor = { ...plan, isOnFloor: true } as const;
  if (!rooms.has(plan.backdrop)) return onFloor;
  const things = plan.things.flatMap((thing) => {
    if (thing.place !== "beside" || thing.tall >= lowTall) return [thing];
    return thing.words.length === 0 ? [] : [{ ...thing, tall: lowered * thing.tall }];
  });
  return withFloor({ ...onFloor, things }, theme);
}

function withFloor(plan: ScenePlan, theme: Theme): ScenePlan {
  const laid = theme.surface === undefined ? floors[plan.surface] : undefined;
  if (laid === undefined) return plan;
  const { kind, color } = surfaces.get(laid)!;
  const floorColor = limitReflectance(applyMoods(fromHex(color), theme.moods));
  return { ...plan, surface: kind, surfaceColor: floorColor, floor: kind, floorColor };
}

/** Nobody has breakfast at the feet: it is on a table behind, where one may stand. Small things of the place's own would look like toys. */
function awayFromFeet({ things, backdrop, floor }: ScenePlan): ScenePlan["things"] {
  const hasTable = rooms.has(backdrop) || paved.has(floor);
  return things.flatMap((thing) => {
    if (thing.place !== "beside" || thing.tall >= tableTall || onFloors.has(thing.name)) return [thing];
    if (hasTable && backdrop !== "skyline") return [{ ...thing, place: "upon" as const }];
    return thing.words.length === 0 ? [] : [thing];
  });
}

/** So much taller than wide is what stands on a pole, which is as narrow as this share of the width in so many of the rows. */
const tallness = 1.75;
const poleWide = 0.2;
const poleRows = [0.33, 0.66] as const;
/** The foot is in the lowest rows, as a share of the height, and so wide at least. */
const footRows = 0.12;
const footWide = 0.5;
/** Wine glasses, candlesticks and table lamps are turned: mirrored, they cover more of themselves. */
const symmetryMax = 0.9;

/** Stick vacuums, floor fans and garment steamers on their stands are, and nothing else of the shops' photos. */
export function isOnPole(pose: Pick<ProductPose, "silhouette" | "stance" | "ground" | "view">): boolean {
  const { inside, width, left, right, top, bottom } = pose.silhouette;
  const wide = right - left;
  const tall = bottom - top;
  if (pose.stance !== "standing" || pose.view !== "level" || isWorn(pose) || tall < tallness * wide) return false;
  let either = 0;
  let both = 0;
  const shares = Array.from({ length: tall }, (_, row) => {
    let covered = 0;
    const start = (top + row) * width;
    for (let x = left; x < right; x++) {
      const mirrored = inside[start + right - 1 - (x - left)]!;
      covered += inside[start + x]!;
      either += inside[start + x]! | mirrored;
      both += inside[start + x]! & mirrored;
    }
    return covered / wide;
  });
  const narrow = shares.filter((share) => share <= poleWide).length / tall;
  const foot = Math.max(...shares.slice(Math.floor((1 - footRows) * tall)));
  return narrow >= poleRows[0] && narrow <= poleRows[1] && foot >= footWide && both < symmetryMax * either;
}
