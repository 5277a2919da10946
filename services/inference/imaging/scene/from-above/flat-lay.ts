/**
 * What lies around a product that is seen from above: twigs that reach in from two corners, and small things strewn near them.
 * They tell the place, which a camera that looks down does not see.
 */

import { createRandom, type Random } from "@packshot/domain/random.ts";
import type { ProductPose } from "../../shadow/pose.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { type DrawnItem, type DrawnThing, motifOf } from "../motifs/draw-thing.ts";
import {
  bauble,
  block,
  blossom,
  coffeeBean,
  daisy,
  egg,
  gift,
  heart,
  leaf,
  pebble,
  pumpkin,
  teaLight,
} from "../motifs/motifs.ts";
import { seaFind } from "../motifs/shore.ts";
import { type Spot, type Stamp, stampOnGround } from "../motifs/stamp.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { productShares } from "../stands/build-set.ts";
import type { AvoidedThing, PropKind, SurfaceKind } from "../words/lexicon.ts";
import { createFreeGround } from "./free-ground.ts";
import { bunchAt } from "./lay-bunch.ts";
import { layItems, noItems } from "./lay-items.ts";
import { type Group, layNamed } from "./lay-named.ts";
import { ownGroups } from "./lay-own.ts";
import {
  beech,
  eucalyptus,
  fern,
  fir,
  frostedFir,
  herbs,
  jungle,
  lavender,
  lemonLeaves,
  namedTwigs,
  olive,
  palm,
  type Twig,
} from "./lay-twigs.ts";

/** Things that are strewn. */
type Strewn = Group & {
  readonly count: number;
  /** The drawing; absent: it is one of the lay's own motifs. */
  readonly name?: string;
};

interface FlatLay {
  /** Absent: the place. */
  readonly prop?: PropKind;
  readonly twig?: Twig;
  /** Dried flowers; null: they have colors of their own. */
  readonly bunch?: { readonly color: LinearRgb | null };
  readonly strewn: readonly Strewn[];
}

const color = (hex: string, random: Random): LinearRgb => scale(fromHex(hex), random.between(0.82, 1.16));
function strewn(count: number, low: number, high: number, lift: number, motif: Strewn["motif"]): Strewn {
  return { count, reach: [low, high], lift, motif };
}

const shells = strewn(9, 0.045, 0.085, 0.025, (random, i) => seaFind(random, i % 4 === 0));
const starfishes = strewn(4, 0.1, 0.16, 0.03, (random) => seaFind(random, true));
const pebbles = strewn(11, 0.025, 0.07, 0.02, (random) =>
  pebble(color(random.pick(["#8b857c", "#6f6d6a", "#b3aa9d"]), random), random.between(0.62, 0.85)),
);
const baubles = strewn(9, 0.045, 0.075, 0.04, (random) =>
  bauble(color(random.pick(["#b3262a", "#c99b3f", "#d8d3c8", "#7d1f24"]), random)),
);
const daisies = strewn(13, 0.035, 0.055, 0.02, () => daisy);
const blossoms = strewn(12, 0.045, 0.075, 0.02, (random) =>
  blossom(color(random.pick(["#efb9c6", "#f3d6dc", "#f0ead9"]), random), fromHex("#e0b040")),
);
const beans = strewn(46, 0.022, 0.03, 0.012, () => coffeeBean);
const blocks = strewn(8, 0.05, 0.075, 0.04, (random) =>
  block(color(random.pick(["#e2a93b", "#4d86b8", "#c9503f", "#6fa36a", "#e9ddc6"]), random)),
);
const propThings: Readonly<Partial<Record<PropKind, (plan: ScenePlan) => FlatLay>>> = {
  hearts: ({ propColor }) => ({
    strewn: [
      strewn(13, 0.03, 0.06, 0.02, (random) =>
        heart(mix(propColor ?? fromHex("#b3263a"), fromHex("#f0b6bb"), 0.6 * random.next())),
      ),
    ],
  }),
  eggs: () => ({
    strewn: [
      strewn(9, 0.06, 0.08, 0.035, (random, i) => {
        const colors = ["#f0c7cf", "#c9dcef", "#f4e3a8", "#cfe4c4", "#ddcdee"] as const;
        return egg(fromHex(random.pick(colors)), fromHex(random.pick(colors)), i % 2 === 0);
      }),
    ],
  }),
  gifts: () => ({
    strewn: [
      strewn(4, 0.13, 0.17, 0.07, (random, i) =>
        gift(
          color(random.pick(["#a3262a", "#d8c7a6", "#2f5a44"]), random),
          fromHex(i % 2 === 0 ? "#e6cf96" : "#efe9dd"),
          true,
        ),
      ),
    ],
  }),
  pumpkins: () => ({ strewn: [strewn(5, 0.16, 0.25, 0.08, (random) => pumpkin(color("#d9701c", random)))] }),
  pampas: ({ propColor }) => ({ bunch: { color: propColor }, strewn: [] }),
  lemons: () => ({
    twig: lemonLeaves,
    strewn: ownGroups("lemon", null) ?? [],
  }),
  candles: () => ({ strewn: [strewn(6, 0.05, 0.065, 0.03, () => teaLight)] }),
  stones: () => ({ strewn: [pebbles] }),
  toys: () => ({ strewn: [blocks] }),
  palms: ({ floor }) => ({ twig: palm, strewn: floor === "sand" ? [shells] : [] }),
  plants: () => ({ twig: fern, strewn: [] }),
  tent: () => ({ twig: beech, strewn: [pebbles] }),
};

