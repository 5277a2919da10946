import type { Rays } from "./light.ts";
import type { Silhouette } from "./silhouette.ts";
import type { Ground } from "./ground.ts";

/** Occlusion of a patch of ground, seen from above: the share of a light that the product blocks from each point. */
export interface OcclusionMap {
  /** Cells to the right; one is as wide as a cell of the silhouette. */
  readonly width: number;
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

const depthStep = 2;
/** A product's assumed depth is at most this share of its shorter side. */
const depthShareMax = 0.62;

/**
 * The product as slabs: each cell of the outline, `height` above the ground, extends in depth from `near` to `far`. A
 * photo shows no depth, so each horizontal run of cells is extruded to half a superellipse.
 */
export interface Slabs {
  readonly column: Float32Array;
  readonly height: Float32Array;
  readonly near: Float32Array;
  readonly far: Float32Array;
  readonly count: number;
}

export function extrudeSilhouette(
  silhouette: Silhouette,
  ground: Ground,
  pitch: number,
  heightMax = Number.POSITIVE_INFINITY,
): Slabs {
  const { left, right, top, bottom, width, inside } = silhouette;
  const countMax = (right - left) * (bottom - top);
  const slabs = {
    column: new Float32Array(countMax),
    height: new Float32Array(countMax),
    near: new Float32Array(countMax),
    far: new Float32Array(countMax),
    count: 0,
  };
  const depthMax = Math.max(1, depthShareMax * Math.min(right - left, bottom - top));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (inside[y * width + x] === 0) continue;
      let end = x;
      while (end < right && inside[y * width + end] === 1) end++;
      const half = (end - x) / 2;
      for (let column = x; column < end; column++) {
        const aside = (column + 0.5 - x) / half - 1;
        const height = ground.groundRow[column]! - (y + 1);
        if (height < -2 || height > heightMax) continue;
        const depth = Math.max(1, Math.min(2 * half, depthMax) * Math.sqrt(Math.max(0, 1 - aside ** 4)));
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

/**
 * Averages hard shadows over the rays. Penumbrae that widen with height, dark contacts and ambient shadows under low
 * parts follow from that without special rules.
 */
export function computeOcclusion(slabs: Slabs, rays: Rays, bounds: OcclusionBounds): OcclusionMap {
  const width = Math.max(1, Math.ceil(bounds.right - bounds.left));
  const depth = Math.max(1, Math.ceil((bounds.far - bounds.near) / depthStep));
  const stride = depth + 1;
  const edges = new Int16Array(width * stride);
  const hits = new Uint16Array(width * depth);
  const count = rays.x.length;
  for (let ray = 0; ray < count; ray++) {
    // Each ray samples the grid with another offset inside a cell, so that the average has no aliasing steps.
    const jitterX = ((ray * 0.7548776662) % 1) - bounds.left;
    const jitterZ = ((ray * 0.569840291) % 1) - bounds.near / depthStep;
    markSlabEdges(slabs, rays.x[ray]!, rays.z[ray]!, jitterX, jitterZ, edges, width, depth);
    for (let column = 0; column < width; column++) {
      let open = 0;
      const from = column * stride;
      for (let z = 0; z < depth; z++) {
        const edge = edges[from + z]!;
        if (edge !== 0) {
          open += edge;
          edges[from + z] = 0;
        }
        if (open > 0) hits[z * width + column]!++;
      }
      edges[from + depth] = 0;
    }
  }
  const occlusion = new Float32Array(width * depth);
  for (let i = 0; i < occlusion.length; i++) occlusion[i] = hits[i]! / count;
  return { width, depth, depthStep, originX: bounds.left, originZ: bounds.near, occlusion };
}

function markSlabEdges(
  slabs: Slabs,
  slopeX: number,
  slopeZ: number,
  jitterX: number,
  jitterZ: number,
  edges: Int16Array,
  width: number,
  depth: number,
): void {
  const { column, height, near, far, count } = slabs;
  const stride = depth + 1;
  const stepShare = 1 / depthStep;
  for (let i = 0; i < count; i++) {
    const h = height[i]!;
    const x = Math.floor(column[i]! + slopeX * h + jitterX);
    if (x < 0 || x >= width) continue;
    const shift = slopeZ * h * stepShare + jitterZ;
    let from = Math.floor(near[i]! * stepShare + shift);
    let to = Math.floor(far[i]! * stepShare + shift) + 1;
    if (to <= 0 || from >= depth) continue;
    if (from < 0) from = 0;
    if (to > depth) to = depth;
    edges[x * stride + from]!++;
    edges[x * stride + to]!--;
  }
}
