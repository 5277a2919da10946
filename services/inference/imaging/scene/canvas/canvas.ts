import { samplePositions } from "../../pixels/bilinear.ts";
import { blurPlane } from "../../pixels/blur.ts";
import { type LinearRgb, scale } from "./color.ts";
import { smoothstep } from "./noise.ts";

/**
 * A small image of linear light without an upper bound, in planes. The backdrop is out of focus, so it is painted small
 * and enlarged. x and y run 0–1 from the upper left; sizes are shares of the height.
 */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly [Float32Array, Float32Array, Float32Array];
}

export function createCanvas(width: number, height: number): Canvas {
  const plane = () => new Float32Array(width * height);
  return { width, height, planes: [plane(), plane(), plane()] };
}

/** Sets every pixel; `colorAt` writes linear RGB into its third argument. */
export function shadePixels(canvas: Canvas, colorAt: (x: number, y: number, out: Float32Array) => void): void {
  const out = new Float32Array(3);
  const [r, g, b] = canvas.planes;
  for (let row = 0, i = 0; row < canvas.height; row++) {
    for (let column = 0; column < canvas.width; column++, i++) {
      colorAt((column + 0.5) / canvas.width, (row + 0.5) / canvas.height, out);
      r[i] = out[0]!;
      g[i] = out[1]!;
      b[i] = out[2]!;
    }
  }
}

/** As `shadePixels`, between two shares of the width; where `colorAt` answers false, the pixel is kept. */
export function shadePixelsIn(
  { width, height, planes }: Canvas,
  [from, to]: readonly [from: number, to: number],
  colorAt: (x: number, y: number, out: Float32Array) => boolean,
): void {
  const out = new Float32Array(3);
  const last = Math.min(width, Math.round(to * width));
  for (let row = 0; row < height; row++) {
    for (let column = Math.max(0, Math.round(from * width)); column < last; column++) {
      if (!colorAt((column + 0.5) / width, (row + 0.5) / height, out)) continue;
      const at = row * width + column;
      for (let c = 0; c < 3; c++) planes[c]![at] = out[c]!;
    }
  }
}

/** As `shadePixels`, for what has no edges: every second pixel across and down, and between them what is interpolated. */
export function shadeSmoothly(canvas: Canvas, colorAt: (x: number, y: number, out: Float32Array) => void): void {
  const small = halfOf(canvas);
  shadePixels(small, colorAt);
  enlarge(small, canvas);
}

const halfOf = ({ width, height }: Canvas) => createCanvas(Math.ceil(width / 2), Math.ceil(height / 2));

function enlarge(small: Canvas, canvas: Canvas): void {
  const { colOf, colWeight, rowOf, rowWeight, right, down } = samplePositions(canvas, small);
  const line = new Float32Array(small.width);
  for (let c = 0; c < 3; c++) {
    const from = small.planes[c]!;
    const to = canvas.planes[c]!;
    for (let y = 0, at = 0; y < canvas.height; y++) {
      const row = rowOf[y]!;
      const below = rowWeight[y]!;
      for (let x = 0; x < line.length; x++) line[x] = from[row + x]! + (from[row + down + x]! - from[row + x]!) * below;
      for (let x = 0; x < canvas.width; x++) {
        const left = line[colOf[x]!]!;
        to[at++] = left + (line[colOf[x]! + right]! - left) * colWeight[x]!;
      }
    }
  }
}

/** Fills a box from (left, top) to (right, bottom). */
export function fillBox(
  canvas: Canvas,
  left: number,
  top: number,
  right: number,
  bottom: number,
  color: LinearRgb,
  opacity = 1,
) {
  const { width, height, planes } = canvas;
  const x0 = Math.max(0, Math.round(left * width));
  const x1 = Math.min(width, Math.round(right * width));
  const y0 = Math.max(0, Math.round(top * height));
  const y1 = Math.min(height, Math.round(bottom * height));
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) blend(planes, y * width + x, color, opacity);
  }
}

/**
 * Fills a box as a room lights it: brighter toward the lamp and toward its top.
 *
 * @param lampSide −1: the light comes from the left, 1: from the right
 */
