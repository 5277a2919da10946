/**
 * Things on a backdrop that the network misses: of a set it may see the main part alone. They stand by themselves, as no shadow
 * or reflection of a product does that it sees.
 */

import { fillComponents, labelComponents, runStride, sumOverSome } from "../../pixels/connected-components.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import { priorFrom, type WorkGrid } from "../evidence/work-grid.ts";

/** Smaller things, as a share of the photo, are dust or text unless the network sees product in them. */
const thingShareMin = 0.0003;
/** A thing differs from the backdrop by at least so much on average, in Lab. */
const thingDistanceMin = 8;
/** Along most of its rim it has an edge: so large a change of the distance within three cells, in Lab. */
const edgeShareMin = 0.75;
const edgeStepMin = 10;
const edgeCells = 3;
/** A JPEG's blocks spill a thing's color so many cells over its edge. */
const spillReach = 8;
/** From this prior on, the network sees product in a cell. */
const seenPriorMin = 0.5;

/**
 * @param region 1 where the product is; the things are added to it
 * @param mask the cells that differ from the backdrop, of `cellsOffBackdrop`
 */
export function addUnseenThings(
  region: Uint8Array,
  mask: Uint8Array,
  grid: WorkGrid,
  { distance }: BackdropEvidence,
): void {
  const components = labelComponents(mask, grid);
  const { runs, sizes, atBorder } = components;
  // Few components may be things: most cells are those of the product, which the network sees.
  const mayBe = sizes.map((size, label) => size >= thingShareMin * mask.length && !atBorder[label]);
  const seen = sumOverSome(components, priorFrom(grid, seenPriorMin), (label) => mayBe[label]!);
  const isUnseen = mayBe.map((may, label) => may && seen[label] === 0);
  if (!isUnseen.includes(true)) return;
  const distances = sumOverSome(components, distance, (label) => isUnseen[label]!);
  const rims = new Float64Array(sizes.length);
  const edges = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!isUnseen[label]) continue;
    const first = runs[at]!;
    const last = runs[at + 1]! - 1;
    rims[label]! += 2;
    const end = Math.min(last, first + spillReach);
    if (hasEdge(distance, first - edgeCells, end)) edges[label]!++;
    if (hasEdge(distance, Math.max(first, last - spillReach), last + edgeCells)) edges[label]!++;
  }
  const isThing = sizes.map(
    (size, label) =>
      isUnseen[label]! && distances[label]! > thingDistanceMin * size && edges[label]! > edgeShareMin * rims[label]!,
  );
  fillComponents(region, components, 1, (label) => isThing[label]!);
}

function hasEdge(distance: Float32Array, from: number, to: number): boolean {
  for (let i = Math.max(0, from); i + edgeCells <= to; i++) {
    if (Math.abs(distance[i + edgeCells]! - distance[i]!) > edgeStepMin) return true;
  }
  return false;
}
