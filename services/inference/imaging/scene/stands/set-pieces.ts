/**
 * Solid pieces of a set, traced by rays: what the product stands on, and shapes beside it. Lengths are sizes of the product:
 * u to the right, v away from the viewer, z up; the product's foot is at z 0.
 */

import type { Camera } from "../canvas/camera.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material } from "../materials/material.ts";

export type Point = readonly [number, number, number];

interface Solid {
  readonly u: number;
  readonly v: number;
  readonly bottom: number;
  readonly top: number;
  readonly color: LinearRgb;
  /** Absent: a plain color. */
  readonly material?: Material;
  /** The material of its sides: along them, and up. Absent: that of the top. */
  readonly side?: Material;
}

/** All points p with normal · p ≤ far, from the middle of the top. */
export interface Plane {
  readonly normal: Point;
  readonly far: number;
}

export type Piece =
  | (Solid & { readonly shape: "cylinder"; readonly radius: number })
  | (Solid & {
      readonly shape: "box";
      readonly halfU: number;
      readonly halfV: number;
      readonly turn: number;
      /** So far from its edges its faces bend toward each other, as a cushion's do; absent: they are flat. */
      readonly round?: number;
    })
  /** An upright slab with a round top: the box up to `top`, and half a disc of the radius halfU upon it. */
  | (Solid & { readonly shape: "arch"; readonly halfU: number; readonly halfV: number })
  /** An arch with a passage of the same form through it, `openU` wide to each side. */
  | (Solid & { readonly shape: "portal"; readonly halfU: number; readonly halfV: number; readonly openU: number })
  | (Solid & { readonly shape: "sphere"; readonly radius: number })
  /** A cylinder that lies along u, its axis `sunk` below a flat top. */
  | (Solid & {
      readonly shape: "log";
      readonly turn: number;
      readonly halfU: number;
      readonly radius: number;
      readonly sunk: number;
      readonly material: Material;
      readonly side: Material;
      readonly end: Material;
    })
  /** An ellipsoid, `radius` wide to each side, its middle `sunk` below a flat top. */
  | (Solid & {
      readonly shape: "pad";
      readonly radius: number;
      readonly radiusV: number;
      readonly radiusZ: number;
      readonly sunk: number;
    })
  /** What is within all planes, and a radius around it. */
  | (Solid & { readonly shape: "hull"; readonly radius: number; readonly planes: readonly Plane[] });

/** The nearest hit of a ray so far: one object for many rays, because they are many. */
export interface Hit {
  /** Along the ray; Infinity: nothing was hit. */
  t: number;
  piece: Piece | null;
  normalU: number;
  normalV: number;
  normalZ: number;
}

export const noHit = (): Hit => ({ t: Infinity, piece: null, normalU: 0, normalV: 0, normalZ: 0 });

const epsilon = 1e-4;

function take(hit: Hit, piece: Piece, t: number, normalU: number, normalV: number, normalZ: number): void {
  if (t >= hit.t) return;
  hit.t = t;
  hit.piece = piece;
  hit.normalU = normalU;
  hit.normalV = normalV;
  hit.normalZ = normalZ;
}

/** Takes the ray's hit of the piece, in front of its origin, if it is nearer than what was hit so far. */
export function hitPiece(piece: Piece, from: Point, along: Point, hit: Hit): void {
  switch (piece.shape) {
    case "cylinder":
      hitCylinder(piece, from, along, hit);
      break;
    case "box":
      hitBox(piece, piece.turn, from, along, hit);
      break;
    case "arch":
      hitBox(piece, 0, from, along, hit);
      hitArchHead(piece, from, along, hit);
      break;
    case "portal":
      hitPortal(piece, from, along, hit);
      break;
    case "sphere":
      hitSphere(piece, from, along, hit);
      break;
    case "log":
      hitLog(piece, from, along, hit);
      break;
    case "pad":
      hitPad(piece, from, along, hit);
      break;
    case "hull":
      hitHull(piece, from, along, hit);
  }
}

function hitCylinder(piece: Extract<Piece, { shape: "cylinder" }>, from: Point, along: Point, hit: Hit): void {
  const du = from[0] - piece.u;
  const dv = from[1] - piece.v;
  const a = along[0] ** 2 + along[1] ** 2;
  const b = du * along[0] + dv * along[1];
  const inside = b * b - a * (du * du + dv * dv - piece.radius ** 2);
  if (inside > 0 && a > 0) {
    const t = (-b - Math.sqrt(inside)) / a;
    const z = from[2] + along[2] * t;
    if (t > epsilon && z > piece.bottom && z < piece.top) {
      take(hit, piece, t, (du + along[0] * t) / piece.radius, (dv + along[1] * t) / piece.radius, 0);
    }
  }
  if (along[2] >= 0) return;
  const t = (piece.top - from[2]) / along[2];
  const capU = du + along[0] * t;
  const capV = dv + along[1] * t;
  if (t > epsilon && capU * capU + capV * capV <= piece.radius ** 2) take(hit, piece, t, 0, 0, 1);
}

