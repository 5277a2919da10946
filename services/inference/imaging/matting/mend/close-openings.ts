/**
 * Closes the enclosed openings for which the evidence of ground behind them is too weak (docs/adr/0044-reasons-for-openings.md).
 * A hole torn into a product is worse than an opening that stays filled: the first destroys what is sold.
 */

import { fillComponents, labelComponents } from "../../pixels/connected-components.ts";
import type { Box, Point } from "../../pixels/geometry.ts";
import { invertMask } from "../../pixels/morphology.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { PriorViews } from "../evidence/prior.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { describeOpenings, measureOpening, type OpeningScene, openingFeatureNames } from "./opening-features.ts";
import {
  closedBelow,
  featureMean,
  featureSpread,
  hiddenWeights,
  openWeights,
  surelyClosedBelow,
} from "./opening-weights.ts";

/** The report names so many at most, the largest ones. */
const namedMax = 5;

/** An opening that was filled, in cells of the grid or in pixels. */
export interface ClosedOpening {
  readonly box: Box;
  /** One of its cells or pixels. */
  readonly inside: Point;
}

/**
 * @param region 1 where the product is; the openings without evidence are added to it
 * @param views both predictions, where there were two
 * @returns the closed openings that may be open all the same, the largest first, in cells
 */
export function closeDoubtfulOpenings(
  region: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence | undefined,
  views: PriorViews | undefined,
): readonly ClosedOpening[] {
  const scene = describeOpenings(region, grid, evidence, views);
  if (scene === undefined) return [];
  const odds = new Map([...scene.runsOf.keys()].map((label) => [label, oddsOf(measureOpening(scene, label))]));
  const isClosed = (label: number) => (odds.get(label) ?? 1) < closedBelow;
  fillComponents(region, scene.gaps, 1, isClosed);
  const isNamed = (label: number) => isClosed(label) && odds.get(label)! >= surelyClosedBelow;
  // They are listed from the largest on.
  return [...odds.keys()]
    .filter(isNamed)
    .slice(0, namedMax)
    .map((label) => ({ box: scene.boxes.get(label)!, inside: cellInside(scene, label) }));
}

/** The middle of the longest run. */
function cellInside({ gaps: { runs }, runsOf, grid: { width } }: OpeningScene, label: number): Point {
  const lengthOf = (at: number) => runs[at + 1]! - runs[at]!;
  const longest = runsOf.get(label)!.reduce((best, at) => (lengthOf(at) > lengthOf(best) ? at : best));
  const cell = (runs[longest]! + runs[longest + 1]!) >> 1;
  return { x: cell % width, y: Math.floor(cell / width) };
}

/**
 * Where an opening shows ground for sure, at least so much of it has the ground's colors, and so much of its rim is an edge and a
 * band beyond which the ground goes on.
 */
const groundShareMin = 0.85;
const groundEdgeMin = 0.9;
const groundBandMin = 0.5;

const groundShareAt = openingFeatureNames.indexOf("likeGround");
const groundDistanceAt = openingFeatureNames.indexOf("groundDistance");
const productDistanceAt = openingFeatureNames.indexOf("productDistance");
const bandAt = openingFeatureNames.indexOf("bandToGround");
const edgeShareAt = openingFeatureNames.indexOf("edgeShare");

/** A handle's opening with the ground's colors is open whatever the network says. */
function oddsOf(features: readonly number[]): number {
  const showsGround =
    features[groundShareAt]! >= groundShareMin &&
    features[edgeShareAt]! >= groundEdgeMin &&
    features[bandAt]! >= groundBandMin &&
    features[groundDistanceAt]! < features[productDistanceAt]!;
  return showsGround ? 1 : openingOdds(features);
}

/** Standardized features beyond this are as far as they were while fitting. */
const standardMax = 3;

/** The probability that a gap with these features is open to the ground. */
function openingOdds(features: readonly number[]): number {
  const inputs = features.map((value, n) =>
    Math.min(standardMax, Math.max(-standardMax, (value - featureMean[n]!) / featureSpread[n]!)),
  );
  inputs.push(1);
  const hidden = hiddenWeights.map((weights) => Math.tanh(dot(weights, inputs)));
  hidden.push(1);
  return 1 / (1 + Math.exp(-dot(openWeights, hidden)));
}

function dot(weights: readonly number[], values: readonly number[]): number {
  let sum = 0;
  for (const [n, weight] of weights.entries()) sum += weight * values[n]!;
  return sum;
}

/** As a share of the product. */
const tinyShareMax = 1e-4;
/** So many openings of up to twice that share are a mesh; those of one or two cells are noise. */
const meshCountMin = 12;
const meshCellsMin = 3;

/**
 * Closes openings that are too small to be judged by what they show. Few of them are open: most are specks in which a body has the
 * ground's color. Where there are many, they are a mesh, a comb or lace, and stay.
 *
 * @param region 1 where the product is; the openings are added to it
 */
export function closeTinyOpenings(region: Uint8Array, grid: WorkGrid): void {
  const gaps = labelComponents(invertMask(region), grid);
  const enclosed = gaps.sizes.map((size, label) => (label > 0 && !gaps.atBorder[label] ? size : 0));
  const productCells = gaps.sizes.reduce((cells, size) => cells - size, region.length);
  const largest = tinyShareMax * productCells;
  const ofMesh = enclosed.filter((size) => size >= meshCellsMin && size <= 2 * largest);
  if (ofMesh.length >= meshCountMin) return;
  fillComponents(region, gaps, 1, (label) => enclosed[label]! > 0 && enclosed[label]! <= largest);
}
