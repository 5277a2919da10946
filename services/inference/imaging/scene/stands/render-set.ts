/** Draws the pieces of a set over the ground and the backdrop: shaded, with shadows upon the floor. */

import type { Camera, HiddenSpans } from "../canvas/camera.ts";
import { type LinearRgb, luminance, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isShiningMetal, onMetal } from "../ground/metal-mirror.ts";
import { blurBesideSet } from "../ground/render-ground.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { SceneSet } from "./build-set.ts";
import { shelfThick } from "./build-stand.ts";
import {
  aimThrough,
  contactOcclusion,
  eyeOf,
  type Hit,
  hitPiece,
  isArched,
  noHit,
  type Piece,
  type Point,
  reachOf,
  screenBounds,
  turned,
} from "./set-pieces.ts";

/** The scene as it is painted so far. */
interface Painting {
  readonly light: Float32Array;
  readonly defocus: Float32Array;
}

/** Floor shadows are computed at points so many pixels apart. */
const shadowStepPx = 4;
const lampRays = 14;
/** Half-angle of the softest lamp, in radians. */
const lampSpread = 0.34;
/** The floor further away has no shadow of the set, in distances of the product. */
const shadowReach = 2.6;
/** A softbox reaches around edges: light falls on faces up to this cosine behind its horizon. */
const wrap = 0.3;
/** A reflector beside the viewer lights the faces that the viewer sees, as a share of the key light. */
const fill = 0.38;

/** How much brighter the rim of velvet is than its middle. */
const velvetRim = 1.6;

interface DrawnSet {
  /** Where the product's shadow may fall, 0–1 for each pixel. */
  readonly top: Float32Array;
  /** 1 where a piece is seen. */
  readonly covers: Uint8Array;
}

/** @returns null: there is nothing to draw */
export function renderSet(
  scene: Painting,
  set: SceneSet,
  plan: ScenePlan,
  camera: Camera,
  isSweep: boolean,
  hidden: HiddenSpans | null,
): DrawnSet | null {
  if (set.pieces.length === 0) return null;
  const lamp = towardLamp(plan);
  if (!set.isShelf) shadeFloor(scene, set, plan, camera, lamp, isSweep);
  const drawn = drawPieces(scene, set, plan, camera, lamp, hidden);
  // Edges of the set are near the product; only its surroundings blur.
  for (let y = 0; y < scene.defocus.length; y++) scene.defocus[y]! *= blurBesideSet;
  return drawn;
}

function towardLamp({ lighting }: ScenePlan): Point {
  const angle = (lighting.lamp.directionDeg * Math.PI) / 180;
  const height = (lighting.lamp.elevationDeg * Math.PI) / 180;
  return [Math.cos(height) * Math.sin(angle), Math.cos(height) * Math.cos(angle), Math.sin(height)];
}

/** Directions toward points of the lamp, in a spiral. */
function lampDirections(lamp: Point, softness: number): readonly Point[] {
  const side: Point = [lamp[1], -lamp[0], 0];
  const length = Math.hypot(side[0], side[1]) || 1;
  const across: Point = [side[0] / length, side[1] / length, 0];
  const up: Point = [-across[1] * lamp[2], across[0] * lamp[2], across[1] * lamp[0] - across[0] * lamp[1]];
  return Array.from({ length: lampRays }, (_, i) => {
    const radius = Math.sqrt((i + 0.5) / lampRays) * softness * lampSpread;
    const turn = i * 2.399963;
    const a = Math.cos(turn) * radius;
    const b = Math.sin(turn) * radius;
    const direction = (c: 0 | 1 | 2) => lamp[c] + across[c] * a + up[c] * b;
    return [direction(0), direction(1), Math.max(0.05, direction(2))] as const;
  });
}

/** How the floor is shaded at its points. */
interface FloorShading {
  readonly pieces: readonly Piece[];
  readonly floor: number;
  readonly camera: Camera;
  readonly directions: readonly Point[];
  /** Length of a shadow, in heights of what casts it. */
  readonly slant: number;
  readonly keyShare: number;
  readonly isSweep: boolean;
}