const decorThings: Readonly<Partial<Record<NonNullable<ScenePlan["decor"]>, FlatLay>>> = {
  christmas: { twig: fir, strewn: [baubles] },
  market: { twig: fir, strewn: [] },
  palms: { twig: palm, strewn: [shells] },
  terrace: { twig: olive, strewn: [] },
  olives: { twig: olive, strewn: [] },
  greenhouse: { twig: fern, strewn: [] },
  flowers: { strewn: [blossoms] },
  orchard: { twig: beech, strewn: [blossoms] },
  vines: { twig: beech, strewn: [] },
  lavender: { twig: lavender, strewn: [] },
  spa: { twig: eucalyptus, strewn: [pebbles] },
  bathroom: { twig: eucalyptus, strewn: [] },
  bedroom: { twig: eucalyptus, strewn: [] },
  "living-room": { twig: eucalyptus, strewn: [] },
  fireplace: { twig: fir, strewn: [] },
  porch: { twig: beech, strewn: [] },
  kitchen: { twig: herbs, strewn: [] },
  cafe: { strewn: [beans] },
  pool: { twig: palm, strewn: [] },
  playroom: { strewn: [blocks] },
  nursery: { strewn: [blocks] },
  lake: { twig: beech, strewn: [pebbles] },
  "mountain-lake": { twig: fir, strewn: [pebbles] },
  dunes: { strewn: [shells] },
  // Its leaves lie on the ground already.
  autumn: { strewn: [] },
};

const pavements: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["concrete", "asphalt", "metal", "gloss", "plain"]);

function ofPlace(plan: ScenePlan): FlatLay | undefined {
  if (plan.isJungle && !pavements.has(plan.floor)) return { twig: jungle, strewn: [] };
  if (plan.decor !== null && decorThings[plan.decor] !== undefined) return decorThings[plan.decor];
  // Nothing lies on water, and fronds hang over it.
  if (plan.floor === "water") return { twig: palm, strewn: [] };
  if (plan.isSnowy || plan.backdrop === "snowfield") return { twig: frostedFir, strewn: [] };
  switch (plan.backdrop) {
    case "sea":
      return { strewn: [shells] };
    case "mountains":
      return { twig: fir, strewn: [pebbles] };
    case "foliage":
      if (plan.decor === "autumn" || plan.isPicnic) return undefined;
      return pavements.has(plan.floor) ? undefined : { twig: plan.floor === "grass" ? beech : fern, strewn: [] };
    case "hills":
      return { strewn: plan.floor === "grass" ? [daisies] : [] };
    case "dunes":
      return { strewn: plan.floor === "sand" ? [] : [pebbles] };
    default:
      return undefined;
  }
}

/** What `avoid` calls them, beside objects. */
const calledSo: ReadonlyMap<Strewn, AvoidedThing> = new Map<Strewn, AvoidedThing>([
  [blocks, "toys"],
  [beans, "cups"],
  [blossoms, "plants"],
  [daisies, "plants"],
]);

