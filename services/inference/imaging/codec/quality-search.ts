/**
 * Searches the quality at which a file has at most so many bytes. Over a usual picture's curve, the logarithm of a picture's size is
 * nearly a straight line: the first guess takes that of usual pictures, the next ones that of the picture's own sizes. A spec
 * measures on photos how near it comes.
 */

import type { OutputFormat } from "@packshot/domain/edits/tools.ts";

export type LossyFormat = Exclude<OutputFormat, "png">;

/** Below it a picture is no product photo any more. */
export const qualityMin = 10;
export const encodingsMax = 4;
/** A file this near to the limit is good enough. */
const nearShare = 0.97;
/** Where guesses aim; while nothing fits yet, the lower the further the nearest size is from the limit. */
const aimedShare = 0.986;
const caution = 0.1;
/** Where the last one aims while nothing fits. */
const lastAimedShare = 0.98;

export interface EncodedSize {
  readonly quality: number;
  readonly bytes: number;
}

export interface QualityGoal {
  readonly format: LossyFormat;
  /** The quality that is encoded first, and the highest. */
  readonly qualityMax: number;
  readonly bytesMax: number;
  /** A JPEG whose white must stay white. */
  readonly keepsWhite?: boolean | undefined;
}

/** The next quality to encode at; undefined: the best of those tried is the answer, or none is in reach. */
export function nextQuality(tried: readonly EncodedSize[], goal: QualityGoal): number | undefined {
  const { format, qualityMax, bytesMax } = goal;
  const lowest = lowestQuality(goal);
  if (tried.length === 0) return qualityMax;
  const fitting = bestFit(tried, bytesMax);
  const above = smallest(tried.filter(({ bytes }) => bytes > bytesMax));
  if (above === undefined || above.quality <= lowest) return undefined;
  const isNear = fitting !== undefined && fitting.bytes >= nearShare * bytesMax;
  if (isNear) return undefined;
  if (tried.length >= encodingsMax) return fitting === undefined ? lowest : undefined;
  const share = tried.length === encodingsMax - 1 && fitting === undefined ? lastAimedShare : aimedShare;
  const aim = share * (fitting === undefined ? (bytesMax / above.bytes) ** caution : 1);
  const between = distinctQualities(
    format,
    fitting === undefined ? lowest : fitting.quality + 1,
    above.quality - 1,
  ).filter((quality) => goal.keepsWhite !== true || whiteStays(quality));
  return nearestTo(aim * bytesMax, between, sizeCurve(format, tried));
}

/** libaom knows fewer steps than libheif takes qualities: in AVIF, these give the same bytes as the next one. */
const repeatedAvif = new Set([
  ...[10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 35, 37, 40, 42, 45, 47, 50, 52, 56, 60, 64, 68, 72, 76, 80, 84],
  ...[88, 92, 96],
]);

function distinctQualities(format: LossyFormat, from: number, to: number): number[] {
  const all = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  return format === "avif" ? all.filter((quality) => quality === from || !repeatedAvif.has(quality)) : all;
}

/** @returns undefined where there is no quality */
function nearestTo(
  bytes: number,
  qualities: readonly number[],
  expected: (quality: number) => number,
): number | undefined {
  const distance = (quality: number) => Math.abs(expected(quality) - Math.log(bytes));
  return qualities.reduce<number | undefined>(
    (best, quality) => (best === undefined || distance(quality) < distance(best) ? quality : best),
    undefined,
  );
}

/** The lowest quality that is tried. */
export function lowestQuality({ qualityMax, keepsWhite = false }: QualityGoal): number {
  let lowest = Math.min(qualityMin, qualityMax);
  while (keepsWhite && lowest < qualityMax && !whiteStays(lowest)) lowest++;
  return lowest;
}

/**
 * Whether a JPEG of this quality shows white as 255: of a white block only the mean is coded, 127 × 8 above gray, in steps of
 * libjpeg's table. Every second quality below 60 or so rounds it down to 254.
 */