function shadeFloor(
  scene: Painting,
  { pieces, floor }: SceneSet,
  plan: ScenePlan,
  camera: Camera,
  lamp: Point,
  isSweep: boolean,
): void {
  const { width, height } = camera;
  const across = Math.ceil(width / shadowStepPx) + 1;
  const down = Math.ceil(height / shadowStepPx) + 1;
  const kept = new Float32Array(across * down).fill(1);
  const directions = lampDirections(lamp, plan.lighting.lamp.softness);
  const slant = Math.max(...directions.map(([u, v, z]) => Math.hypot(u, v) / z));
  const { key, ambient } = plan.lighting;
  const keyShare = luminance(key) / Math.max(0.01, luminance(key) + luminance(ambient));
  const shading = { pieces, floor, camera, directions, slant, keyShare, isSweep };
  for (let row = 0; row < down; row++) shadePoints(shading, row, kept.subarray(row * across, (row + 1) * across));
  for (let y = Math.max(0, Math.floor(camera.horizonY)); y < height; y++) {
    const y0 = Math.min(down - 2, Math.floor(y / shadowStepPx));
    const upper = kept.subarray(y0 * across, (y0 + 1) * across);
    const lower = kept.subarray((y0 + 1) * across, (y0 + 2) * across);
    shadeFloorRow(scene.light, y * width, width, upper, lower, y / shadowStepPx - y0);
  }
}

/** A function for each row: V8 drops the machine code of a loop within a loop after each picture. */
function shadeFloorRow(
  light: Float32Array,
  from: number,
  width: number,
  above: Float32Array,
  below: Float32Array,
  share: number,
): void {
  for (let x = 0; x < width; x++) {
    const x0 = Math.min(above.length - 2, Math.floor(x / shadowStepPx));
    const fx = x / shadowStepPx - x0;
    const upper = above[x0]! + (above[x0 + 1]! - above[x0]!) * fx;
    const lower = below[x0]! + (below[x0 + 1]! - below[x0]!) * fx;
    const kept = upper + (lower - upper) * share;
    if (kept > 0.999) continue;
    for (let c = 0; c < 3; c++) light[(from + x) * 3 + c]! *= kept;
  }
}

const towardPoint: [number, number, number] = [0, 0, 0];

/** Writes the light that stays at the points of a row. */
function shadePoints(
  { pieces, floor, camera, directions, slant, keyShare, isSweep }: FloorShading,
  row: number,
  kept: Float32Array,
): void {
  const eye = eyeOf(camera);
  for (let column = 0; column < kept.length; column++) {
    aimThrough(towardPoint, camera, column * shadowStepPx, row * shadowStepPx);
    const t = towardPoint[2] < 0 ? (floor - eye[2]) / towardPoint[2] : Infinity;
    if (t > shadowReach) continue;
    const point: Point = [eye[0] + towardPoint[0] * t, eye[1] + towardPoint[1] * t, floor + 0.002];
    let open = 1;
    for (const piece of pieces) open *= 1 - contactOcclusion(piece, point[0], point[1], floor);
    const near = pieces.filter((piece) => mayShade(piece, point, slant));
    const blocked = near.length === 0 ? 0 : countBlocked(near, point, directions);
    const shadow = (blocked / lampRays) * keyShare * 0.92;
    // A sweep has become a wall here.
    const fade = isSweep ? 1 - smoothstep(1.5, 2.2, t) : 1 - smoothstep(2, shadowReach, t);
    kept[column] = 1 - (1 - open * (1 - shadow)) * fade;
  }
}

const shadowHit = noHit();

function countBlocked(near: readonly Piece[], point: Point, directions: readonly Point[]): number {
  let blocked = 0;
  for (const direction of directions) {
    shadowHit.t = Infinity;
    for (let i = 0; i < near.length && shadowHit.t === Infinity; i++) {
      hitPiece(near[i]!, point, direction, shadowHit);
    }
    if (shadowHit.t < Infinity) blocked++;
  }
  return blocked;
}

function mayShade(piece: Piece, [u, v, z]: Point, slant: number): boolean {
  const wide = reachOf(piece);
  const high = piece.top + (isArched(piece) ? wide : 0) - z;
  return Math.hypot(u - piece.u, v - piece.v) <= wide + slant * high + 0.01;
}

/** A piece, and the pixels that it may cover: left, top, right, bottom. */
interface Bounded {
  readonly piece: Piece;
  readonly box: readonly [number, number, number, number];
}

/** Aims through points of the image. A class, because its methods outlive a scene: V8 drops the machine code of closures with the last of them. */
class Tracer {
  readonly hit = noHit();
  readonly along: [number, number, number] = [0, 0, 0];
  readonly eye: Point;
  readonly #camera: Camera;