export function fillPanel(
  { width, height, planes }: Canvas,
  [left, top, right, bottom]: readonly [left: number, top: number, right: number, bottom: number],
  color: LinearRgb,
  lampSide: number,
): void {
  const x0 = Math.max(0, Math.round(left * width));
  const x1 = Math.min(width, Math.round(right * width));
  const y0 = Math.max(0, Math.round(top * height));
  const y1 = Math.min(height, Math.round(bottom * height));
  const perColumn = (0.24 * lampSide) / Math.max(1e-6, (right - left) * width);
  const perRow = 0.22 / Math.max(1e-6, (bottom - top) * height);
  for (let y = y0; y < y1; y++) {
    const high = 1.1 - perRow * (y + 0.5 - top * height) - 0.12 * lampSide;
    for (let x = x0; x < x1; x++) {
      const shade = high + perColumn * (x + 0.5 - left * width);
      const at = y * width + x;
      for (let c = 0; c < 3; c++) planes[c]![at] = color[c]! * shade;
    }
  }
}

type Corner = readonly [x: number, y: number];

/** Fills a convex quadrilateral, whose corners are given one after the other around it. */
export function fillQuad(
  { width, height, planes }: Canvas,
  corners: readonly [Corner, Corner, Corner, Corner],
  color: LinearRgb,
): void {
  const ys = corners.map(([, y]) => y * height);
  const last = Math.min(height - 1, Math.ceil(Math.max(...ys)));
  for (let row = Math.max(0, Math.floor(Math.min(...ys))); row <= last; row++) {
    const y = row + 0.5;
    const crossed: number[] = [];
    for (let i = 0; i < 4; i++) {
      const [x0, y0] = corners[i]!;
      const [x1, y1] = corners[(i + 1) % 4]!;
      const a = y0 * height;
      const b = y1 * height;
      if (a <= y === b <= y) continue;
      crossed.push((x0 + ((x1 - x0) * (y - a)) / (b - a)) * width);
    }
    if (crossed.length < 2) continue;
    const to = Math.min(width, Math.round(Math.max(...crossed)));
    for (let column = Math.max(0, Math.round(Math.min(...crossed))); column < to; column++)
      blend(planes, row * width + column, color, 1);
  }
}

/** Darkens what is behind and below a box that is to be painted: it hides the room's light from the wall. `reach` is a share of the height. */
export function shadeAround(
  { width, height, planes }: Canvas,
  [left, top, right, bottom]: readonly [left: number, top: number, right: number, bottom: number],
  reach: number,
  share = 0.4,
): void {
  const end = reach * height;
  const x0 = left * width;
  const x1 = right * width;
  const y0 = top * height;
  const y1 = bottom * height;
  for (let y = Math.max(0, Math.floor(y0 - end)); y < Math.min(height, y1 + end); y++) {
    const dy = Math.max(0, y0 + 0.4 * end - y, y - y1);
    for (let x = Math.max(0, Math.floor(x0 - end)); x < Math.min(width, x1 + end); x++) {
      const dx = Math.max(0, x0 - x, x - x1);
      const away = Math.sqrt(dx * dx + dy * dy) / end;
      if (away >= 1) continue;
      const kept = 1 - share * (1 - away) * (1 - away);
      const at = y * width + x;
      for (let c = 0; c < 3; c++) planes[c]![at]! *= kept;
    }
  }
}

/** Fills a disc as a defocused lens draws a point: nearly even, with a slightly brighter rim. `adds`: it is a light. */
export function fillDisc(
  canvas: Canvas,
  x: number,
  y: number,
  radius: number,
  color: LinearRgb,
  opacity: number,
  adds = false,
  edge = 0.22,
) {
  const { width, height, planes } = canvas;
  const cx = x * width;
  const cy = y * height;
  const r = Math.max(0.8, radius * height);
  const from = Math.max(0, Math.floor(cx - r));
  const to = Math.min(width, cx + r + 1);
  for (let row = Math.max(0, Math.floor(cy - r)); row < Math.min(height, cy + r + 1); row++) {
    const dy = row + 0.5 - cy;
    for (let column = from; column < to; column++) {
      const dx = column + 0.5 - cx;
      const distance = Math.sqrt(dx * dx + dy * dy) / r;
      if (distance >= 1) continue;
      const share = opacity * (1 - smoothstep(1 - edge, 1, distance)) * (0.82 + 0.18 * distance * distance);
      const at = row * width + column;
      for (let c = 0; c < 3; c++) {
        const plane = planes[c]!;
        plane[at] = plane[at]! + (adds ? color[c]! : color[c]! - plane[at]!) * share;
      }
    }
  }
}

