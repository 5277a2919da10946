/**
 * The ground that a camera from above sees of a place whose theme names none: outdoors that is the place's earth, where a camera at the
 * product's height sees a table before the place; at a named wall it is the wall's material.
 */

import type { LinearRgb } from "../canvas/color.ts";
import { type Decor, type Setting, type Surface, type SurfaceKind, settings, surfaces } from "../words/lexicon.ts";
import type { Theme } from "../words/theme.ts";

/** A surface; its color, `#rrggbb`, is null where the wall has it. */
interface GroundBelow {
  readonly kind: SurfaceKind;
  readonly color: string | null;
}

export interface PlannedGround {
  readonly kind: SurfaceKind;
  readonly color: LinearRgb;
}

const lawn = { kind: "grass", color: "#5d8a33" } as const;
const forestFloor = { kind: "soil", color: "#54402c" } as const;
const dryEarth = { kind: "soil", color: "#8f7f68" } as const;
const shingle = { kind: "pebble", color: "#8d8881" } as const;

const ofDecor: Readonly<Partial<Record<Decor, GroundBelow>>> = {
  "concrete-wall": { kind: "concrete", color: null },
  "stone-wall": { kind: "stone", color: null },
  "marble-wall": { kind: "marble", color: null },
  "banded-wall": { kind: "marble", color: null },
  "hammered-wall": { kind: "metal", color: null },
  "herringbone-wall": { kind: "wood", color: null },
  bricks: { kind: "tile", color: null },
  olives: dryEarth,
  lavender: dryEarth,
  vines: dryEarth,
  orchard: lawn,
  lake: shingle,
  "mountain-lake": shingle,
  "kitchen-garden": { kind: "soil", color: "#54402c" },
};

/** Words of places that no decor tells. */
const ofWords: ReadonlyMap<Setting, GroundBelow> = new Map(
  Object.entries({ garden: lawn, camping: lawn, forest: forestFloor, woodland: forestFloor, jungle: forestFloor }).map(
    ([word, ground]) => [settings.get(word)!, ground],
  ),
);

/** Snow lies on all of these. */
const covered: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["grass", "soil", "pebble"]);

/** The ground below a camera that looks down; null: the theme names it, or it is the one that a level camera sees, too. */
export function groundBelow({ setting, surface, stand, isSnowy }: Theme): GroundBelow | null {
  if (setting === undefined || surface !== undefined || stand !== undefined) return null;
  const own = (setting.decor && ofDecor[setting.decor]) ?? ofWords.get(setting) ?? null;
  const kind = own?.kind ?? setting.surface.kind;
  return isSnowy && covered.has(kind) ? whole(surfaces.get("snow")!) : own;
}

const whole = ({ kind, color }: Surface): GroundBelow => ({ kind, color });