/** Those that the lay draws itself: each is another. */
const ownMotifs: ReadonlyMap<string, Strewn> = new Map([
  ["coffee-beans", beans],
  ["shell", shells],
  ["starfish", starfishes],
]);
/** Half the length of what is larger than most products that are seen from above, in units of the ground. */
const largeReach: ReadonlyMap<string, number> = new Map([
  ["towels", 0.36],
  ["mirror", 0.2],
  ["keyboard", 0.6],
  ["gamepad", 0.3],
]);

/** Drawn things that lie about: those of `lyingThings`, each once. */
function ofThings(things: readonly DrawnThing[]): FlatLay {
  const once = [...new Map(things.map((thing) => [thing.name, thing])).values()];
  const branch = once.find(({ name }) => namedTwigs.has(name));
  return {
    ...(branch !== undefined && { twig: { ...namedTwigs.get(branch.name)!, name: branch.name } }),
    strewn: once.flatMap(({ name, drawing, tall, count, color }): Strewn[] => {
      if (name === branch?.name) return [];
      const groups = ownGroups(name, color);
      if (groups !== null) return groups.map((group) => ({ ...group, name }));
      const own = ownMotifs.get(name);
      if (own !== undefined) return [{ ...own, name }];
      const motif = motifOf(drawing, false);
      const reach = largeReach.get(name) ?? Math.min(0.19, 0.52 * tall);
      const most = Math.min(12, reach > 0.14 ? count : 2 * count);
      return [{ ...strewn(most, 0.85 * reach, 1.1 * reach, 0.03, () => motif), name }];
    }),
  };
}

function flatLaysOf(plan: ScenePlan): FlatLay[] {
  // Fallen leaves are the plants of autumn.
  const props = plan.decor === "autumn" ? plan.props.filter((prop) => prop !== "plants") : plan.props;
  const named = props.flatMap((prop): FlatLay[] => {
    const lay = propThings[prop]?.(plan);
    return lay === undefined ? [] : [{ ...lay, prop }];
  });
  const place = plan.isPlace ? ofPlace(plan) : undefined;
  const all = place === undefined ? named : [...named, place];
  const hasGreens = !plan.without.has("plants");
  return all.map(({ prop, twig, bunch, strewn: things }) => ({
    ...(prop !== undefined && { prop }),
    // Dried grass is no green.
    ...(bunch !== undefined && { bunch }),
    ...(twig !== undefined && hasGreens && { twig }),
    strewn: things.filter(
      (group) => !plan.without.has("objects") && !plan.without.has(calledSo.get(group) ?? "objects"),
    ),
  }));
}

/** Which corners the twigs reach in from. */
const corners = [
  [-1, 1],
  [1, -1],
] as const;

/** What found room beside the product. */
export interface Laid {
  readonly props: ReadonlySet<PropKind>;
  /** Names of drawings. */
  readonly drawings: ReadonlySet<string>;
  /** Names of drawings that lie in the place. */
  readonly items: ReadonlySet<string>;
  /** So much lies there that the place is told by it. */
  readonly tellsPlace: boolean;
  /** Something lies there that the place has by itself. */
  readonly hasOwnOfPlace: boolean;
}

export const nothingLaid: Laid = {
  props: new Set(),
  drawings: new Set(),
  items: noItems.names,
  tellsPlace: false,
  hasOwnOfPlace: false,
};

/** What is to lie around the product: what the theme names, and what its place has. */
export interface LyingThings {
  readonly things: readonly DrawnThing[];
  readonly items: readonly DrawnItem[];
}

/** Whether a thing is beside the product's box. */
function besideBox(pose: ProductPose | null, productLong: number): (spot: Spot) => boolean {
  const { wide, tall } = productShares(pose, productLong);
  // Places are told from the middle of a square that stands where the product does: a wide product lies in its lower part.
  const middle = 0.5 * (tall - productLong);
  return ({ x, y, reach }) =>
    Math.abs(x) - 0.6 * reach > 0.5 * wide + 0.03 || Math.abs(y - middle) - 0.6 * reach > 0.5 * tall + 0.03;
}

/** So many things tell a place. */
const tellingMin = 2;