  constructor(camera: Camera) {
    this.#camera = camera;
    this.eye = eyeOf(camera);
  }

  /** What is hit is in `hit`. */
  trace(x: number, y: number, candidates: readonly Bounded[]): Piece | null {
    const { hit, along, eye } = this;
    hit.t = Infinity;
    hit.piece = null;
    aimThrough(along, this.#camera, x, y);
    for (let i = 0; i < candidates.length; i++) {
      const { piece, box } = candidates[i]!;
      if (x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3]) hitPiece(piece, eye, along, hit);
    }
    return hit.piece;
  }
}

/** What is drawn of a set so far. */
interface Drawing {
  readonly light: Float32Array;
  readonly top: Float32Array;
  /** The piece and its face that each pixel shows; −1: none. */
  readonly seen: Int16Array;
  readonly pieces: readonly Piece[];
  readonly tracer: Tracer;
  readonly shader: SetShader;
}

function drawPieces(
  scene: Painting,
  set: SceneSet,
  plan: ScenePlan,
  camera: Camera,
  lamp: Point,
  hidden: HiddenSpans | null,
): DrawnSet {
  const { width, height } = camera;
  const top = new Float32Array(width * height);
  const seen = new Int16Array(width * height).fill(-1);
  const tracer = new Tracer(camera);
  const shader = new SetShader(set, plan, camera, lamp);
  const bounds = set.pieces.map((piece): Bounded => ({ piece, box: screenBounds(piece, camera) }));
  const drawing = { light: scene.light, top, seen, pieces: set.pieces, tracer, shader };
  for (let y = 0; y < height; y++) {
    const candidates = bounds.filter(({ box }) => y + 0.5 >= box[1] && y + 0.5 <= box[3]);
    if (set.isShelf && y > camera.baseY) shader.belowShelf(y, scene.light);
    if (candidates.length > 0) drawRow(drawing, camera, y, candidates, hidden);
  }
  const rows = [
    Math.max(1, Math.floor(Math.min(...bounds.map(({ box }) => box[1]))) - 1),
    Math.min(height - 1, Math.ceil(Math.max(...bounds.map(({ box }) => box[3]))) + 2),
  ] as const;
  smoothEdges(drawing, camera, rows, bounds);
  const covers = new Uint8Array(seen.length);
  for (let i = 0; i < seen.length; i++) covers[i] = seen[i]! < 0 ? 0 : 1;
  return { top, covers };
}

const drawn = new Float32Array(3);

/** A function for each row: V8 drops the machine code of a loop within a loop after each picture. */
function drawRow(
  { light, top, seen, pieces, tracer, shader }: Drawing,
  { width }: Camera,
  y: number,
  candidates: readonly Bounded[],
  hidden: HiddenSpans | null,
): void {
  // The product's outer pixels are not skipped: they decide what is an edge.
  const skipFrom = hidden === null ? width : hidden.from[y]! + 2;
  const skipTo = hidden === null ? 0 : hidden.to[y]! - 2;
  for (let x = 0, i = y * width; x < width; x++, i++) {
    if (x >= skipFrom && x < skipTo) {
      seen[i] = seen[i - 1]!;
      continue;
    }
    const piece = tracer.trace(x + 0.5, y + 0.5, candidates);
    if (piece === null) continue;
    seen[i] = pieces.indexOf(piece) * 4 + faceOf(tracer.hit);
    if (isStandTop(piece, tracer.hit)) top[i] = 1;
    shader.shade(piece, tracer, drawn);
    for (let c = 0; c < 3; c++) light[i * 3 + c] = drawn[c]!;
  }
}

/** 1–3: its top, its front, or another side. */
function faceOf({ normalV, normalZ }: Hit): number {
  return normalZ > 0.99 ? 1 : normalV < -0.7 ? 2 : 3;
}

function isStandTop(piece: Piece, { normalZ }: Hit): boolean {
  return piece.top === 0 && normalZ > (piece.shape === "box" && piece.round !== undefined ? 0.5 : 0.99);
}

const subPixels = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

