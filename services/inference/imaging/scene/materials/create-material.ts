import { type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Pattern, SurfaceKind } from "../words/lexicon.ts";
import { foil, ice } from "./bright.ts";
import { draped, foldedVelvet, silk, velvet } from "./cloth.ts";
import { crumpled } from "./crumpled.ts";
import { fur } from "./fur.ts";
import { concrete, fabric, metal, plain, rust, stone, terrazzo, tile } from "./indoor.ts";
import type { Material, MaterialFactory, MaterialInput } from "./material.ts";
import { banded, hammered, leaf } from "./metal-leaf.ts";
import { asphalt, grass, pebble, sand, snow, soil, water } from "./outdoor.ts";
import { withPrint } from "./printed.ts";
import { folded, inSlabs, lined, printed } from "./prints.ts";
import { setts } from "./street.ts";
import { herringbone, wood } from "./wood.ts";

const factories: Readonly<Record<SurfaceKind, MaterialFactory>> = {
  wood,
  marble,
  concrete,
  stone,
  sand,
  grass,
  fabric,
  tile,
  metal,
  water,
  snow,
  plain,
  gloss: (input) => plain(input, 0.55),
  pebble,
  soil,
  asphalt,
  terrazzo,
  silk,
  velvet,
  ice,
  mirror: (input) => plain(input, 1.7),
  foil,
};

/** The last material of each kind: the engine drops the machine code of closures with the last of them. */
const kept = new Map<SurfaceKind, Material>();

/** Surfaces that have a pattern, and how each is made. Tiles of two colors are made with the others. */
const patterned: Readonly<Partial<Record<SurfaceKind, Partial<Record<Pattern, MaterialFactory>>>>> = {
  tile: { setts },
  wood: { herringbone, ...lined(wood, "court") },
  asphalt: lined(asphalt, "court"),
  concrete: { ...lined(concrete, "tennis"), slabs: inSlabs(concrete) },
  grass: lined(grass, "tennis"),
  marble: { slabs: inSlabs(marble), banded },
  metal: { rust, leaf, hammered },
  stone: { slabs: inSlabs(stone) },
  terrazzo: { slabs: inSlabs(terrazzo) },
  fabric: { ...printed(fabric), folds: draped(fabric), creases: draped(fabric), fur },
  silk: { ...printed(silk), folds: folded(silk), creases: folded(silk) },
  velvet: { folds: foldedVelvet },
  plain: { ...printed(plain), folds: folded(plain), creases: crumpled(plain) },
};

export function createMaterial(kind: SurfaceKind, input: MaterialInput): Material {
  const base = input.print !== undefined && kind === "tile" ? factories.gloss : factories[kind];
  const own = input.print === undefined ? input.pattern && patterned[kind]?.[input.pattern] : withPrint(base);
  const factory = own ?? factories[kind];
  const material = factory(input);
  kept.set(kind, material);
  return material;
}

/** Green, blue or red marble is dark, with pale veins; pink, peach and yellow marble are pale. */
export function isDarkMarble(color: LinearRgb): boolean {
  const isPaleAndWarm = color[0] === Math.max(...color) && luminance(color) > 0.3;
  return Math.max(...color) > 1.6 * Math.min(...color) && !isPaleAndWarm;
}

/** A polished slab with clouds, and two systems of veins that run across it: broad ones that fade out and return, and fine ones. */
function marble({ color: named, noise, random, veins, isFromAbove }: MaterialInput): Material {
  // Nothing but its veins and clouds tells a slab from above.
  const perSize = isFromAbove === true ? 1.15 : 0.75;
  const cloudy = isFromAbove === true ? 1.5 : 1;
  const isTinted = isDarkMarble(named);
  const color = isTinted ? scale(named, Math.min(1, 0.11 / luminance(named))) : named;
  const isDark = luminance(color) < 0.2;
  const vein =
    veins ??
    (isDark ? mix(color, [0.75, 0.7, 0.62], isTinted ? 0.7 : 0.5) : mix(scale(color, 0.42), [0.3, 0.31, 0.34], 0.4));
  // Pale tints are those of white stone that something stained.
  const isStained = !isDark && Math.max(...color) > 1.6 * Math.min(...color);
  const cloud = isDark ? scale(color, 1.7) : isStained ? mix(color, [0.86, 0.8, 0.79], 0.7) : scale(color, 0.8);
  const angle = random.between(0.3, 1.1) * (random.chance(0.5) ? 1 : -1);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const gold = veins === undefined && random.chance(0.3) ? 0.5 : 0;
  /** How far a point is from the nearest line of those that are one unit apart. */
  const fromLine = (t: number) => Math.abs(t - Math.round(t));
  return (u, v, footprint, out) => {
    const x = (u * cos - v * sin) * perSize + 31;
    const y = (u * sin + v * cos) * perSize + 17;
    const bend = noise.fractal(x * 0.7, y * 0.7, 6, footprint * 0.7) - 0.5;
    const other = noise.fractal(x * 1.1 + 57, y * 1.1 + 23, 5, footprint) - 0.5;
    const strength = smoothstep(0.3, 0.64, noise.at(x * 1.1 + 9, y * 1.1 + 90));
    const blur = footprint * 0.8;
    const broad = fromLine(x * 1.05 + bend * 1.6);
    const fine = fromLine(y * 1.3 - x * 0.5 + other * 1.5 + bend * 0.6 + 0.3);
    const width = 0.005 + 0.022 * strength * noise.at(x * 4 + 3, y * 4);
    const main = (1 - smoothstep(width * 0.3, width + blur, broad)) * (0.2 + 0.8 * strength);
    const thin =
      (1 - smoothstep(0, 0.006 + blur, fine)) * 0.4 * smoothstep(0.45, 0.75, noise.at(x * 1.6 + 50, y * 1.6));
    const halo = (1 - smoothstep(0, 0.16, broad)) * 0.34 * strength;
    const haze = smoothstep(0.4, 0.72, noise.fractal(x * 0.7 + bend, y * 0.7 + 40, 3, footprint)) * 0.55;
    const veined = Math.min(1, main * 0.85 + thin);
    const hazed = Math.min(1, cloudy * (haze * 0.6 + halo));
    const tint = 1 + gold * main * 0.25;
    out[0] = (color[0] + (cloud[0] - color[0]) * hazed) * (1 - veined) + vein[0] * veined * tint;
    out[1] = (color[1] + (cloud[1] - color[1]) * hazed) * (1 - veined) + vein[1] * veined;
    out[2] = (color[2] + (cloud[2] - color[2]) * hazed) * (1 - veined) + (vein[2] * veined) / (tint * tint);
    out[3] = 0.5;
  };
}