/**
 * Fills a soft solid such as a pillow: lighter at its top than at its foot, and darker where it turns away at its sides. Half lengths
 * are shares of the height.
 *
 * @param squareness 2: an ellipse; larger: nearer to a box
 */
export function fillCushion(
  { width, height, planes }: Canvas,
  x: number,
  y: number,
  halfWide: number,
  halfTall: number,
  color: LinearRgb,
  squareness = 2,
  relief = 0.2,
): void {
  const cx = x * width;
  const cy = y * height;
  const rx = Math.max(0.8, halfWide * height);
  const ry = Math.max(0.8, halfTall * height);
  for (let row = Math.max(0, Math.floor(cy - ry)); row < Math.min(height, cy + ry + 1); row++) {
    const dy = (row + 0.5 - cy) / ry;
    const across = 1 - Math.abs(dy) ** squareness;
    if (across <= 0) continue;
    const half = rx * across ** (1 / squareness);
    const shade = scale(color, 1 - relief * dy);
    const to = Math.min(width, Math.round(cx + half));
    for (let column = Math.max(0, Math.round(cx - half)); column < to; column++) {
      const toSide = ((column + 0.5 - cx) / half) ** 2;
      const bent = 1 - relief * toSide * toSide;
      const at = row * width + column;
      for (let c = 0; c < 3; c++) planes[c]![at] = shade[c]! * bent;
    }
  }
}

/** A glow ends at this multiple of its reach, where it has faded to nothing. */
const glowEnd = 5;

/** Adds light that fades out from a point; `reach` is a share of the height. */
export function addGlow(canvas: Canvas, x: number, y: number, reach: number, color: LinearRgb): void {
  const { width, height, planes } = canvas;
  const [r, g, b] = planes;
  const shareAt = (away: number) => 1 / (1 + 3 * away) ** 2;
  const least = shareAt(glowEnd * glowEnd);
  const end = glowEnd * reach * height;
  const cx = x * width;
  const cy = y * height;
  for (let row = Math.max(0, Math.floor(cy - end)); row < Math.min(height, cy + end); row++) {
    const dy = (row + 0.5) / height - y;
    for (let column = Math.max(0, Math.floor(cx - end)); column < Math.min(width, cx + end); column++) {
      const dx = ((column + 0.5) / width - x) * (width / height);
      const share = shareAt((dx * dx + dy * dy) / (reach * reach)) - least;
      if (share <= 0) continue;
      const at = row * width + column;
      r[at]! += color[0] * share;
      g[at]! += color[1] * share;
      b[at]! += color[2] * share;
    }
  }
}

/** @param sigma share of the canvas's height. */
export function blurCanvas(canvas: Canvas, sigma: number): void {
  for (const plane of canvas.planes) blurPlane(plane, canvas.width, canvas.height, sigma * canvas.height);
}

/** Fills a straight rod between two points; `thick` is a share of the height. */
export function fillRod(
  { width, height, planes }: Canvas,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  thick: number,
  color: LinearRgb,
): void {
  const x0 = fromX * width;
  const y0 = fromY * height;
  const dx = toX * width - x0;
  const dy = toY * height - y0;
  const half = Math.max(0.5, (thick * height) / 2);
  const lengthSquared = Math.max(1e-6, dx * dx + dy * dy);
  const lastRow = Math.min(height, Math.max(y0, y0 + dy) + half);
  const lastColumn = Math.min(width, Math.max(x0, x0 + dx) + half);
  for (let row = Math.max(0, Math.floor(Math.min(y0, y0 + dy) - half)); row < lastRow; row++) {
    for (let column = Math.max(0, Math.floor(Math.min(x0, x0 + dx) - half)); column < lastColumn; column++) {
      const px = column + 0.5 - x0;
      const py = row + 0.5 - y0;
      const along = Math.min(1, Math.max(0, (px * dx + py * dy) / lengthSquared));
      if (Math.hypot(px - along * dx, py - along * dy) <= half) blend(planes, row * width + column, color, 1);
    }
  }
}