/** Pixels at the edge of a face are the mean of four rays; where one misses the set, it takes the nearest such pixel. */
function smoothEdges(
  drawing: Drawing,
  { width }: Camera,
  [fromRow, toRow]: readonly [number, number],
  bounds: readonly Bounded[],
): void {
  const first = (fromRow - 1) * width;
  const before = drawing.light.slice(first * 3, (toRow + 1) * width * 3);
  for (let y = fromRow; y < toRow; y++) smoothRow(drawing, width, y, { before, first }, bounds);
}

const sums = new Float32Array(3);

/** @param was the light before, from the pixel `first` on */
function smoothRow(
  { light, seen, tracer, shader }: Drawing,
  width: number,
  y: number,
  was: { readonly before: Float32Array; readonly first: number },
  bounds: readonly Bounded[],
): void {
  for (let x = 1; x < width - 1; x++) {
    const i = y * width + x;
    const own = seen[i];
    if (seen[i - 1] === own && seen[i + 1] === own && seen[i - width] === own && seen[i + width] === own) continue;
    const neighbors = [i - 1, i + 1, i - width, i + width];
    const open = own === -1 ? i : neighbors.find((one) => seen[one] === -1);
    sums.fill(0);
    for (const [dx, dy] of subPixels) {
      const piece = tracer.trace(x + dx, y + dy, bounds);
      if (piece !== null) shader.shade(piece, tracer, drawn);
      for (let c = 0; c < 3; c++)
        sums[c]! += piece === null ? was.before[((open ?? i) - was.first) * 3 + c]! : drawn[c]!;
    }
    for (let c = 0; c < 3; c++) light[i * 3 + c] = sums[c]! / 4;
  }
}

/** Turned metal mirrors the lamps: in bands along its side, and in two opposite wedges on its top. */
function metalSheen({ normalU, normalV, normalZ }: Hit, du: number, dv: number, lamp: Point): number {
  if (normalZ > 0.7) {
    const turn = Math.atan2(dv, du) - Math.atan2(lamp[1], lamp[0]);
    return 0.78 + 1.1 * Math.cos(turn) ** 6 + 0.2 * Math.cos(2 * turn + 0.7);
  }
  const side = Math.atan2(normalU, -normalV);
  const band = (at: number, wide: number) => Math.exp(-(((side - at) / wide) ** 2));
  const way = Math.sign(lamp[0]) || 1;
  return 0.5 + 2.1 * band(0.75 * way, 0.22) + 1.1 * band(-0.95 * way, 0.15) + 0.5 * band(0.1 * way, 0.5);
}

/** The flat top of a log, its bark, which grows along it, and its sawn ends; lengths from its middle. */
function shadeLog(
  piece: Extract<Piece, { shape: "log" }>,
  { normalU, normalV, normalZ }: Hit,
  [u, v, z]: Point,
  footprint: number,
  out: Float32Array,
): void {
  const [along, across] = turned(u - piece.u, v - piece.v, piece.turn);
  const [outward, forward] = turned(normalU, normalV, piece.turn);
  if (Math.abs(outward) > 0.5) piece.end(across, z, footprint, out);
  else if (normalZ > 0.999) piece.material(along, across, footprint, out);
  else piece.side(2 * Math.atan2(-forward, normalZ) * piece.radius, 1.4 * along, footprint, out);
}

/** The image's row of a shelf's lower front edge. */
function footOfBoard({ pieces, floor }: SceneSet, { baseY, horizonY, size, distance }: Camera): number {
  const [board] = pieces;
  const front = board?.shape === "box" ? board.v - board.halfV : 0;
  return horizonY + (baseY - horizonY - floor * size) / (1 + (front * size) / distance);
}

/** The front of a shelf's board: light catches its upper edge, and its lower one is round into the shadow. */
function boardEdge(z: number): number {
  return 0.72 + 0.5 * smoothstep(-0.014, -0.004, z) - 0.34 * smoothstep(0.3, 1, -z / shelfThick);
}

/** A class, as `Tracer` is. */
class SetShader {
  readonly #set: SceneSet;
  readonly #plan: ScenePlan;
  readonly #camera: Camera;
  readonly #lamp: Point;
  readonly #isMetal: boolean;
  readonly #metalLight: Pick<ScenePlan["lighting"], "key" | "ambient">;
  readonly #texture = new Float32Array(4);
  readonly #boardFoot: number;
  readonly #bounce: LinearRgb;