/** How far along a ray it is between two planes, across which it moves by `way`: when it enters, and when it leaves. */
const enterAt = (origin: number, way: number, half: number) => (-Math.sign(way) * half - origin) / way;

function hitBox(
  piece: Extract<Piece, { shape: "box" | "arch" | "portal" }>,
  turn: number,
  from: Point,
  along: Point,
  hit: Hit,
): void {
  const cos = turn === 0 ? 1 : Math.cos(turn);
  const sin = turn === 0 ? 0 : Math.sin(turn);
  const du = from[0] - piece.u;
  const dv = from[1] - piece.v;
  const originU = du * cos + dv * sin;
  const originV = dv * cos - du * sin;
  const originZ = from[2] - (piece.bottom + piece.top) / 2;
  const wayU = along[0] * cos + along[1] * sin;
  const wayV = along[1] * cos - along[0] * sin;
  const wayZ = along[2];
  const halfZ = (piece.top - piece.bottom) / 2;
  const isAlongU = Math.abs(wayU) < 1e-9;
  const isAlongV = Math.abs(wayV) < 1e-9;
  const isAlongZ = Math.abs(wayZ) < 1e-9;
  if (isAlongU && Math.abs(originU) > piece.halfU) return;
  if (isAlongV && Math.abs(originV) > piece.halfV) return;
  if (isAlongZ && Math.abs(originZ) > halfZ) return;
  const enterU = isAlongU ? -Infinity : enterAt(originU, wayU, piece.halfU);
  const enterV = isAlongV ? -Infinity : enterAt(originV, wayV, piece.halfV);
  const enterZ = isAlongZ ? -Infinity : enterAt(originZ, wayZ, halfZ);
  const enter = Math.max(enterU, enterV, enterZ);
  if (enter < epsilon || enter >= hit.t) return;
  if (!isAlongU && enter > enterAt(originU, wayU, -piece.halfU)) return;
  if (!isAlongV && enter > enterAt(originV, wayV, -piece.halfV)) return;
  if (!isAlongZ && enter > enterAt(originZ, wayZ, -halfZ)) return;
  if (piece.shape === "box" && piece.round !== undefined) {
    const x = originU + wayU * enter;
    const y = originV + wayV * enter;
    const z = originZ + wayZ * enter;
    const [across, deep, up] = roundNormal(piece, piece.round, [x, y, z], halfZ);
    take(hit, piece, enter, across * cos - deep * sin, across * sin + deep * cos, up);
  } else if (enter === enterU) take(hit, piece, enter, -Math.sign(wayU) * cos, -Math.sign(wayU) * sin, 0);
  else if (enter === enterV) take(hit, piece, enter, Math.sign(wayV) * sin, -Math.sign(wayV) * cos, 0);
  else take(hit, piece, enter, 0, 0, -Math.sign(wayZ));
}

/** The normal of a box with soft edges at a point of it, from the box's middle. */
function roundNormal(
  { halfU, halfV }: Extract<Piece, { shape: "box" }>,
  round: number,
  point: Point,
  halfZ: number,
): Point {
  const bends = [halfU, halfV, halfZ].map((half, axis) => {
    const beyond = Math.max(0, Math.abs(point[axis]!) - Math.max(0, half - round)) / round;
    return Math.sign(point[axis]!) * beyond ** 2;
  });
  const length = Math.hypot(...bends) || 1;
  return [bends[0]! / length, bends[1]! / length, bends[2]! / length];
}

/** The round head of an arch: a disc in the plane of u and z, as thick as the slab. */
function hitArchHead(piece: Extract<Piece, { shape: "arch" | "portal" }>, from: Point, along: Point, hit: Hit): void {
  const du = from[0] - piece.u;
  const dz = from[2] - piece.top;
  const front = piece.v - piece.halfV;
  if (along[1] > 0) {
    const t = (front - from[1]) / along[1];
    const z = dz + along[2] * t;
    if (t > epsilon && z >= 0 && (du + along[0] * t) ** 2 + z * z <= piece.halfU ** 2) take(hit, piece, t, 0, -1, 0);
  }
  const a = along[0] ** 2 + along[2] ** 2;
  const b = du * along[0] + dz * along[2];
  const inside = b * b - a * (du * du + dz * dz - piece.halfU ** 2);
  if (inside <= 0 || a === 0) return;
  const t = (-b - Math.sqrt(inside)) / a;
  const z = dz + along[2] * t;
  if (t <= epsilon || z < 0 || Math.abs(from[1] + along[1] * t - piece.v) > piece.halfV) return;
  take(hit, piece, t, (du + along[0] * t) / piece.halfU, 0, z / piece.halfU);
}

