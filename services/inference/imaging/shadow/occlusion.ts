import { addressOf, inKernelMemory, kernelShorts } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Ground } from "./ground.ts";
import type { Rays } from "./light.ts";
import type { Silhouette } from "./silhouette.ts";

/** Occlusion of a patch of ground, seen from above: the share of a light that the product blocks from each point. */
export interface OcclusionMap {
  /** Cells to the right, as wide as `cells` of the silhouette. */
  readonly width: number;
  readonly cells: number;
  /** Cells away from the viewer, `depthStep` silhouette cells each. */
  readonly depth: number;
  readonly depthStep: number;
  /** Silhouette column of the patch's first column. */
  readonly originX: number;
  /** Depth in silhouette cells of the patch's first row; 0 is the product's nearest contact, positive is behind. */
  readonly originZ: number;
  /** 0–1, row after row from the nearest to the farthest. */
  readonly occlusion: Float32Array;
}

export interface OcclusionBounds {
  readonly left: number;
  readonly right: number;
  readonly near: number;
  readonly far: number;
}

/** Cells of the outline to one of the map, in depth: the ground is seen at a slant. */
export const cellsPerDepth = 2;
/** A product's assumed depth is at most this share of its shorter side: fitted, as `lampTaken` in cast-shadow.ts. */
const depthShareMax = 0.35;

/**
 * The product as slabs: each cell of the outline, `height` above the ground, extends in depth from `near` to `far`. A
 * photo shows no depth, so each horizontal run of cells is extruded to half a superellipse.
 */
export interface Slabs {
  /** Cells of the silhouette to one of the slabs' unit. */
  readonly cells: number;
  readonly column: Float32Array;
  readonly height: Float32Array;
  readonly near: Float32Array;
  readonly far: Float32Array;
  readonly count: number;
}

/** An outline and its ground line, in units of `cells` cells of the silhouette that was made of the matte. */
export interface Outline {
  readonly silhouette: Pick<Silhouette, "left" | "right" | "top" | "bottom" | "width" | "height" | "inside">;
  readonly ground: Pick<Ground, "groundRow" | "baseRow">;
  readonly cells: number;
  /** How tall a low upright cylinder is, in these units. */
  readonly discTall?: number;
}

/** The same outline with cells twice as wide: where at least half of a cell is inside, and one column of thin parts stays. */
export function halveOutline({ silhouette, ground, cells, discTall }: Outline): Outline {
  const { inside, width, height } = silhouette;
  const across = Math.ceil(width / 2);
  const down = Math.ceil(height / 2);
  const halved = new Uint8Array(across * down);
  for (let y = 0; y < down; y++) {
    const upper = 2 * y * width;
    const lower = Math.min(height - 1, 2 * y + 1) * width;
    for (let x = 0; x < across; x++) {
      const left = 2 * x;
      const right = Math.min(width - 1, left + 1);
      const covered = inside[upper + left]! + inside[upper + right]! + inside[lower + left]! + inside[lower + right]!;
      halved[y * across + x] = covered >= 2 ? 1 : 0;
    }
  }
  const groundRow = new Float32Array(across);
  for (let x = 0; x < across; x++) {
    groundRow[x] = (ground.groundRow[2 * x]! + ground.groundRow[Math.min(width - 1, 2 * x + 1)]!) / 4;
  }
  const bounds = {
    left: Math.floor(silhouette.left / 2),
    right: Math.ceil(silhouette.right / 2),
    top: Math.floor(silhouette.top / 2),
    bottom: Math.ceil(silhouette.bottom / 2),
  };
  return {
    silhouette: { ...bounds, width: across, height: down, inside: halved },
    ground: { groundRow, baseRow: ground.baseRow / 2 },
    cells: 2 * cells,
    discTall: discTall && discTall / 2,
  };
}

export function extrudeSilhouette(
  { silhouette, ground, cells, discTall }: Outline,
  pitch: number,
  heightMax = Number.POSITIVE_INFINITY,
): Slabs {
  const { left, right, top, bottom, width, inside } = silhouette;
  const countMax = (right - left) * (bottom - top);
  const slabs = {
    cells,
    column: new Float32Array(countMax),
    height: new Float32Array(countMax),
    near: new Float32Array(countMax),
    far: new Float32Array(countMax),
    count: 0,
  };
  const depthMax = Math.max(1, depthShareMax * Math.min(right - left, bottom - top));
  // A camera that looks down sees heights shortened.
  const cosine = Math.sqrt(1 - pitch ** 2);
  // All that is higher in the image than a disc's side is its upper face, and as deep as the disc is wide.
  const highest = discTall === undefined ? heightMax : Math.min(heightMax, discTall / cosine);
  const across = right - left;
  const tallness = verticalRuns(inside, width, { left, right, top, bottom });
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (inside[y * width + x] === 0) continue;
      let end = x;
      while (end < right && inside[y * width + end] === 1) end++;
      const half = (end - x) / 2;
      for (let column = x; column < end; column++) {
        const aside = (column + 0.5 - x) / half - 1;
        const height = (ground.groundRow[column]! - (y + 1)) / cosine;
        if (height < -2 || height > highest) continue;
        // It shows its depth, foreshortened: what is low and long, as a cable or a brim, is as deep as it looks and no deeper.
        const deepest = Math.min(2 * half, depthMax, tallness[y * width + column]! / pitch);
        const depth =
          discTall === undefined
            ? Math.max(1, deepest * Math.sqrt(Math.max(0, 1 - aside ** 4)))
            : Math.max(1, across * Math.sqrt(Math.max(0, 1 - ((2 * (column + 0.5 - left)) / across - 1) ** 2)));
        const near = (ground.baseRow - ground.groundRow[column]!) / pitch;
        const at = slabs.count++;
        slabs.column[at] = column;
        slabs.height[at] = Math.max(0, height);
        slabs.near[at] = near;
        slabs.far[at] = near + depth;
      }
      x = end;
    }
  }
  return slabs;
}

