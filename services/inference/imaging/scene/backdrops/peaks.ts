/** Mountains with summits: faces in light and in shade, snow on rock, and fields of snow with firs before them. */

import { blurCanvas } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, luminance, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { paintFirs } from "./firs.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";

/** One summit of a range; lengths are shares of the canvas's height. */
interface Peak {
  /** From the canvas's left edge. */
  readonly x: number;
  readonly top: number;
  /** How steeply its left and right flanks fall. */
  readonly left: number;
  readonly right: number;
  readonly seed: number;
}

interface Range {
  readonly peaks: readonly Peak[];
  /** The row at which its slopes end. */
  readonly foot: number;
  /** 0 in the haze … 1 near. */
  readonly near: number;
  readonly seed: number;
}

/** A range is bare below this height above its foot, as a share of its highest summit's, unless all is snowed in. */
const snowLine = 0.42;

/** Above a table whose viewer looks down, the valley lies below the true horizon, so that the summits have room. */
export const valleyMin = 0.68;

export function paintMountains(framed: BackdropInput): void {
  const input = { ...framed, horizonY: Math.max(valleyMin, framed.horizonY) };
  const { canvas, plan, horizonY } = input;
  paintSkyGradient(input, horizonY);
  // Below this row, what lies before the summits hides them.
  const hiddenFrom = horizonY + (plan.isSnowy ? 0.13 + 0.1 * (1.02 - horizonY) : 0.06);
  const end = new Int32Array(canvas.width).fill(Math.min(canvas.height, Math.ceil(hiddenFrom * canvas.height)));
  for (const range of rangesOf(input).toReversed()) paintRange(input, range, end);
  if (plan.isSnowy) paintSnowFields(input);
  else paintFoothills(input);
  blurCanvas(canvas, 0.006);
}

/** A high range in the haze, and the great summits before it. */
function rangesOf({ random, aspect, horizonY }: BackdropInput): readonly Range[] {
  // Across a wide view a few broad mountains stand, and no row of teeth.
  const steepness = Math.min(1, 1.7 / aspect) ** 0.7;
  const range = (near: number, count: number, low: number, high: number): Range => ({
    peaks: Array.from({ length: count }, (_, i) => ({
      x: (aspect * (i + random.between(0.15, 0.85))) / count,
      top: horizonY * (1 - random.between(low, high)),
      left: random.between(0.75, 1.25) * steepness,
      right: random.between(0.75, 1.25) * steepness,
      seed: random.between(0, 200),
    })),
    foot: horizonY + 0.05 + 0.1 * near,
    near,
    seed: random.between(0, 200),
  });
  const main = aspect * random.pick([0.24, 0.76]);
  const great: Peak = {
    x: main,
    top: horizonY * 0.13,
    left: 0.92 * steepness,
    right: 0.86 * steepness,
    seed: random.between(0, 200),
  };
  const second = range(0.5, Math.min(4, Math.max(2, Math.round(2.2 * aspect))), 0.3, 0.66);
  return [
    range(0, Math.min(6, Math.max(3, Math.round(3.4 * aspect))), 0.34, 0.62),
    { ...second, peaks: [...second.peaks, great] },
  ];
}

/** Height of a range at a point of its width, and the summit to which the point belongs. */
function summitAt(peaks: readonly Peak[], x: number): { readonly peak: Peak; readonly top: number } {
  let best = peaks[0]!;
  let top = Infinity;
  for (const peak of peaks) {
    const away = x - peak.x;
    // Flanks are steep below the summit and flatten toward the valley.
    const fall = Math.abs(away) * (away < 0 ? peak.left : peak.right);
    const y = peak.top + fall * (1.25 - 0.5 * Math.min(1, fall * 1.6));
    if (y < top) [best, top] = [peak, y];
  }
  return { peak: best, top };
}