/** The hit of a portal as if it had no passage. */
const outer = noHit();

/** The front of a portal around its passage, and the sides of the passage where the ray ends upon them. */
function hitPortal(piece: Extract<Piece, { shape: "portal" }>, from: Point, along: Point, hit: Hit): void {
  outer.t = Infinity;
  outer.piece = null;
  hitBox(piece, 0, from, along, outer);
  hitArchHead(piece, from, along, outer);
  if (outer.piece === null) return;
  const u = from[0] + along[0] * outer.t - piece.u;
  const z = from[2] + along[2] * outer.t;
  const isOpen = z <= piece.top ? Math.abs(u) < piece.openU : Math.hypot(u, z - piece.top) < piece.openU;
  if (outer.normalV === 0 || !isOpen) {
    take(hit, piece, outer.t, outer.normalU, outer.normalV, outer.normalZ);
    return;
  }
  const [t, normalU, normalZ] = leavesPassage(piece, from, along);
  if (Math.abs(from[1] + along[1] * t - piece.v) <= piece.halfV) take(hit, piece, t, normalU, 0, normalZ);
}

/** Where a ray within the passage meets its side: how far along, and the side's normal, toward the middle. */
function leavesPassage(
  { u, top, openU }: Extract<Piece, { shape: "portal" }>,
  from: Point,
  along: Point,
): readonly [t: number, normalU: number, normalZ: number] {
  const du = from[0] - u;
  const wall = along[0] === 0 ? Infinity : (Math.sign(along[0]) * openU - du) / along[0];
  if (from[2] + along[2] * wall <= top || wall === Infinity) return [wall, -Math.sign(along[0]), 0];
  const dz = from[2] - top;
  const a = along[0] ** 2 + along[2] ** 2;
  const b = du * along[0] + dz * along[2];
  const t = (-b + Math.sqrt(Math.max(0, b * b - a * (du * du + dz * dz - openU ** 2)))) / a;
  return [t, -(du + along[0] * t) / openU, -(dz + along[2] * t) / openU];
}

function hitSphere(piece: Extract<Piece, { shape: "sphere" }>, from: Point, along: Point, hit: Hit): void {
  const { radius } = piece;
  const du = from[0] - piece.u;
  const dv = from[1] - piece.v;
  const dz = from[2] - piece.bottom - radius;
  const a = along[0] ** 2 + along[1] ** 2 + along[2] ** 2;
  const b = du * along[0] + dv * along[1] + dz * along[2];
  const inside = b * b - a * (du * du + dv * dv + dz * dz - radius ** 2);
  if (inside <= 0) return;
  const t = (-b - Math.sqrt(inside)) / a;
  if (t <= epsilon) return;
  take(hit, piece, t, (du + along[0] * t) / radius, (dv + along[1] * t) / radius, (dz + along[2] * t) / radius);
}

function hitLog(piece: Extract<Piece, { shape: "log" }>, from: Point, along: Point, hit: Hit): void {
  const { radius, halfU, sunk, turn } = piece;
  const [du, dv] = turned(from[0] - piece.u, from[1] - piece.v, turn);
  const [wayU, wayV] = turned(along[0], along[1], turn);
  const dz = from[2] - piece.top + sunk;
  const a = wayV ** 2 + along[2] ** 2;
  const b = dv * wayV + dz * along[2];
  const inside = b * b - a * (dv * dv + dz * dz - radius ** 2);
  if (inside <= 0 || a === 0) return;
  const round = (-b - Math.sqrt(inside)) / a;
  const top = along[2] < 0 ? (sunk - dz) / along[2] : -Infinity;
  const end = wayU === 0 ? -Infinity : enterAt(du, wayU, halfU);
  const t = Math.max(round, top, end);
  const leaves = (-b + Math.sqrt(inside)) / a;
  if (t < epsilon || t > leaves || Math.abs(du + wayU * t) > halfU + epsilon || dz + along[2] * t > sunk + epsilon)
    return;
  if (t === top) take(hit, piece, t, 0, 0, 1);
  else if (t === end) take(hit, piece, t, ...turned(-Math.sign(wayU), 0, -turn), 0);
  else take(hit, piece, t, ...turned(0, (dv + wayV * t) / radius, -turn), (dz + along[2] * t) / radius);
}

/** A direction on the ground as something sees it that is turned. */
export function turned(u: number, v: number, turn: number): readonly [u: number, v: number] {
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  return [u * cos + v * sin, v * cos - u * sin];
}