export function layFlat(
  light: Float32Array,
  plan: ScenePlan,
  camera: Camera,
  pose: ProductPose | null,
  { things, items }: LyingThings,
): Laid {
  const drawn = ofThings(things);
  const lays = drawn.strewn.length > 0 || drawn.twig !== undefined ? [drawn, ...flatLaysOf(plan)] : flatLaysOf(plan);
  if (lays.length === 0 && items.length === 0) return nothingLaid;
  const ground = items.length === 0 ? null : createFreeGround(camera, pose, plan.productLong);
  const random = createRandom(plan.seed ^ 0x51a7);
  const halfU = camera.width / camera.size / 2;
  const centerU = (camera.width / 2 - camera.baseX) / camera.size;
  const centerV = (camera.baseY - camera.size / 2 - camera.height / 2) / camera.size;
  const halfV = camera.height / camera.size / 2;
  const isClear = besideBox(pose, plan.productLong);
  const placed: Spot[] = [];
  const isFree = (spot: Spot) => {
    const isUpon = (one: Spot) => Math.hypot(one.x - spot.x, one.y - spot.y) < 0.9 * (one.reach + spot.reach);
    if (!isClear(spot) || placed.some(isUpon) || ground?.shown(spot, false).share === 0) return false;
    placed.push(spot);
    return true;
  };
  const laid: [FlatLay, Strewn | null, Stamp[]][] = [];
  const named = drawn.strewn.flatMap((group) => {
    const stamps = layNamed(group, camera, pose, plan.productLong, placed, random);
    laid.push([drawn, group, stamps]);
    return stamps;
  });
  // More lies on the wider ground around a longer product.
  const crowd = Math.max(1, plan.productLong);
  const flip = random.chance(0.5) ? 1 : -1;
  const stamps: Stamp[] = [];
  const green = lays.find(({ twig, bunch }) => (twig ?? bunch) !== undefined);
  const twoCorners = cornersOf([centerU, centerV], [halfU, halfV], flip);
  // The things of a place need the other corner.
  for (const corner of twoCorners.slice(0, ground === null ? 2 : 1)) {
    if (green === undefined) continue;
    const leaves = greensAt(green, corner, [halfU, halfV], crowd, random).filter(({ spot }) => isClear(spot));
    laid.push([green, null, leaves]);
    stamps.push(...leaves);
  }
  for (const { spot } of [...stamps, ...named]) ground?.take(spot);
  const ofPlace = ground === null ? noItems : layItems(ground, camera, items, random);
  for (const corner of twoCorners) {
    for (const lay of lays)
      for (const group of lay.strewn) {
        // One of each named thing lies there already.
        const count = Math.ceil((crowd * (lay === drawn ? group.count - 1 : group.count)) / 2);
        const some = strewAt({ ...group, count }, corner, [halfU, halfV], isFree, random);
        laid.push([lay, group, some]);
        stamps.push(...some);
      }
  }
  stampOnGround(light, plan, camera, [...stamps, ...ofPlace.lower, ...named]);
  stampOnGround(light, plan, camera, ofPlace.upper);
  const isInPicture = ({ spot: { x, y, reach } }: Stamp) =>
    Math.abs(x - centerU) < halfU + 0.5 * reach && Math.abs(y - centerV) < halfV + 0.5 * reach;
  const found = laid.filter(([, , some]) => some.some(isInPicture));
  return {
    props: new Set(found.flatMap(([{ prop }]) => prop ?? [])),
    drawings: new Set(found.flatMap(([lay, group]) => (group === null ? lay.twig?.name : group.name) ?? [])),
    items: ofPlace.names,
    tellsPlace: ofPlace.lower.length >= tellingMin,
    hasOwnOfPlace: found.some(([lay]) => lay !== drawn && lay.prop === undefined),
  };
}

const cornersOf = (
  [centerU, centerV]: readonly [number, number],
  [halfU, halfV]: readonly [number, number],
  flip: number,
): Corner[] =>
  corners.map(([sideU, sideV]) => ({
    u: centerU + sideU * flip * halfU,
    v: centerV + sideV * halfV,
    sideU: sideU * flip,
    sideV,
  }));

/** A corner of the picture, and at which sides of its middle it is. */
interface Corner {
  readonly u: number;
  readonly v: number;
  readonly sideU: number;
  readonly sideV: number;
}

