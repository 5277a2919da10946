/** Puts drawn things into a painted backdrop: beside the product, on the wall, on the horizon, in the sky. */

import { addGlow, type Canvas, fillCushion } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { growsOnGround } from "../ground/grow-field.ts";
import { type DrawnThing, lightOn, motifOf } from "../motifs/draw-thing.ts";
import { type Spot, stampOnCanvas } from "../motifs/stamp.ts";
import { isTable, type ScenePlan } from "../plan/scene-plan.ts";
import { standsOnGround } from "../standing-things/stand-things.ts";
import { outdoorBackdrops, type SurfaceKind } from "../words/lexicon.ts";
import type { NamedThing } from "../words/named-things.ts";
import type { BackdropInput } from "./painter.ts";
import { valleyMin } from "./peaks.ts";
import { arriving, paintBlurred } from "./props.ts";
import { paintSmoke } from "./smoke.ts";
import { paintStringLights } from "./string-lights.ts";
import { hasSecondTable, hasTable, isTableFull, paintTableBehind, placesOnTable } from "./table-behind.ts";
import { streetMiddle } from "./town.ts";

/** Where what stands on the ground ends. */
const foot = 0.985;
/** How far what stands behind a table is hidden by it, as a share of its height. */
const sunk = 0.16;

/** Places at which the next thing goes; each thing moves them on. */
interface Free {
  left: number;
  right: number;
  /** The next thing of which there is one stands at this side. */
  side: number;
  wall: number;
  /** How many tables there are, how many places on the last are taken, and at which side it stands. */
  tables: number;
  upon: number;
  tableSide: number;
  /** Nothing stands at the street's end yet. */
  hasStreetEnd: boolean;
}

type Arrange = (input: BackdropInput, thing: DrawnThing, free: Free) => Spot[];

/** Standard deviations of the blur, as shares of the canvas's height: by distance. */
const placed: Readonly<Record<NamedThing["place"], { readonly arrange: Arrange; readonly sigma: number }>> = {
  far: { arrange: onHorizon, sigma: 0.008 },
  sky: { arrange: inSky, sigma: 0.007 },
  wall: { arrange: onWall, sigma: 0.011 },
  above: { arrange: hanging, sigma: 0.009 },
  corner: { arrange: fromCorner, sigma: 0.008 },
  behind: { arrange: behindGround, sigma: 0.012 },
  flower: { arrange: grown, sigma: 0.007 },
  upon: { arrange: uponTable, sigma: 0.009 },
  beside: { arrange: besideProduct, sigma: 0.009 },
};

/** As far away as the place's own things. */
const farPlaces: ReadonlySet<NamedThing["place"]> = new Set(["far", "wall", "above", "behind"]);

/** The farthest first. */
const order = Object.keys(placed) as NamedThing["place"][];

/** Things that have no use for their drawing in a place; each tells whether it is so here. */
const paintedOtherwise: Readonly<Record<string, (input: BackdropInput, thing: DrawnThing) => boolean>> = {
  "string-lights": (input) => {
    paintStringLights(input);
    return true;
  },
  wisps: (input, { color }) => {
    paintSmoke(input, color ?? "#dcdcdc");
    return true;
  },
  // A bathroom has one of its own, and so does a living room, which paints it in the color that is named.
  mirror: ({ plan }) => plan.decor === "bathroom",
  sofa: ({ plan }) => plan.decor === "living-room",
};

