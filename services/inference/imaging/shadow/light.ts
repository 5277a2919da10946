import type { ShadowParameters } from "@packshot/domain/edits/shadow.ts";
import { createRandom } from "@packshot/domain/random.ts";

/** From where the light of a photo comes. */
export type LightSide = "left" | "right";

/**
 * The lighting of the shadow: a disc-shaped lamp casts the main shadow, and an even sky makes the ambient occlusion.
 */
export interface Light {
  /** Direction of the lamp in degrees, clockwise as seen from above: 0 behind the product, 90 to its right. */
  readonly directionDeg: number;
  /** Angle of the lamp above the ground. */
  readonly elevationDeg: number;
  /** 0: a point light; 1: a large softbox. */
  readonly softness: number;
  /** Scales the finished shadow, 0–1. */
  readonly opacity: number;
  /** The lamp's share of all light on the ground, 0–1; the rest comes from the sky. */
  readonly keyShare: number;
  /** How much firmer the contact line is than on a light ground; absent: 1. */
  readonly contactGain?: number;
  /** The most that the ground at the product's foot loses of its light besides, 0–1; absent: as measured. */
  readonly footShade?: number;
  /** The share of the lamp's light that reaches a point of the ground past what else shades it, 0–1; absent: all of it. */
  readonly reaches?: LightAt;
}

/** A share of light at a point of the image, in its pixels. */
export type LightAt = (x: number, y: number) => number;

/** Bounds of the random draw, within which every light looks like a studio. */
const elevationDeg = [46, 62] as const;
const softness = [0.35, 0.75] as const;
const opacity = [0.82, 0.95] as const;
const keyShare = [0.42, 0.54] as const;
/** From behind the product's left or right to a little in front of its side. */
const sideDeg = [35, 105] as const;
/** Where nobody says from which side the light comes, it comes from higher and from a larger lamp: a short shadow suits every shading. */
const raisedDeg = 10;
const softened = 0.2;

/**
 * Draws a light from the seed. A requested value replaces its draw and does not change the other draws.
 *
 * @param side from which the light of the photo comes; absent: the photo does not show it
 */
export function drawLight(seed: number, requested: ShadowParameters = {}, side?: LightSide): Light {
  const random = createRandom(seed);
  const aside = random.between(...sideDeg);
  const isRight = random.chance(0.5);
  const isNeutral = side === undefined && requested.direction === undefined;
  const drawnDirection = (side === undefined ? isRight : side === "right") ? aside : 360 - aside;
  const drawn = {
    elevationDeg: random.between(...elevationDeg) + (isNeutral ? raisedDeg : 0),
    softness: random.between(...softness) + (isNeutral ? softened : 0),
    opacity: random.between(...opacity),
    keyShare: random.between(...keyShare),
  };
  const elevation = requested.length === undefined ? {} : { elevationDeg: elevationOf(requested.length) };
  return {
    ...drawn,
    ...elevation,
    directionDeg: (requested.direction ?? drawnDirection) % 360,
    softness: requested.softness ?? drawn.softness,
    opacity: requested.opacity ?? drawn.opacity,
  };
}

/** The lamp's height, in degrees, at which a shadow is so many times as long as its product is high. */
export function elevationOf(length: number): number {
  return (Math.atan2(1, length) * 180) / Math.PI;
}

/** Shadow offset per unit of height, one entry per ray: `x` to the right, `z` away from the viewer. */
export interface Rays {
  readonly x: Float32Array;
  readonly z: Float32Array;
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Flatter sky rays add nothing visible and would leave gaps between height slices. */
const skySlopeMax = 2.6;

/** How far from what casts it a shadow ends, in units of height. */
export function lampReach({ elevationDeg, softness }: Light): number {
  return 1 / Math.tan((elevationDeg * Math.PI) / 180) + lampRadius(softness);
}

/** The lamp's disc, as what it moves a shadow by, in units of height. */
function lampRadius(softness: number): number {
  return 0.02 + 0.5 * softness;
}

/** Rays over the lamp's disc, on a Fibonacci (sunflower) spiral: evenly spread and the same for every image. */
export function lampRays(light: Light, count: number): Rays {
  const reach = 1 / Math.tan((light.elevationDeg * Math.PI) / 180);
  const angle = (light.directionDeg * Math.PI) / 180;
  const radius = lampRadius(light.softness);
  const rays = { x: new Float32Array(count), z: new Float32Array(count) };
  for (let i = 0; i < count; i++) {
    const r = radius * Math.sqrt((i + 0.5) / count);
    rays.x[i] = -Math.sin(angle) * reach + r * Math.cos(i * goldenAngle);
    rays.z[i] = -Math.cos(angle) * reach + r * Math.sin(i * goldenAngle);
  }
  return rays;
}

/** Rays over the sky, with cosine-weighted density as for light on level ground. */
export function skyRays(count: number): Rays {
  const rays = { x: new Float32Array(count), z: new Float32Array(count) };
  for (let i = 0; i < count; i++) {
    const sineSquared = (i + 0.5) / count;
    const slope = Math.min(skySlopeMax, Math.sqrt(sineSquared / (1 - sineSquared)));
    rays.x[i] = slope * Math.cos(i * goldenAngle);
    rays.z[i] = slope * Math.sin(i * goldenAngle);
  }
  return rays;
}