  constructor(set: SceneSet, plan: ScenePlan, camera: Camera, lamp: Point) {
    this.#set = set;
    this.#plan = plan;
    this.#camera = camera;
    this.#lamp = lamp;
    this.#isMetal = isShiningMetal(plan.surface, plan);
    this.#metalLight = onMetal(plan.lighting);
    this.#boardFoot = footOfBoard(set, camera);
    this.#bounce = scale(plan.floorColor, 0.2 * luminance(plan.lighting.key));
  }

  /** Writes the light of what was hit. */
  shade(piece: Piece, { hit, eye: from, along }: Tracer, out: Float32Array): void {
    const plan = this.#plan;
    const lamp = this.#lamp;
    const texture = this.#texture;
    const { t, normalU, normalV, normalZ } = hit;
    const u = from[0] + along[0] * t;
    const v = from[1] + along[1] * t;
    const z = from[2] + along[2] * t;
    let color: ArrayLike<number> = piece.color;
    if (piece.material !== undefined) {
      const footprint = t / this.#camera.size;
      const around = Math.atan2(normalU, -normalV) * 0.6 + u * Math.abs(normalV);
      if (piece.shape === "log") shadeLog(piece, hit, [u, v, z], footprint, texture);
      else if (normalZ > 0.7) piece.material(u, v, footprint * Math.max(1, t * 1.6), texture);
      else if (piece.side !== undefined) piece.side(around, z, footprint, texture);
      // A side is the ground's material, folded down.
      else piece.material(around, z + 3, footprint, texture);
      color = texture;
    }
    const facing = normalU * lamp[0] + normalV * lamp[1] + normalZ * lamp[2];
    const lit = Math.max(0, (facing + wrap) / (lamp[2] + wrap));
    const up = 0.5 + 0.5 * normalZ;
    // Near the floor a side sees less of the room.
    const open = normalZ > 0.7 ? 1 : 0.62 + 0.38 * smoothstep(0, 0.16, z - this.#set.floor);
    const isOfMetal = this.#isMetal && piece.material !== undefined;
    const light = isOfMetal ? this.#metalLight : plan.lighting;
    if (isOfMetal) {
      const sheen = metalSheen(hit, u - piece.u, v - piece.v, lamp);
      for (let c = 0; c < 3; c++)
        texture[c] = texture[c]! * sheen + (0.06 + 0.3 * piece.color[c]!) * Math.max(0, sheen - 1);
    }
    // The pile of velvet shines where one looks along it: at the rims of a form.
    if (plan.surface === "velvet" && piece.material !== undefined) {
      const length = Math.hypot(along[0], along[1], along[2]);
      const toViewer = -(normalU * along[0] + normalV * along[1] + normalZ * along[2]) / length;
      const rim = normalZ > 0.7 ? 1 : 1 + velvetRim * (1 - Math.max(0, toViewer)) ** 3;
      for (let c = 0; c < 3; c++) texture[c]! *= rim;
    }
    const isFront = this.#set.isShelf && normalV < -0.7;
    const edge = piece.shape === "sphere" ? 0.94 + 0.06 * normalZ : isFront ? boardEdge(z) : 1;
    for (let c = 0; c < 3; c++) {
      const arriving =
        light.key[c]! * (Math.min(1.25, lit) + fill * Math.max(0, -normalV)) +
        light.ambient[c]! * (0.62 + 0.38 * up) +
        this.#bounce[c]! * (1 - up);
      out[c] = Math.max(0, color[c]!) * arriving * open * edge;
    }
  }

  /** A row of the wall under a shelf: darkest at the board, which keeps the lamp from it. */
  belowShelf(y: number, light: Float32Array): void {
    const { width, height } = this.#camera;
    const { lighting, backdropColor } = this.#plan;
    const { key, ambient } = lighting;
    const depth = (y - this.#boardFoot) / height;
    const dark = 0.12 + 0.34 * smoothstep(-0.01, 0.05, depth) + 0.44 * smoothstep(0.02, 0.24, depth);
    const colors = [0, 1, 2].map((c) => backdropColor[c]! * (ambient[c]! * (0.5 + dark * 0.5) + key[c]! * dark * 0.55));
    for (let x = 0, at = y * width * 3; x < width; x++) {
      const side = 1 + 0.12 * (x / width - 0.5) * Math.sign(this.#lamp[0]);
      for (let c = 0; c < 3; c++) light[at++] = colors[c]! * side;
    }
  }
}