export function paintThings(input: BackdropInput, things: readonly DrawnThing[]): void {
  if (things.length === 0) return;
  const away = input.lampSide > 0 ? -1 : 1;
  const clear = Math.min(0.4, Math.max(0.18, input.productHalf + 0.02));
  const hasStreetEnd = input.plan.decor === "town";
  const free: Free = {
    left: 0.5 - clear,
    right: 0.5 + clear,
    side: away,
    wall: away,
    tables: 1,
    upon: 0,
    tableSide: away,
    hasStreetEnd,
  };
  for (const place of order) {
    const { arrange, sigma } = placed[place];
    // A disc deviates from its middle by half of its radius.
    const blur = farPlaces.has(place) ? Math.hypot(sigma, input.farBlur / 2) : sigma;
    if (place === "flower" && growsOnGround(input.plan)) continue;
    for (const thing of things.filter((one) => one.place === place && !standsOnGround(one, input.plan))) {
      const own = paintedOtherwise[thing.name];
      if (own?.(input, thing)) continue;
      const endsStreet = place === "far" && free.hasStreetEnd;
      const spots = intoSight(input, thing, arrange(input, thing, free), endsStreet);
      const isCut = place === "flower" && (!growsBehind(input) || (isTable(input.plan) && !isBlanket(input.plan)));
      const cut = isCut ? bunches(input, thing) : [];
      input.sight.keep(thing.name, areasOf(input, thing, [...spots, ...cut]));
      const isOnSweep = input.plan.backdrop === "sweep" && (place === "beside" || place === "behind");
      for (const [i, spot] of spots.entries())
        if (isOnSweep || (endsStreet && i === 0))
          shadeFoot(input, spot.x, spot.y + thing.tall / 2, halfWide(thing, thing.tall, input));
      const motif = motifOf(thing.drawing, input.lampSide > 0);
      const light = lightOn(thing, arriving(input, 0.6));
      paintBlurred(input.canvas, blur, (to, colorOf) => {
        for (const spot of spots) stampOnCanvas(to, motif, spot, input.lampSide, light, colorOf);
        if (cut.length > 0) paintVases(to, input, colorOf);
        for (const spot of cut) stampOnCanvas(to, motif, spot, input.lampSide, light, colorOf);
      });
      if (thing.kind === "lights") glow(input, thing, spots);
    }
  }
}

function areasOf({ sight, aspect }: BackdropInput, { drawing }: DrawnThing, spots: readonly Spot[]) {
  return spots.map(({ x, y, reach }) =>
    sight.areaAt(x, y, [(reach * Math.min(1, drawing.aspect)) / aspect, reach / Math.max(1, drawing.aspect)]),
  );
}

/** What comes from the picture's corner, grows in a field or is on a table stays there, and so does what ends a street. */
const bound: ReadonlySet<NamedThing["place"]> = new Set(["corner", "flower", "upon"]);

/** Where none of them were seen, the first moves to where it is. */
function intoSight(input: BackdropInput, thing: DrawnThing, spots: Spot[], endsStreet: boolean): Spot[] {
  const [first, ...rest] = spots;
  if (first === undefined || endsStreet || bound.has(thing.place)) return spots;
  const shift = input.sight.shiftOf(areasOf(input, thing, spots));
  return shift === 0 ? spots : [{ ...first, x: first.x + shift }, ...rest];
}

function glow({ canvas }: BackdropInput, { tall, place, name, color }: NamedThing, spots: readonly Spot[]): void {
  const strength = 0.5 / Math.max(1, spots.length);
  if (name === "neon") {
    for (const { x, y } of spots) addGlow(canvas, x, y, 0.3, scale(fromHex(color!), 0.34));
    return;
  }
  for (const { x, y } of spots) {
    const above = place === "beside" || place === "behind" ? 0.22 * tall : 0;
    addGlow(canvas, x, y - above, 0.11, [strength, 0.62 * strength, 0.26 * strength]);
  }
}

/** A soft shadow on a ground that has no edge. */
function shadeFoot({ canvas, aspect, lampSide }: BackdropInput, x: number, footY: number, half: number): void {
  const { width, height, planes } = canvas;
  const middle = (x - 0.3 * lampSide * half) * width;
  const wide = 1.5 * half * width;
  const tall = 0.3 * half * aspect * height;
  const line = (footY - 0.006) * height;
  for (let row = Math.max(0, Math.floor(line - tall)); row < Math.min(height, line + tall); row++) {
    for (let column = Math.max(0, Math.floor(middle - wide)); column < Math.min(width, middle + wide); column++) {
      const away = Math.hypot((column + 0.5 - middle) / wide, (row + 0.5 - line) / tall);
      const kept = 1 - 0.66 * (1 - smoothstep(0.05, 1, away));
      for (const plane of planes) plane[row * width + column]! *= kept;
    }
  }
}

/** Half its width, in widths of the canvas. */
function halfWide({ drawing }: DrawnThing, tall: number, { aspect }: BackdropInput): number {
  return (0.5 * tall * drawing.aspect) / aspect;
}

function spotOf({ drawing }: DrawnThing, x: number, footY: number, tall: number, turn = 0): Spot {
  const half = tall / 2;
  const reach = half * Math.max(1, drawing.aspect);
  return { x, y: footY - half, reach, turn };
}