function whiteStays(quality: number): boolean {
  const scale = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  const step = Math.min(255, Math.max(1, Math.floor((16 * scale + 50) / 100)));
  return Math.round(1016 / step) * step >= 1012;
}

/** The largest file within the limit. */
export function bestFit<T extends EncodedSize>(tried: readonly T[], bytesMax: number): T | undefined {
  return tried
    .filter(({ bytes }) => bytes <= bytesMax)
    .reduce<T | undefined>((best, one) => (best === undefined || one.quality > best.quality ? one : best), undefined);
}

function smallest(sizes: readonly EncodedSize[]): EncodedSize | undefined {
  return sizes.reduce<EncodedSize | undefined>(
    (best, one) => (best === undefined || one.quality < best.quality ? one : best),
    undefined,
  );
}

/**
 * How much steeper or flatter than a usual picture's a part of a curve may be; more is noise between two near qualities. Flat are
 * cut-outs, whose alpha takes as many bytes at each quality.
 */
const slopeMin = 0.2;
const slopeMax = 3;

/** The logarithm of the size by quality: lines between the sizes tried, beyond them as steep as at the end, bent by a third size. */
function sizeCurve(format: LossyFormat, tried: readonly EncodedSize[]): (quality: number) => number {
  const points = tried
    .map(({ quality, bytes }) => ({ at: usualSize(format, quality), size: Math.log(bytes) }))
    .sort((a, b) => a.at - b.at);
  return (quality) => {
    const at = usualSize(format, quality);
    const next = points.findIndex((point) => point.at >= at);
    const right = clamp(next < 0 ? points.length - 1 : next, 1, points.length - 1);
    const from = points[right - 1] ?? points[0]!;
    const to = points[right] ?? from;
    const slope = slopeOf(from, to);
    const third = points[right + 1] ?? points[right - 2];
    const isBetween = at > from.at && at < to.at;
    const bend = isBetween && third !== undefined ? (slopeOf(to, third) - slope) / (third.at - from.at) : 0;
    const straight = at <= from.at ? from.size + slope * (at - from.at) : to.size + slope * (at - to.at);
    return straight + bend * (at - from.at) * (at - to.at);
  };
}

interface Point {
  readonly at: number;
  readonly size: number;
}

function slopeOf(a: Point, b: Point): number {
  return a.at === b.at ? 1 : clamp((b.size - a.size) / (b.at - a.at), slopeMin, slopeMax);
}

/** The logarithm of a usual picture's size at some qualities, less that at quality 10: medians of photos and cut-outs of .1 to 1.3 MP. */
const usualSizes: Readonly<Record<LossyFormat, { readonly range: number; readonly shares: readonly number[] }>> = {
  jpeg: {
    range: 1.9,
    shares: [
      0, 0.053, 0.119, 0.205, 0.276, 0.333, 0.42, 0.491, 0.559, 0.652, 0.704, 0.777, 0.865, 0.989, 1.082, 1.179, 1.297,
      1.364, 1.469, 1.541,
    ],
  },
  webp: {
    range: 1.75,
    shares: [
      0, 0.022, 0.062, 0.122, 0.177, 0.226, 0.326, 0.409, 0.47, 0.535, 0.577, 0.692, 0.813, 0.987, 1.109, 1.204, 1.332,
      1.395, 1.44, 1.602,
    ],
  },
  avif: {
    range: 2.6,
    shares: [
      0, 0.021, 0.04, 0.114, 0.156, 0.235, 0.363, 0.507, 0.627, 0.736, 0.782, 0.836, 0.882, 0.988, 1.055, 1.138, 1.182,
      1.233, 1.296, 1.46,
    ],
  },
};
const knots = [10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 85, 90, 93, 95, 97, 98, 99, 100] as const;

function usualSize(format: LossyFormat, quality: number): number {
  const { range, shares } = usualSizes[format];
  const end = clamp(
    knots.findIndex((knot) => quality <= knot),
    1,
    knots.length - 1,
  );
  const share = (quality - knots[end - 1]!) / (knots[end]! - knots[end - 1]!);
  return range * (shares[end - 1]! + share * (shares[end]! - shares[end - 1]!));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