/**
 * Blurs as a lens does: each point becomes a disc, so that small lights turn into even rounds.
 *
 * @param radius share of the canvas's height.
 */
export function lensBlur({ width, height, planes }: Canvas, radius: number): void {
  const reach = radius * height;
  if (reach < 0.7) return;
  const rows = Math.floor(reach);
  const halves = Array.from({ length: 2 * rows + 1 }, (_, i) => Math.floor(Math.sqrt(reach * reach - (i - rows) ** 2)));
  const stride = width + 1;
  const sums = new Float64Array(stride * height);
  const total = new Float64Array(width);
  const counts = new Float64Array(width);
  for (const plane of planes) {
    for (let y = 0; y < height; y++) {
      let sum = 0;
      for (let x = 0; x < width; x++) {
        sums[y * stride + x] = sum;
        sum += plane[y * width + x]!;
      }
      sums[y * stride + width] = sum;
    }
    for (let y = 0; y < height; y++) {
      const first = Math.max(0, rows - y);
      const last = Math.min(halves.length, height - y + rows);
      total.fill(0);
      for (let i = first; i < last; i++) addRuns(sums, (y + i - rows) * stride, halves[i]!, width, total);
      // Rows near neither edge are means of as many pixels as the one above them.
      if (y <= rows || y >= height - rows) countRuns(halves.slice(first, last), width, counts);
      for (let x = 0; x < width; x++) plane[y * width + x] = total[x]! / counts[x]!;
    }
  }
}

/**
 * As `lensBlur` and, by `soft`, `blurCanvas` after it, for a ninth of their time: on a canvas of half the size. Of what is wider
 * than a pixel it shows the same.
 */
export function defocus(canvas: Canvas, radius: number, soft: number): void {
  const small = halfOf(canvas);
  const { width, height } = canvas;
  for (const [c, plane] of canvas.planes.entries()) {
    const means = small.planes[c]!;
    for (let y = 0, at = 0; y < small.height; y++) {
      const upper = 2 * y * width;
      const lower = Math.min(height - 1, 2 * y + 1) * width;
      for (let x = 0; x < small.width; x++) {
        const left = 2 * x;
        const right = Math.min(width - 1, left + 1);
        means[at++] =
          0.25 * (plane[upper + left]! + plane[upper + right]! + plane[lower + left]! + plane[lower + right]!);
      }
    }
  }
  lensBlur(small, radius);
  blurCanvas(small, soft);
  enlarge(small, canvas);
}

/** Adds to each pixel the sum of the row's pixels up to `half` beside it, of their sums from the row's start. */
function addRuns(sums: Float64Array, row: number, half: number, width: number, total: Float64Array): void {
  const inner = Math.max(0, width - half);
  for (let x = 0; x < Math.min(half, width); x++) total[x]! += sums[row + Math.min(width, x + half + 1)]!;
  for (let x = half; x < inner; x++) total[x]! += sums[row + x + half + 1]! - sums[row + x - half]!;
  for (let x = Math.max(half, inner); x < width; x++) total[x]! += sums[row + width]! - sums[row + x - half]!;
}

function countRuns(halves: readonly number[], width: number, counts: Float64Array): void {
  for (let x = 0; x < width; x++) {
    let count = 0;
    for (const half of halves) count += Math.min(width, x + half + 1) - Math.max(0, x - half);
    counts[x] = count;
  }
}

function blend(planes: Canvas["planes"], at: number, color: LinearRgb, opacity: number): void {
  planes[0][at]! += (color[0] - planes[0][at]!) * opacity;
  planes[1][at]! += (color[1] - planes[1][at]!) * opacity;
  planes[2][at]! += (color[2] - planes[2][at]!) * opacity;
}
