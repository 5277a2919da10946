/**
 * What belongs to the product where the photo stands on a plain backdrop: all that differs from the backdrop, without
 * the shadow on it; the network tells which of the rest is product that merely looks like backdrop.
 */

import { type Backdrop, backdropAlongRow } from "./backdrop.ts";
import { dilate, erode, inverted, type Regions, regionsOf } from "./regions.ts";
import { atLeast, type WorkGrid } from "./work-grid.ts";

/** A backdrop is plain when three quarters of what the network calls background lie within this Lab distance. */
const plainDistanceMax = 1.5;
/** Lab distances below are noise, JPEG's included, on any photo. */
const distanceMin = 2;

export interface BackdropEvidence {
  /** Lab distance of each cell to the backdrop. */
  readonly distance: Float32Array;
  /** Lightness above the backdrop's; negative: darker. */
  readonly lighter: Float32Array;
  /** Above this a cell differs from the backdrop. */
  readonly threshold: number;
  /** Lab distance within which three quarters of the bare backdrop lie. */
  readonly noise: number;
  readonly plain: boolean;
}

export function weighBackdrop(grid: WorkGrid, backdrop: Backdrop): BackdropEvidence {
  const count = grid.width * grid.height;
  const fit = new Float32Array(3 * grid.width);
  const distance = new Float32Array(count);
  const lighter = new Float32Array(count);
  const all = { bins: new Uint32Array(1024), total: 0 };
  const unshadowed = { bins: new Uint32Array(1024), total: 0 };
  for (let y = 0, i = 0; y < grid.height; y++) {
    backdropAlongRow(backdrop, (y + 0.5) / grid.height, fit);
    for (let at = 0; at < fit.length; at += 3, i++) {
      const dl = grid.lab[i * 3]! - fit[at]!;
      const da = grid.lab[i * 3 + 1]! - fit[at + 1]!;
      const db = grid.lab[i * 3 + 2]! - fit[at + 2]!;
      lighter[i] = dl;
      distance[i] = Math.sqrt(dl * dl + da * da + db * db);
      if (grid.prior[i]! > 0.03) continue;
      const bin = Math.min(1023, (distance[i]! * 10) | 0);
      all.bins[bin]!++;
      all.total++;
      if (dl < 0) continue;
      unshadowed.bins[bin]!++;
      unshadowed.total++;
    }
  }
  const spread = quantile(all.bins, all.total, 0.75) / 10;
  const plain = all.total > count * 0.05 && spread <= plainDistanceMax && backdrop.residual <= plainDistanceMax;
  // A shadow makes the backdrop darker, never lighter: the lighter half shows its noise alone.
  const isEnough = unshadowed.total > 0.1 * all.total;
  const noise = isEnough ? Math.min(spread, quantile(unshadowed.bins, unshadowed.total, 0.75) / 10) : spread;
  return { distance, lighter, plain, noise, threshold: Math.max(distanceMin, 4 * noise) };
}

function quantile(histogram: Uint32Array, total: number, share: number): number {
  let seen = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    seen += histogram[bin]!;
    if (seen >= total * share) return bin;
  }
  return histogram.length - 1;
}

/** 1 where the product is, on the grid. */
export function regionOnBackdrop(grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const differs = differing(grid, evidence);
  const supported = keepSupported(withoutCrumbs(differs, grid, evidence), grid);
  return withLookalikes(supported, grid, evidence);
}

/** Cells that differ from the backdrop and are no shadow on it. */
function differing(grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const { distance, threshold } = evidence;
  const shadow = shadowOnBackdrop(grid, evidence);
  const mask = atLeast(distance, threshold);
  for (let i = 0; i < mask.length; i++) mask[i]! &= 1 - shadow[i]!;
  return mask;
}

/**
 * A shadow is the backdrop's own colour, darker, and one walks into it from the bare backdrop without crossing an
 * edge. Around grey and black product parts there is an edge, so they stay whole even where the network misses them.
 */
function shadowOnBackdrop(grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const { width, height, prior } = grid;
  const { distance, lighter, threshold } = evidence;
  const count = width * height;
  const shadow = new Uint8Array(count);
  const queue = new Int32Array(count);
  let tail = 0;
  const isBare = (i: number) => distance[i]! <= threshold;
  const enter = (from: number, to: number) => {
    if (shadow[to] === 1 || isBare(to)) return;
    const darkness = -lighter[to]!;
    if (darkness <= 0 || darkness > darknessMax || prior[to]! >= 0.5) return;
    const tintSquared = distance[to]! ** 2 - darkness ** 2;
    if (tintSquared > Math.max(threshold, 0.25 * darkness) ** 2) return;
    // A penumbra darkens gradually, ever faster towards the contact.
    if (Math.abs(lighter[to]! - lighter[from]!) > Math.max(slopeMax, 0.1 * darkness)) return;
    shadow[to] = 1;
    queue[tail++] = to;
  };
  for (let at = 0; at < count; at++) {
    if (isBare(at)) continue;
    const x = at % width;
    if (x > 0 && isBare(at - 1)) enter(at - 1, at);
    if (x < width - 1 && isBare(at + 1)) enter(at + 1, at);
    if (at >= width && isBare(at - width)) enter(at - width, at);
    if (at < count - width && isBare(at + width)) enter(at + width, at);
  }
  for (let head = 0; head < tail; head++) {
    const at = queue[head]!;
    const x = at % width;
    if (x > 0) enter(at, at - 1);
    if (x < width - 1) enter(at, at + 1);
    if (at >= width) enter(at, at - width);
    if (at < count - width) enter(at, at + width);
  }
  return shadow;
}