/** Half a stalk's width between two pairs of leaves, as a share of half its length there. */
const stalkWide = 0.14;

/** Leaves in pairs along bent stems that point from the corner to the middle. */
function twigAt(
  twig: Twig,
  corner: Corner,
  [halfU, halfV]: readonly [number, number],
  crowd: number,
  random: Random,
): Stamp[] {
  const stamps: Stamp[] = [];
  const toMiddle = Math.atan2(-corner.sideV * halfV, -corner.sideU * halfU);
  const stems = 3;
  for (let stem = 0; stem < stems; stem++) {
    let turn = toMiddle + (stem - (stems - 1) / 2) * 0.62 + random.between(-0.12, 0.12);
    const bend = random.between(-0.05, 0.05);
    let x = corner.u - Math.cos(turn) * 0.05;
    let y = corner.v - Math.sin(turn) * 0.05;
    const long = 0.62 * Math.sqrt(crowd) * random.between(0.8, 1.1) * (stem === 1 ? 1.15 : 0.85);
    const steps = Math.ceil((Math.sqrt(crowd) * twig.leaves) / 2);
    const bark = leaf(fromHex("#64783f"), stalkWide);
    for (let step = 0; step <= steps; step++) {
      const along = step / steps;
      const between = { x: x - (Math.cos(turn) * long) / steps / 2, y: y - (Math.sin(turn) * long) / steps / 2 };
      const stalk = { ...between, reach: (0.8 * long) / steps, turn, wide: stalkWide };
      stamps.push({ motif: bark, spot: stalk, lift: 0.5 * twig.lift });
      for (const side of step === steps ? [0] : [-1, 1]) {
        const reach = random.between(...twig.reach) * (1 - 0.35 * along);
        const leafTurn = turn + side * twig.spread * (0.75 + 0.25 * random.next());
        const spot = {
          x: x + Math.cos(leafTurn) * reach,
          y: y + Math.sin(leafTurn) * reach,
          reach,
          turn: leafTurn,
          ...(twig.wide !== undefined && { wide: twig.wide }),
        };
        stamps.push({ motif: twig.motif(random, step), spot, lift: twig.lift * (1 + 0.5 * random.next()) });
      }
      x += (Math.cos(turn) * long) / steps;
      y += (Math.sin(turn) * long) / steps;
      turn += bend;
    }
  }
  return stamps;
}

function greensAt(
  { twig, bunch }: FlatLay,
  corner: Corner,
  half: readonly [number, number],
  crowd: number,
  random: Random,
): Stamp[] {
  if (twig !== undefined) return twigAt(twig, corner, half, crowd, random);
  return bunchAt(bunchFrom(corner, half, crowd), bunch?.color ?? null, random);
}

/** Stems are cut so long, in units of the ground. */
const bunchLong = 0.8;

/** It comes from a little outside the corner. */
function bunchFrom(corner: Corner, [halfU, halfV]: readonly [number, number], crowd: number) {
  const turn = Math.atan2(-corner.sideV * halfV, -corner.sideU * halfU);
  const x = corner.u - Math.cos(turn) * 0.1;
  const y = corner.v - Math.sin(turn) * 0.1;
  return { x, y, turn, long: bunchLong * Math.sqrt(crowd) };
}

const triesPerThing = 8;

/** Nearer to the corner the denser; none upon another, and none upon the product. */
function strewAt(
  group: Strewn,
  corner: Corner,
  [halfU, halfV]: readonly [number, number],
  isFree: (spot: Spot) => boolean,
  random: Random,
): Stamp[] {
  const stamps: Stamp[] = [];
  for (let tries = 0; stamps.length < group.count && tries < group.count * triesPerThing; tries++) {
    const reach = random.between(...group.reach);
    const spot = {
      x: corner.u - corner.sideU * halfU * 1.05 * random.next() ** 1.4,
      y: corner.v - corner.sideV * halfV * 1.05 * random.next() ** 1.4,
      reach,
      turn: random.between(-Math.PI, Math.PI),
    };
    if (isFree(spot)) stamps.push({ motif: group.motif(random, stamps.length), spot, lift: group.lift });
  }
  return stamps;
}
