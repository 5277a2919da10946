/** Where a shadow points and how far it reaches, read off its picture. */

export interface GroundView {
  readonly width: number;
  readonly height: number;
  /** Where the product meets the ground, in pixels. */
  readonly footX: number;
  readonly footY: number;
  /** The product's size in pixels. */
  readonly size: number;
  /** Sine of the camera's pitch: how much the depth of the ground is foreshortened. */
  readonly foreshortening: number;
}

export interface ShadowShape {
  /** Clockwise as seen from above: 0 away from the viewer, 90 to the right. */
  readonly directionDeg: number;
  /** The distance from the foot, along the direction, within which 90 % of the darkness lies; in sizes of the product. */
  readonly length: number;
}

/** Darkness closer to the foot belongs to every light; in sizes of the product. */
const nearMax = 0.25;
const lengthShare = 0.9;

/**
 * @param dark 0–1 for each pixel of the view
 * @param counts 1 where it is compared
 * @returns null where less than 0.1 % of the product's square is dark away from its foot
 */
export function measureShadow(dark: Float32Array, counts: ArrayLike<number>, view: GroundView): ShadowShape | null {
  const { width, footX, footY, size, foreshortening } = view;
  const far: { readonly u: number; readonly v: number; readonly weight: number }[] = [];
  let sumU = 0;
  let sumV = 0;
  let sum = 0;
  for (let at = 0; at < dark.length; at++) {
    const weight = counts[at] === 1 ? dark[at]! : 0;
    if (weight <= 0.02) continue;
    const u = ((at % width) + 0.5 - footX) / size;
    const v = (footY - Math.floor(at / width) - 0.5) / (size * foreshortening);
    if (Math.hypot(u, v) < nearMax) continue;
    far.push({ u, v, weight });
    sumU += weight * u;
    sumV += weight * v;
    sum += weight;
  }
  if (sum < 0.001 * size * size) return null;
  const norm = Math.max(1e-9, Math.hypot(sumU, sumV));
  const alongs = far.map(({ u, v, weight }) => ({ along: (u * sumU + v * sumV) / norm, weight }));
  alongs.sort((a, b) => a.along - b.along);
  let within = 0;
  const end = alongs.find(({ weight }) => {
    within += weight;
    return within >= lengthShare * sum;
  })!;
  return { directionDeg: ((Math.atan2(sumU, sumV) * 180) / Math.PI + 360) % 360, length: end.along };
}

/** 0–180. */
export function angleBetween(a: number, b: number): number {
  const apart = Math.abs(a - b) % 360;
  return Math.min(apart, 360 - apart);
}
