/**
 * Solid pieces of a set, traced by rays: what the product stands on, and shapes beside it. Lengths are sizes of the product:
 * u to the right, v away from the viewer, z up; the product's foot is at z 0.
 */

import type { Camera } from "./camera.ts";
import type { LinearRgb } from "./color.ts";
import type { Material } from "./material.ts";
import { smoothstep } from "./noise.ts";

export type Point = readonly [number, number, number];

interface Solid {
  readonly u: number;
  readonly v: number;
  readonly bottom: number;
  readonly top: number;
  readonly color: LinearRgb;
  /** Absent: a plain color. */
  readonly material?: Material;
}

export type Piece =
  | (Solid & { readonly shape: "cylinder"; readonly radius: number })
  | (Solid & { readonly shape: "box"; readonly halfU: number; readonly halfV: number; readonly turn: number })
  /** An upright slab with a round top: the box up to `top`, and half a disc of the radius halfU upon it. */
  | (Solid & { readonly shape: "arch"; readonly halfU: number; readonly halfV: number })
  | (Solid & { readonly shape: "sphere"; readonly radius: number });

export interface Hit {
  /** Along the ray. */
  readonly t: number;
  readonly normal: Point;
}

const epsilon = 1e-4;

/** The nearest hit of a ray in front of its origin; null: none. */
export function hitPiece(piece: Piece, from: Point, along: Point): Hit | null {
  switch (piece.shape) {
    case "cylinder":
      return hitCylinder(piece, from, along);
    case "box":
      return hitBox(piece, from, along);
    case "arch":
      return nearer(hitBox({ ...piece, shape: "box", turn: 0 }, from, along), hitArchHead(piece, from, along));
    case "sphere":
      return hitSphere(piece, from, along);
  }
}

function nearer(a: Hit | null, b: Hit | null): Hit | null {
  return a === null || (b !== null && b.t < a.t) ? b : a;
}

function hitCylinder(piece: Extract<Piece, { shape: "cylinder" }>, from: Point, along: Point): Hit | null {
  const du = from[0] - piece.u;
  const dv = from[1] - piece.v;
  let best: Hit | null = null;
  const a = along[0] ** 2 + along[1] ** 2;
  const b = du * along[0] + dv * along[1];
  const inside = b * b - a * (du * du + dv * dv - piece.radius ** 2);
  if (inside > 0 && a > 0) {
    const t = (-b - Math.sqrt(inside)) / a;
    const z = from[2] + along[2] * t;
    if (t > epsilon && z > piece.bottom && z < piece.top) {
      best = { t, normal: [(du + along[0] * t) / piece.radius, (dv + along[1] * t) / piece.radius, 0] };
    }
  }
  if (along[2] === 0) return best;
  const t = (piece.top - from[2]) / along[2];
  const capU = du + along[0] * t;
  const capV = dv + along[1] * t;
  if (t > epsilon && along[2] < 0 && capU * capU + capV * capV <= piece.radius ** 2) {
    best = nearer(best, { t, normal: [0, 0, 1] });
  }
  return best;
}

function hitBox(piece: Extract<Piece, { shape: "box" }>, from: Point, along: Point): Hit | null {
  const cos = Math.cos(piece.turn);
  const sin = Math.sin(piece.turn);
  const ou = (from[0] - piece.u) * cos + (from[1] - piece.v) * sin;
  const ov = -(from[0] - piece.u) * sin + (from[1] - piece.v) * cos;
  const origin = [ou, ov, from[2] - (piece.bottom + piece.top) / 2];
  const way = [along[0] * cos + along[1] * sin, -along[0] * sin + along[1] * cos, along[2]];
  const half = [piece.halfU, piece.halfV, (piece.top - piece.bottom) / 2];
  let enter = -Infinity;
  let leave = Infinity;
  let axis = 0;
  for (let i = 0; i < 3; i++) {
    if (Math.abs(way[i]!) < 1e-9) {
      if (Math.abs(origin[i]!) > half[i]!) return null;
      continue;
    }
    const near = (-Math.sign(way[i]!) * half[i]! - origin[i]!) / way[i]!;
    const far = (Math.sign(way[i]!) * half[i]! - origin[i]!) / way[i]!;
    if (near > enter) [enter, axis] = [near, i];
    leave = Math.min(leave, far);
  }
  if (enter > leave || enter < epsilon) return null;
  const sign = -Math.sign(way[axis]!);
  if (axis === 2) return { t: enter, normal: [0, 0, sign] };
  return { t: enter, normal: axis === 0 ? [sign * cos, sign * sin, 0] : [-sign * sin, sign * cos, 0] };
}