/** @param end the row of each column from which nearer ranges hide this one; what it hides itself is taken from it */
function paintRange(input: BackdropInput, { peaks, foot, near, seed }: Range, end: Int32Array): void {
  const { canvas, plan, noise, lampSide, aspect } = input;
  const { horizon, key, ambient } = plan.lighting;
  const light = Math.min(1, 0.7 * luminance(key) + luminance(ambient));
  const haze = scale(horizon, 0.82 * Math.min(1, light + 0.1));
  const clear = 0.34 + 0.6 * near;
  const rock = mix(haze, scale(multiply(plan.backdropColor, mix(key, [0.8, 0.8, 0.8], 0.4)), 0.8 * light), clear);
  const white = mix(haze, scale(multiply([0.93, 0.96, 1.02], mix(key, [0.9, 0.94, 1], 0.6)), light), clear);
  const blue = mix(haze, scale([0.36, 0.46, 0.66], light), clear * 0.9);
  const highest = Math.min(...peaks.map(({ top }) => top));
  const snowFrom = plan.isSnowy ? 0.02 : snowLine + (1 - near) * -0.1;
  const side = lampSide > 0 ? 1 : -1;
  const aretes = new Map(peaks.map((peak) => [peak, areteOf(input, peak)]));
  for (let column = 0; column < canvas.width; column++) {
    const x = ((column + 0.5) / canvas.width) * aspect;
    const { peak, top: even } = summitAt(peaks, x);
    const arete = aretes.get(peak)!;
    const crag = noise.fractal(x * 9 + seed, seed, 5, 0.02) - 0.5;
    const top = even + 0.085 * crag * Math.min(1, 0.35 + 4 * (even - peak.top));
    const first = Math.max(0, Math.floor(top * canvas.height));
    for (let row = first; row < end[column]!; row++) {
      const y = (row + 0.5) / canvas.height;
      const below = y - peak.top;
      const across = (x - peak.x - arete[row]! - 0.12 * below * side) * side;
      // Gullies run down the faces, away from the arête.
      const gully = noise.fractal((x - peak.x) * 14 - across * 6 * below + peak.seed, y * 5 + seed, 4, 0.03) - 0.5;
      const facing = smoothstep(-0.03, 0.03, across + 0.16 * gully);
      const height = (foot - y) / Math.max(0.05, foot - highest) + 0.5 * gully;
      const cover = smoothstep(snowFrom - 0.1, snowFrom + 0.16, height) * (plan.isSnowy ? 1 : 0.92);
      // Rock shows where a face is too steep for snow.
      const steep = smoothstep(0.12, 0.26, Math.abs(gully) + 0.1 * (1 - facing) - 0.1 * smoothstep(0.3, 0.9, y - top));
      const snow = cover * (1 - 0.75 * steep);
      const at = row * canvas.width + column;
      const ofRock = 0.5 + 0.6 * facing + 0.7 * gully;
      const mist = 0.55 * smoothstep(0.1, -0.16, foot - 0.12 - y) * (1 - near);
      for (let c = 0; c < 3; c++) {
        const lit = blue[c]! + (white[c]! - blue[c]!) * facing;
        const value = rock[c]! * ofRock * (1 - snow) + lit * (1 + 0.25 * gully) * snow;
        canvas.planes[c]![at] = value + (haze[c]! - value) * mist;
      }
    }
    end[column] = Math.min(end[column]!, first);
  }
}

/** The arête zigzags from the summit to the valley, and parts the lit face from the other: how far it is aside in each row. */
function areteOf({ canvas, noise }: BackdropInput, { top, seed }: Peak): Float64Array {
  return Float64Array.from({ length: canvas.height }, (_, row) => {
    const below = (row + 0.5) / canvas.height - top;
    return 0.3 * (noise.fractal(below * 5 + seed, 3, 3, 0.02) - 0.5) * Math.min(1, below * 5);
  });
}

const woods = fromHex("#3d5a41");