function hitPad(piece: Extract<Piece, { shape: "pad" }>, from: Point, along: Point, hit: Hit): void {
  const { radius, radiusV, radiusZ, sunk } = piece;
  const x = (from[0] - piece.u) / radius;
  const y = (from[1] - piece.v) / radiusV;
  const z = (from[2] - piece.top + sunk) / radiusZ;
  const wayX = along[0] / radius;
  const wayY = along[1] / radiusV;
  const wayZ = along[2] / radiusZ;
  const a = wayX ** 2 + wayY ** 2 + wayZ ** 2;
  const b = x * wayX + y * wayY + z * wayZ;
  const inside = b * b - a * (x * x + y * y + z * z - 1);
  if (inside <= 0) return;
  const high = sunk / radiusZ;
  const top = wayZ < 0 ? (high - z) / wayZ : -Infinity;
  const t = Math.max((-b - Math.sqrt(inside)) / a, top);
  if (t < epsilon || t > (-b + Math.sqrt(inside)) / a || z + wayZ * t > high + epsilon) return;
  if (t === top) {
    take(hit, piece, t, 0, 0, 1);
    return;
  }
  const normal = [(x + wayX * t) / radius, (y + wayY * t) / radiusV, (z + wayZ * t) / radiusZ] as const;
  const length = Math.hypot(...normal);
  take(hit, piece, t, normal[0] / length, normal[1] / length, normal[2] / length);
}

function hitHull(piece: Extract<Piece, { shape: "hull" }>, from: Point, along: Point, hit: Hit): void {
  const origin: Point = [from[0] - piece.u, from[1] - piece.v, from[2] - piece.top];
  const dot = (one: Point, other: Point) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
  let enter = epsilon;
  let leave = Infinity;
  let face: Plane | null = null;
  for (const plane of piece.planes) {
    const way = dot(plane.normal, along);
    const room = plane.far - dot(plane.normal, origin);
    if (way === 0 && room < 0) return;
    if (way === 0) continue;
    const t = room / way;
    if (way > 0) leave = Math.min(leave, t);
    else if (t > enter) {
      enter = t;
      face = plane;
    }
  }
  if (face === null || enter > leave || from[2] + along[2] * enter < piece.bottom) return;
  take(hit, piece, enter, face.normal[0], face.normal[1], face.normal[2]);
}

/** How far from its middle a piece reaches on the ground. */
export function reachOf(piece: Piece): number {
  if (piece.shape === "log") return Math.hypot(piece.halfU, piece.radius);
  return piece.shape === "box" || isArched(piece) ? Math.hypot(piece.halfU, piece.halfV) : piece.radius;
}

/** It is round above its `top`. */
export function isArched(piece: Piece): piece is Extract<Piece, { shape: "arch" | "portal" }> {
  return piece.shape === "arch" || piece.shape === "portal";
}

/** The eye: all rays through pixels come from it. */
export function eyeOf({ baseY, horizonY, size, distance }: Camera): Point {
  return [0, -distance / size, (baseY - horizonY) / size];
}

/** Sets the way of the ray through a pixel; along it, t is the distance in distances of the product. */
export function aimThrough(along: [number, number, number], camera: Camera, x: number, y: number): void {
  along[0] = (x - camera.baseX) / camera.size;
  along[1] = camera.distance / camera.size;
  along[2] = (camera.horizonY - y) / camera.size;
}

/** Pixels that a piece may cover: left, top, right, bottom. */
export function screenBounds(piece: Piece, camera: Camera): readonly [number, number, number, number] {
  const reach = reachOf(piece);
  const [halfU, halfV] = isArched(piece) ? [piece.halfU, piece.halfV] : [reach, reach];
  const high = isArched(piece) ? piece.top + piece.halfU : piece.top;
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
  if (piece.shape === "cylinder" || piece.shape === "hull") distance = Math.hypot(du, dv) - piece.radius;
  else if (piece.shape === "sphere") distance = Math.hypot(du, dv) - 0.35 * piece.radius;
  else if (piece.shape === "pad") distance = Math.hypot(du, (dv * piece.radius) / piece.radiusV) - 0.85 * piece.radius;
  else {
    const turn = isArched(piece) ? 0 : piece.turn;
    const across = Math.abs(du * Math.cos(turn) + dv * Math.sin(turn));
    const halfV = piece.shape === "log" ? 0.8 * piece.radius : piece.halfV;
    const x = Math.max(across - piece.halfU, piece.shape === "portal" ? piece.openU - across : -Infinity);
    const y = Math.abs(-du * Math.sin(turn) + dv * Math.cos(turn)) - halfV;
    distance = x < 0 && y < 0 ? Math.max(x, y) : Math.hypot(Math.max(0, x), Math.max(0, y));
  }
  // The floor below a piece is dark, so that no light leaks out at its edge.
  if (distance < 0 && piece.shape !== "sphere") return 0.8;
  return 0.55 * smoothstep(0, 0.12, tall + 0.04) * Math.exp(-Math.max(0, distance) / (0.04 + 0.25 * tall));
}