/** The round head of an arch: a disc in the plane of u and z, as thick as the slab. */
function hitArchHead(piece: Extract<Piece, { shape: "arch" }>, from: Point, along: Point): Hit | null {
  const du = from[0] - piece.u;
  const dz = from[2] - piece.top;
  const front = piece.v - piece.halfV;
  let best: Hit | null = null;
  if (along[1] > 0) {
    const t = (front - from[1]) / along[1];
    const z = dz + along[2] * t;
    if (t > epsilon && z >= 0 && (du + along[0] * t) ** 2 + z * z <= piece.halfU ** 2) {
      best = { t, normal: [0, -1, 0] };
    }
  }
  const a = along[0] ** 2 + along[2] ** 2;
  const b = du * along[0] + dz * along[2];
  const inside = b * b - a * (du * du + dz * dz - piece.halfU ** 2);
  if (inside <= 0 || a === 0) return best;
  const t = (-b - Math.sqrt(inside)) / a;
  const z = dz + along[2] * t;
  if (t <= epsilon || z < 0 || Math.abs(from[1] + along[1] * t - piece.v) > piece.halfV) return best;
  return nearer(best, { t, normal: [(du + along[0] * t) / piece.halfU, 0, z / piece.halfU] });
}

function hitSphere(piece: Extract<Piece, { shape: "sphere" }>, from: Point, along: Point): Hit | null {
  const center = piece.bottom + piece.radius;
  const o = [from[0] - piece.u, from[1] - piece.v, from[2] - center] as const;
  const a = along[0] ** 2 + along[1] ** 2 + along[2] ** 2;
  const b = o[0] * along[0] + o[1] * along[1] + o[2] * along[2];
  const inside = b * b - a * (o[0] ** 2 + o[1] ** 2 + o[2] ** 2 - piece.radius ** 2);
  if (inside <= 0) return null;
  const t = (-b - Math.sqrt(inside)) / a;
  if (t <= epsilon) return null;
  const at = (i: 0 | 1 | 2) => (o[i] + along[i] * t) / piece.radius;
  return { t, normal: [at(0), at(1), at(2)] };
}

/** The nearest of the pieces that a ray hits. */
export function hitNearest(
  pieces: readonly Piece[],
  from: Point,
  along: Point,
): { readonly piece: Piece; readonly hit: Hit } | null {
  let best: { piece: Piece; hit: Hit } | null = null;
  for (const piece of pieces) {
    const hit = hitPiece(piece, from, along);
    if (hit !== null && (best === null || hit.t < best.hit.t)) best = { piece, hit };
  }
  return best;
}

/** The eye and the way of a ray through a pixel; along the ray, t is the distance in distances of the product. */
export function rayThrough(camera: Camera, x: number, y: number): { readonly from: Point; readonly along: Point } {
  const far = camera.distance / camera.size;
  const high = (camera.baseY - camera.horizonY) / camera.size;
  return {
    from: [0, -far, high],
    along: [(x - camera.baseX) / camera.size, far, -(y - camera.horizonY) / camera.size],
  };
}

/** Pixels that a piece may cover: left, top, right, bottom. */
export function screenBounds(piece: Piece, camera: Camera): readonly [number, number, number, number] {
  const [halfU, halfV] =
    piece.shape === "box"
      ? [Math.hypot(piece.halfU, piece.halfV), Math.hypot(piece.halfU, piece.halfV)]
      : piece.shape === "arch"
        ? [piece.halfU, piece.halfV]
        : [piece.radius, piece.radius];
  const high = piece.shape === "arch" ? piece.top + piece.halfU : piece.top;
  const far = camera.distance / camera.size;
  const rise = (camera.baseY - camera.horizonY) / camera.size;
  const xs: number[] = [];
  const ys: number[] = [];
  for (const v of [piece.v - halfV, piece.v + halfV]) {
    const away = 1 + v / far;
    // The piece reaches behind the eye.
    if (away < 0.1) return [0, 0, camera.width, camera.height];
    for (const u of [piece.u - halfU, piece.u + halfU]) xs.push(camera.baseX + (u * camera.size) / away);
    for (const z of [piece.bottom, high]) ys.push(camera.horizonY + ((rise - z) * camera.size) / away);
  }
  return [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1];
}

/** How much of the sky a point of the floor loses to a piece upon it, 0–1. */
export function contactOcclusion(piece: Piece, u: number, v: number, floor: number): number {
  if (piece.bottom > floor + 0.05) return 0;
  const du = u - piece.u;
  const dv = v - piece.v;
  const tall = Math.min(0.5, piece.top - piece.bottom);
  let distance: number;
  if (piece.shape === "cylinder") distance = Math.hypot(du, dv) - piece.radius;
  else if (piece.shape === "sphere") distance = Math.hypot(du, dv) - 0.35 * piece.radius;
  else {
    const turn = piece.shape === "box" ? piece.turn : 0;
    const x = Math.abs(du * Math.cos(turn) + dv * Math.sin(turn)) - piece.halfU;
    const y = Math.abs(-du * Math.sin(turn) + dv * Math.cos(turn)) - piece.halfV;
    distance = x < 0 && y < 0 ? Math.max(x, y) : Math.hypot(Math.max(0, x), Math.max(0, y));
  }
  // The floor below a piece is dark, so that no light leaks out at its edge.
  if (distance < 0 && piece.shape !== "sphere") return 0.8;
  return 0.55 * smoothstep(0, 0.12, tall + 0.04) * Math.exp(-Math.max(0, distance) / (0.04 + 0.25 * tall));
}