/** Wooded slopes before the summits, the nearer the darker. */
function paintFoothills({ canvas, plan, noise, random, lampSide, aspect, horizonY }: BackdropInput): void {
  const { key, ambient, horizon } = plan.lighting;
  const light = Math.min(1, 0.7 * luminance(key) + luminance(ambient));
  const hasTrees = !plan.without.has("plants");
  const slope = hasTrees ? mix(woods, plan.backdropColor, 0.25) : plan.backdropColor;
  for (let hill = 0; hill < 3; hill++) {
    const offset = random.between(0, 200);
    const foot = horizonY - 0.02 + (1 - horizonY) * 0.42 * hill;
    const color = mix(scale(horizon, 0.78), multiply(slope, mix(key, [0.8, 0.8, 0.8], 0.5)), 0.58 + 0.18 * hill);
    // The next slope hides this one from here on.
    const hiddenFrom = hill === 2 ? 1 : foot + (1 - horizonY) * 0.42 + 0.07;
    const end = Math.min(canvas.height, Math.ceil(hiddenFrom * canvas.height));
    const riseAt = (x: number) => 0.34 * (noise.fractal(x * aspect * 1.1 + offset, hill * 9, 3, 0.02) - 0.18);
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.width;
      const crown = hasTrees ? 0.022 * noise.fractal(x * aspect * 46 + offset, 3, 2, 0.01) : 0;
      const top = foot - riseAt(x) - crown;
      const steep = (riseAt(x - 0.02) - riseAt(x + 0.02)) * Math.sign(lampSide || 1) * 6;
      for (let row = Math.max(0, Math.floor(top * canvas.height)); row < end; row++) {
        const y = (row + 0.5) / canvas.height;
        const trees = noise.fractal(x * aspect * 30 + offset, y * 22 + offset, 3, 0.01) - 0.5;
        const shade = light * Math.max(0.3, 0.86 + steep + (hasTrees ? 0.9 : 0.4) * trees);
        const mist = 0.26 * smoothstep(0.02, 0.2, y - top) * (1 - 0.4 * hill);
        const at = row * canvas.width + column;
        for (let c = 0; c < 3; c++) {
          const value = color[c]! * shade;
          canvas.planes[c]![at] = value + (horizon[c]! * 0.75 * light - value) * mist;
        }
      }
    }
  }
}

/** Fields of snow that roll down to the ground's edge, with firs between them. */
function paintSnowFields(input: BackdropInput): void {
  const { canvas, plan, noise, random, lampSide, aspect, horizonY } = input;
  const { key, ambient, horizon } = plan.lighting;
  const light = Math.min(1, 0.75 * luminance(key) + luminance(ambient));
  const shade: LinearRgb = scale(fromHex("#bdcde4"), light);
  const hasFirs = !plan.without.has("plants");
  for (let field = 0; field < 3; field++) {
    const foot = horizonY + (1.02 - horizonY) * (0.1 + 0.36 * field);
    const offset = random.between(0, 200);
    const lean = random.between(-0.1, 0.1);
    // The next field hides this one from here on.
    const hiddenFrom = field === 2 ? 1 : foot + (1.02 - horizonY) * 0.36 + 0.13;
    const end = Math.min(canvas.height, Math.ceil(hiddenFrom * canvas.height));
    const bright = mix(scale([1, 1.02, 1.05], light), horizon, 0.28 - 0.1 * field);
    const riseAt = (x: number) =>
      0.24 * (noise.fractal(x * aspect * 1.1 + offset, field * 9, 2, 0.02) - 0.32) + lean * (x - 0.5);
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.width;
      const top = foot - riseAt(x);
      const slope = (riseAt(x - 0.02) - riseAt(x + 0.02)) * Math.sign(lampSide || 1) * 7;
      for (let row = Math.max(0, Math.floor(top * canvas.height)); row < end; row++) {
        const y = (row + 0.5) / canvas.height;
        const drift = noise.fractal(x * aspect * 2.2 + offset, y * 9 + offset, 3, 0.02) - 0.5;
        const lit = Math.min(1, Math.max(0, 0.84 + slope * Math.exp(-(y - top) * 5) + 0.9 * drift));
        const at = row * canvas.width + column;
        for (let c = 0; c < 3; c++) canvas.planes[c]![at] = shade[c]! + (bright[c]! - shade[c]!) * lit;
      }
    }
    if (hasFirs && field < 2) paintFirs(input, 1, foot + 0.02, 0.28 + 0.22 * field, riseAt);
  }
}
