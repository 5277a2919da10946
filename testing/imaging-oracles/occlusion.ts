/** `computeOcclusion` in plain TypeScript: every ray marks where each column of its shadow begins and ends. */

import type { Rays } from "../../services/inference/imaging/shadow/light.ts";
import {
  cellsPerDepth,
  type OcclusionBounds,
  type OcclusionMap,
  type Slabs,
} from "../../services/inference/imaging/shadow/occlusion.ts";

export function computeOcclusion(slabs: Slabs, rays: Rays, bounds: OcclusionBounds): OcclusionMap {
  const { cells } = slabs;
  const depthStep = cellsPerDepth * cells;
  const width = Math.max(1, Math.ceil((bounds.right - bounds.left) / cells));
  const depth = Math.max(1, Math.ceil((bounds.far - bounds.near) / depthStep));
  const stride = depth + 1;
  const hits = new Uint32Array(width * depth);
  const count = rays.x.length;
  for (let ray = 0; ray < count; ray++) {
    const edges = new Int32Array(width * stride);
    const fromX = ((ray * 0.7548776662) % 1) - bounds.left / cells;
    const fromZ = ((ray * 0.569840291) % 1) - bounds.near / depthStep;
    for (let i = 0; i < slabs.count; i++) {
      const h = slabs.height[i]!;
      const x = Math.floor(slabs.column[i]! + rays.x[ray]! * h + fromX);
      if (x < 0 || x >= width) continue;
      const shift = (rays.z[ray]! / cellsPerDepth) * h + fromZ;
      const from = Math.max(0, Math.floor(slabs.near[i]! / cellsPerDepth + shift));
      const to = Math.min(depth, Math.floor(slabs.far[i]! / cellsPerDepth + shift) + 1);
      if (to <= 0 || from >= depth) continue;
      edges[x * stride + from]!++;
      edges[x * stride + to]!--;
    }
    for (let x = 0; x < width; x++) {
      let open = 0;
      for (let z = 0; z < depth; z++) {
        open += edges[x * stride + z]!;
        if (open > 0) hits[z * width + x]!++;
      }
    }
  }
  const occlusion = Float32Array.from(hits, (value) => value / count);
  return { width, cells, depth, depthStep, originX: bounds.left, originZ: bounds.near, occlusion };
}