/** From the product's side outward, each a little before or behind the others. */
function besideProduct(input: BackdropInput, thing: DrawnThing, free: Free): Spot[] {
  const { random } = input;
  const spots: Spot[] = [];
  for (let i = 0; i < thing.count; i++) {
    const tall = thing.tall * random.between(0.88, 1.14);
    const half = halfWide(thing, tall, input);
    const isLeft = free.side < 0;
    if (i % 3 !== 1 || thing.count < 3) free.side = -free.side;
    const x = isLeft ? free.left - half : free.right + half;
    if (isLeft) free.left -= 1.75 * half;
    else free.right += 1.75 * half;
    spots.push(spotOf(thing, x, foot + random.between(-0.012, 0.012), tall));
  }
  return spots.toSorted((a, b) => a.y + a.reach - b.y - b.reach);
}

function uponTable(input: BackdropInput, thing: DrawnThing, free: Free): Spot[] {
  if (!hasTable(input)) return [];
  if (isTableFull(free.upon) && free.tables === 1 && hasSecondTable(input)) {
    free.tables = 2;
    free.tableSide = -free.tableSide;
    free.upon = 0;
  }
  if (free.upon === 0) paintTableBehind(input, free.tableSide);
  const spots = placesOnTable(input, thing, free.tableSide, free.upon);
  free.upon += spots.length;
  return spots;
}

function behindGround(input: BackdropInput, thing: DrawnThing, free: Free): Spot[] {
  return Array.from({ length: thing.count }, (_, i) => {
    const side = free.side;
    free.side = -free.side;
    // Where the product leaves little room, it is smaller and in the middle of that room.
    const room = Math.max(0.12, 0.5 - input.productHalf);
    const tallest = thing.tall * input.random.between(0.94, 1.06);
    const tall = tallest * Math.min(1, Math.max(0.6, room / (1.5 * halfWide(thing, tallest, input))));
    const half = halfWide(thing, tall, input);
    const beside = i === 0 ? Math.min(0.5 - 0.7 * half, 0.5 - room / 2) : 0;
    const x = 0.5 + side * Math.max(beside, Math.min(0.3 + 0.06 * i, 0.5 - 0.5 * half), 0.16);
    return spotOf(thing, x, foot + sunk * tall * (isOpen(input) ? 0.2 : 1), tall);
  });
}

function onWall(input: BackdropInput, thing: DrawnThing, free: Free): Spot[] {
  return Array.from({ length: thing.count }, (_, i) => {
    const tall = thing.tall * (i === 0 ? 1 : 0.72);
    const side = free.wall;
    free.wall = -free.wall;
    const x = 0.5 + side * Math.max(0.29, 0.13 + halfWide(thing, tall, input));
    return spotOf(thing, x, 0.4 + tall / 2 + input.random.between(-0.04, 0.04), tall);
  });
}

function hanging(input: BackdropInput, thing: DrawnThing): Spot[] {
  const { random } = input;
  return Array.from({ length: thing.count }, (_, i) => {
    const x = thing.count === 1 ? 0.5 - input.lampSide * 0.2 : (i + 0.5 + random.between(-0.1, 0.1)) / thing.count;
    const tall = thing.tall * random.between(0.86, 1.12);
    return spotOf(thing, x, tall - 0.01, tall);
  });
}

/** Drawings enter from the left, and mirrored ones from the right. */
function fromCorner(input: BackdropInput, thing: DrawnThing): Spot[] {
  const half = halfWide(thing, thing.tall, input);
  const x = input.lampSide > 0 ? 1.01 - half : half - 0.01;
  return [spotOf(thing, x, thing.tall - 0.01, thing.tall)];
}

function onHorizon(input: BackdropInput, thing: DrawnThing, free: Free): Spot[] {
  // Houses stand at both sides of a street: another one would hang before them.
  if (input.plan.decor === "town" && !free.hasStreetEnd) return [];
  return Array.from({ length: free.hasStreetEnd ? 1 : thing.count }, (_, i) => {
    const horizon = farEnd(input);
    if (free.hasStreetEnd) {
      free.hasStreetEnd = false;
      // What is next to it stands across the product.
      free.side = -free.side;
      // What is wide is no higher than the houses beside it.
      const highest = thing.drawing.aspect > 1.1 ? 0.6 * horizon : 1.25 * horizon;
      return spotOf(thing, streetMiddle(input), horizon + 0.035, Math.min(thing.tall, highest));
    }
    const tall = thing.tall * (i === 0 ? 1 : input.random.between(0.5, 0.85)) * Math.min(1.3, horizon * 2);
    const side = free.side;
    free.side = -free.side;
    const away = 0.27 + 0.075 * Math.floor(i / 2);
    const x = 0.5 + side * Math.max(away, 0.12 + halfWide(thing, tall, input));
    return spotOf(thing, x, hidesHorizon(input.plan) ? foot : horizon + 0.02, tall);
  });
}

