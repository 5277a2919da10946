/**
 * Removes what only shades a plain backdrop: hard shadows, reflections and lit cloth
 * (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumPerComponent,
} from "../../pixels/connected-components.ts";
import {
  copyMask,
  dilate,
  emptyMask,
  erode,
  isAnyNear,
  listMarks,
  onlyMarks,
  withoutMarks,
} from "../../pixels/morphology.ts";
import { mixedCells } from "../alpha/edge-colors.ts";
import { type BackdropEvidence, darknessMax } from "../evidence/measure-backdrop.ts";
import { priorFrom, type WorkGrid } from "../evidence/work-grid.ts";

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
  const sure = priorFrom(grid, deniedPriorMax);
  const denied = withoutMarks(mask, dilate(sure, grid, rim));
  const parts = labelComponents(denied, grid);
  const isThing = findThings(parts, () => erode(denied, grid, rim), evidence);
  const shades = emptyMask(grid);
  fillComponents(shades, parts, 1, (label) => !isThing[label]);
  const around = withoutMarks(onlyMarks(mask, dilate(shades, grid, rim + 1)), sure);
  const removed = listMarks(around).filter((i) => evidence.tintAt(i) < tintMin);
  const out = copyMask(mask);
  for (const i of removed) out[i] = 0;
  const mixed = removed.filter((i) => isAnyNear(i, mixedCells, grid, (at) => out[at] === 1));
  for (const i of mixed) out[i] = 1;
  return out;
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