/** Lightness that a shadow takes at most, and between two neighbouring cells. */
const darknessMax = 60;
const slopeMax = 2.5;

/** What differs by less than so many times the noise may be colour that the JPEG or the product itself has spilled. */
const spillPerNoise = 16;
/** Share of the picture up to which a spill is a crumb; what is larger may be a pale part of the product. */
const crumbShareMax = 0.0002;

const crumbPriorMax = 0.1;

/** Drops small spills at the product's rim: they differ little, the network sees nothing, and no strong cell is near. */
function withoutCrumbs(mask: Uint8Array, grid: WorkGrid, { distance, noise }: BackdropEvidence): Uint8Array {
  const weak = spillPerNoise * noise;
  const strong = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) if (distance[i]! > weak || grid.prior[i]! >= 0.5) strong[i] = mask[i]!;
  const apart = dilate(strong, grid, 1);
  for (let i = 0; i < mask.length; i++) apart[i] = mask[i]! & (1 - apart[i]!);
  const { labels, sizes } = regionsOf(apart, grid);
  const most = crumbShareMax * mask.length;
  const priors = new Float64Array(sizes.length);
  for (let i = 0; i < labels.length; i++) if (labels[i] !== 0) priors[labels[i]!]! += grid.prior[i]!;
  const isCrumb = sizes.map((size, label) => label > 0 && size <= most && priors[label]! < crumbPriorMax * size);
  const out = mask.slice();
  for (let i = 0; i < out.length; i++) if (isCrumb[labels[i]!]) out[i] = 0;
  return out;
}

/** Keeps the regions that the network supports somewhere; dust, text and shadow rims go. */
function keepSupported(mask: Uint8Array, grid: WorkGrid): Uint8Array {
  const { labels, sizes } = regionsOf(mask, grid);
  const support = new Float64Array(sizes.length);
  for (let i = 0; i < mask.length; i++) {
    if (labels[i]! > 0) support[labels[i]!]! += grid.prior[i]!;
  }
  const least = Math.max(4, grid.width * grid.height * 0.00002);
  const isKept = sizes.map((size, label) => size >= least && support[label]! / size > 0.15);
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < out.length; i++) if (labels[i] !== 0 && isKept[labels[i]!]) out[i] = 1;
  return out;
}

/** Adds what looks like backdrop but is product: enclosed or thick parts that the network is sure of, holes excepted. */
function withLookalikes(mask: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const lookalike = new Uint8Array(mask.length);
  const either = mask.slice();
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 1 || grid.prior[i]! <= 0.5) continue;
    lookalike[i] = 1;
    either[i] = 1;
  }
  // The network's edge is off by a pixel of its own or two: a rim of that width says nothing.
  const rim = Math.ceil(2 * grid.priorCell);
  const core = erode(either, grid, rim);
  for (let i = 0; i < core.length; i++) core[i]! &= lookalike[i]!;
  const thick = dilate(core, grid, rim);
  const empty = inverted(mask);
  const regions = regionsOf(empty, grid);
  const { labels, atBorder } = regions;
  const holes = trueHoles(regions, empty, grid, evidence);
  const out = mask.slice();
  for (let i = 0; i < out.length; i++) {
    const label = labels[i]!;
    if (label === 0) continue;
    if (atBorder[label]) {
      // Open to the outside and the backdrop's very colour: only a network that is sure outweighs that.
      if (thick[i]! & lookalike[i]! && (grid.prior[i]! > 0.9 || evidence.distance[i]! > evidence.threshold / 4))
        out[i] = 1;
    } else if (!holes[label]) out[i] = 1;
  }
  return out;
}

/** Whether each enclosed empty region is backdrop seen through the product. */
function trueHoles(
  { labels, sizes, atBorder }: Regions,
  empty: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence,
) {
  const { distance, threshold } = evidence;
  const count = sizes.length;
  const distances = new Float64Array(count);
  const priors = new Float64Array(count);
  const cores = new Float64Array(count);
  const rims = new Float64Array(count);
  const sharp = new Float64Array(count);
  const core = erode(empty, grid, 1);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label === 0 || atBorder[label]) continue;
    if (core[i] === 0) {
      rims[label]!++;
      if (distanceBeside(i, distance, grid.width) > 4 * threshold) sharp[label]!++;
      continue;
    }
    cores[label]!++;
    distances[label]! += distance[i]!;
    priors[label]! += grid.prior[i]!;
  }
  const least = grid.width * grid.height * 0.00005;
  return sizes.map((size, label) => {
    if (label === 0 || atBorder[label] || size < least || cores[label] === 0) return false;
    const meanDistance = distances[label]! / cores[label]!;
    const meanPrior = priors[label]! / cores[label]!;
    // Bare backdrop that the network, too, calls background; or a sharp rim around what one of the two says is empty.
    const bare = meanDistance < threshold / 2;
    if (bare && meanPrior < 0.3) return true;
    return (bare || meanPrior < 0.3) && sharp[label]! > 0.6 * rims[label]!;
  });
}

/** The largest distance a few cells away: product sets in sharply around a hole, not around a highlight. */
function distanceBeside(i: number, distance: Float32Array, width: number): number {
  const reach = 3;
  let most = 0;
  for (const step of [-reach, reach, -reach * width, reach * width]) {
    const to = i + step;
    if (to >= 0 && to < distance.length && distance[to]! > most) most = distance[to]!;
  }
  return most;
}