/** In a wood and among houses what is far stands behind the ground's end. */
function hidesHorizon({ backdrop, decor }: ScenePlan): boolean {
  return decor === null && (backdrop === "foliage" || backdrop === "skyline");
}

/** Mountains stand behind a valley, which is lower than the true horizon. */
function farEnd({ plan, horizonY }: BackdropInput): number {
  const hasValley = plan.backdrop === "mountains" || plan.decor === "mountain-lake";
  return hasValley ? Math.max(valleyMin, horizonY) : horizonY;
}

function inSky({ random, horizonY }: BackdropInput, thing: DrawnThing): Spot[] {
  const low = Math.max(0.3, 0.75 * horizonY);
  return Array.from({ length: thing.count }, (_, i) => {
    const tall = thing.tall * random.between(0.55, 1.1);
    const x = 0.5 + (i % 2 === 0 ? -1 : 1) * random.between(0.14, 0.42);
    return spotOf(thing, x, Math.max(tall, tall / 2 + random.between(0.1, low)), tall, random.between(-0.15, 0.15));
  });
}

function isOpen({ plan }: BackdropInput): boolean {
  return outdoorBackdrops.has(plan.backdrop);
}

const laid: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["plain", "wood", "marble", "fabric", "silk"]);

/** Flowers on a table among flowers are cut. */
function growsBehind(input: BackdropInput): boolean {
  return isOpen(input) && !(input.plan.decor === "flowers" && laid.has(input.plan.floor));
}

/** A cloth outdoors is spread on the ground: flowers grow around it, and no vase stands there. */
const isBlanket = ({ floor, stand }: ScenePlan) => floor === "fabric" && stand === null;

/** A field of them outdoors, the farthest first. */
function grown(input: BackdropInput, thing: DrawnThing): Spot[] {
  const { random, horizonY } = input;
  if (!growsBehind(input)) return [];
  const from = Math.min(0.9, Math.max(horizonY, 0.45));
  return Array.from({ length: 7 * thing.count }, (_, i) => {
    const near = (i + random.next()) / (7 * thing.count);
    const tall = thing.tall * (0.1 + 0.62 * near ** 1.5) * random.between(0.8, 1.15);
    const x = random.between(-0.02, 1.02);
    return spotOf(thing, x, from + (1.06 - from) * near + 0.3 * tall, tall, random.between(-0.14, 0.14));
  });
}

/** Where the vases of cut flowers stand, right and left of the middle, and the height of the larger. */
const vaseAway = 0.33;
const vaseTall = 0.3;

/** The side of the larger vase. */
const vaseSide = ({ lampSide }: BackdropInput) => (lampSide > 0 ? -1 : 1);

function paintVases(to: Canvas, input: BackdropInput, colorOf: (color: LinearRgb) => LinearRgb): void {
  const clay = multiply([0.72, 0.69, 0.64], arriving(input, 0.6));
  for (const [side, size] of [
    [1, 1],
    [-1, 0.76],
  ] as const) {
    const x = 0.5 + side * vaseSide(input) * vaseAway;
    const tall = vaseTall * size;
    if (input.plan.backdrop === "sweep") shadeFoot(input, x, foot, (0.4 * tall) / input.aspect);
    const edge = (0.03 * tall * input.lampSide) / input.aspect;
    fillCushion(to, x, foot - 0.42 * tall, 0.36 * tall, 0.44 * tall, colorOf(scale(clay, 0.62)), 2.4, 0.3);
    fillCushion(to, x + edge, foot - 0.45 * tall, 0.3 * tall, 0.4 * tall, colorOf(clay), 2.2, 0.3);
    fillCushion(to, x, foot - 0.86 * tall, 0.16 * tall, 0.16 * tall, colorOf(scale(clay, 0.85)), 4, 0.2);
  }
}

/** One at each side, in a vase: indoors, and at the end of a table that stands outdoors. */
function bunches(input: BackdropInput, thing: DrawnThing): Spot[] {
  const { random, aspect } = input;
  const main = vaseSide(input);
  return Array.from({ length: thing.count }, (_, i) => {
    const isMain = i % 3 !== 2;
    const lean = random.between(-0.5, 0.5);
    const size = isMain ? 1 : 0.76;
    const tall = thing.tall * random.between(0.72, 1) * size;
    const x = 0.5 + (isMain ? main : -main) * vaseAway + (Math.sin(lean) * tall) / 2 / aspect;
    return { ...spotOf(thing, x, 0, tall, -lean), y: foot - 0.8 * vaseTall * size - (Math.cos(lean) * tall) / 2 };
  });
}