/** For each cell of the outline, how many cells high it is there without a gap. */
function verticalRuns(
  inside: Uint8Array,
  width: number,
  { left, right, top, bottom }: Pick<Silhouette, "left" | "right" | "top" | "bottom">,
): Uint16Array {
  const runs = new Uint16Array(bottom * width);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = y * width + x;
      if (inside[at] === 1) runs[at] = 1 + (y > top ? runs[at - width]! : 0);
    }
  }
  for (let y = bottom - 2; y >= top; y--) {
    for (let x = left; x < right; x++) {
      const at = y * width + x;
      if (inside[at] === 1 && inside[at + width] === 1) runs[at] = runs[at + width]!;
    }
  }
  return runs;
}

/** The slabs of several outlines of the same cells. */
export function joinSlabs(all: readonly Slabs[]): Slabs {
  const [first] = all;
  if (all.length === 1) return first!;
  const joined = (plane: "column" | "height" | "near" | "far") =>
    Float32Array.from(all.flatMap((slabs) => Array.from(slabs[plane].subarray(0, slabs.count))));
  return {
    cells: first!.cells,
    column: joined("column"),
    height: joined("height"),
    near: joined("near"),
    far: joined("far"),
    count: all.reduce((sum, { count }) => sum + count, 0),
  };
}

/**
 * Averages hard shadows over the rays. Penumbrae that widen with height, dark contacts and ambient shadows under low
 * parts follow from that without special rules.
 */
export function computeOcclusion(slabs: Slabs, rays: Rays, bounds: OcclusionBounds): OcclusionMap {
  const { cells } = slabs;
  const depthStep = cellsPerDepth * cells;
  const width = Math.max(1, Math.ceil((bounds.right - bounds.left) / cells));
  const depth = Math.max(1, Math.ceil((bounds.far - bounds.near) / depthStep));
  const origin = { x: bounds.left / cells, z: bounds.near / depthStep };
  const occlusion = inKernelMemory(() => countHits(slabs, rays, width, depth, origin));
  return { width, cells, depth, depthStep, originX: bounds.left, originZ: bounds.near, occlusion };
}

/** Columns of the ground that the kernel takes at once. */
const blockColumns = 8;

function countHits(
  slabs: Slabs,
  rays: Rays,
  width: number,
  depth: number,
  origin: { readonly x: number; readonly z: number },
): Float32Array<ArrayBuffer> {
  const blockPlaces = (depth + 1) * blockColumns;
  const places = Math.ceil(width / blockColumns) * blockPlaces;
  const edges = kernelShorts(places + 1).fill(0);
  const hits = kernelShorts(places).fill(0);
  const used = (plane: Float32Array) => addressOf(plane.subarray(0, slabs.count));
  const column = used(slabs.column);
  const height = used(slabs.height);
  const near = used(slabs.near.map((place) => place / cellsPerDepth));
  const far = used(slabs.far.map((place) => place / cellsPerDepth));
  const count = rays.x.length;
  for (let ray = 0; ray < count; ray++) {
    kernels.countCovered(
      column,
      height,
      near,
      far,
      slabs.count,
      rays.x[ray]!,
      rays.z[ray]! / cellsPerDepth,
      // Each ray samples the grid with another offset inside a cell, so that the average has no aliasing steps.
      ((ray * 0.7548776662) % 1) - origin.x,
      ((ray * 0.569840291) % 1) - origin.z,
      width,
      depth,
      edges.byteOffset,
      hits.byteOffset,
    );
  }
  const occlusion = new Float32Array(width * depth);
  for (let x = 0; x < width; x++) {
    const from = Math.floor(x / blockColumns) * blockPlaces + (x % blockColumns);
    for (let z = 0; z < depth; z++) occlusion[z * width + x] = hits[from + z * blockColumns]! / count;
  }
  return occlusion;
}
