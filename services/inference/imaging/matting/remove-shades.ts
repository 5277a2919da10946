/**
 * Removes what only shades a plain backdrop: hard shadows, reflections and lit cloth
 * (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import { type Components, labelComponents, runStride, sumPerComponent } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import { dilate, erode, isAnyNear } from "../pixels/morphology.ts";
import { mixedCells } from "./edge-colors.ts";
import { type BackdropEvidence, darknessMax } from "./measure-backdrop.ts";
import { thresholdPlane, type WorkGrid } from "./work-grid.ts";

/** Up to this prior the network is sure that there is no product. */
const deniedPriorMax = 0.1;
/** From this Lab distance in a and b on, a thing has a color of its own: no shadow, reflection or spill has it. */
const tintMin = 20;
/** From this mean change of the Lab distance between neighbors on, a thing has details, as a cable has; a shade is smooth. */
const stepMin = 1.5;
/** Beyond this Lab distance, a thing too thin for the network, such as a strap, is no spill. */
const strongDistanceMin = 30;
/** At most this share of a thin thing is left when its rim is taken away: the joints of bars are thicker than bars. */
const thinShareMax = 0.3;

/**
 * Removes shades where the network is sure of no product. Beside them the edge is the network's, but for the cells that
 * mix both sides.
 *
 * @param mask 1 where the photo differs from the backdrop, on the grid
 */
export function removeShades(mask: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  // The network's edge is accurate to one or two pixels of its output.
  const rim = Math.ceil(2 * grid.networkPixel);
  const near = dilate(thresholdPlane(grid.prior, deniedPriorMax), grid, rim);
  const denied = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) denied[i] = mask[i]! & ~near[i]!;
  const parts = labelComponents(denied, grid);
  const isThing = findThings(parts, () => erode(denied, grid, rim), evidence);
  const isShade = (i: number) => grid.prior[i]! < deniedPriorMax && evidence.tintAt(i) < tintMin;
  const out = mask.slice();
  const removed: number[] = [];
  forCellsAround(parts, rim + 1, grid, isThing, (i) => {
    if (out[i] === 0 || !isShade(i)) return;
    out[i] = 0;
    removed.push(i);
  });
  const mixed = removed.filter((i) => isAnyNear(i, mixedCells, grid, (at) => out[at] === 1));
  for (const i of mixed) out[i] = 1;
  return out;
}

/** Calls `visit` for the cells up to `reach` away from the runs of the components that are not left out, once or more. */
function forCellsAround(
  { runs }: Components,
  reach: number,
  { width, height }: Size,
  isLeftOut: readonly boolean[],
  visit: (cell: number) => void,
): void {
  for (let at = 0; at < runs.length; at += runStride) {
    if (isLeftOut[runs[at + 2]!]) continue;
    const y = Math.floor(runs[at]! / width);
    const left = Math.max(0, runs[at]! - y * width - reach);
    const right = Math.min(width, runs[at + 1]! - y * width + reach);
    for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++) {
      for (let i = row * width + left; i < row * width + right; i++) visit(i);
    }
  }
}

/**
 * @param core the cells of the parts that are left when their rims are taken away
 * @returns by label, whether a part has a color or details of its own, or differs more from the backdrop than a shade does
 */
function findThings({ runs, sizes }: Components, core: () => Uint8Array, evidence: BackdropEvidence): boolean[] {
  const tints = new Float64Array(sizes.length);
  const distances = new Float64Array(sizes.length);
  const steps = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      if (i > runs[at]!) steps[label]! += Math.abs(evidence.distance[i]! - evidence.distance[i - 1]!);
      tints[label]! += evidence.tintAt(i);
      distances[label]! += evidence.distance[i]!;
    }
  }
  const isThing = sizes.map(
    (size, label) =>
      distances[label]! > darknessMax * size || tints[label]! >= tintMin * size || steps[label]! >= stepMin * size,
  );
  const isStrong = sizes.map((size, label) => !isThing[label] && distances[label]! > strongDistanceMin * size);
  // Few photos have a strong part that may be thin.
  if (!isStrong.includes(true)) return isThing;
  const cores = sumPerComponent({ runs, sizes, atBorder: [] }, Float32Array.from(core()));
  return isThing.map((is, label) => is || (isStrong[label]! && cores[label]! <= thinShareMax * sizes[label]!));
}
