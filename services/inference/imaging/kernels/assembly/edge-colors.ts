/** The mean colors of one side in windows around cells, as `estimateEdgeColors` in matting/ describes them. */

/** Number of cells of the side, their red, green and blue, and the sum of squares. */
const tableChannels: i32 = 5;
/** Channels of the color field: the background's red, green, blue and spread, then the product's. */
const fieldChannels: i32 = 8;
const windowShareMin: f64 = 0.02;

/** Marks the cells of the half grid that hold a cell within `reach` of the edge; the marks must be 0 before. */
export function markNearEdge(signed: usize, width: i32, height: i32, reach: f32, halfWidth: i32, marks: usize): void {
  const far = f32x4.splat(reach);
  for (let y = 0; y < height; y++) {
    const row = signed + ((y * width) << 2);
    const to = marks + (y >> 1) * halfWidth;
    let x = 0;
    for (; x <= width - 4; x += 4) {
      const bits = i32x4.bitmask(f32x4.le(f32x4.abs(v128.load(row + (x << 2))), far));
      if ((bits & 3) !== 0) store<u8>(to + (x >> 1), 1);
      if (bits >> 2 !== 0) store<u8>(to + (x >> 1), 1, 1);
    }
    for (; x < width; x++) if (abs(load<f32>(row + (x << 2))) <= reach) store<u8>(to + (x >> 1), 1);
  }
}

/**
 * Summed-area table of one side's colors at half the grid's resolution: (halfWidth + 1) × (halfHeight + 1) × 5 i32, which
 * may wrap around.
 *
 * @param read u8 of the half grid: cells that are 0 lie in no window, and count for nothing
 * @param left and `top`, `right`, `bottom`: the cells of the half grid whose sums are needed. Entries beyond are not written
 */
export function buildColorTable(
  rgb: usize,
  mask: usize,
  read: usize,
  width: i32,
  height: i32,
  halfWidth: i32,
  left: i32,
  top: i32,
  right: i32,
  bottom: i32,
  table: usize,
): void {
  const entry = tableChannels * 4;
  const rowBytes = (halfWidth + 1) * entry;
  memory.fill(table + top * rowBytes + left * entry, 0, (right - left + 1) * entry);
  for (let y = top; y < bottom; y++) {
    const to = table + (y + 1) * rowBytes + left * entry;
    memory.fill(to, 0, entry);
    const upper = 2 * y * width;
    // An odd last row or column has no neighbor, and counts alone.
    const lower = 2 * y + 1 < height ? upper + width : -1;
    sumRow(rgb, mask, read + y * halfWidth, width, upper, lower, left, right, to + entry, rowBytes);
  }
}

function sumRow(
  rgb: usize,
  mask: usize,
  read: usize,
  width: i32,
  upper: i32,
  lower: i32,
  left: i32,
  right: i32,
  to: usize,
  rowBytes: i32,
): void {
  // Count, red, green and blue in one vector; the squares beside it.
  let sums = i32x4.splat(0);
  let squares = 0;
  for (let x = left; x < right; x++, to += tableChannels * 4) {
    if (load<u8>(read + x) === 0) {
      // The sums stay as they are.
    } else if (lower >= 0 && 2 * x + 1 < width) {
      const marks = <i32>load<u16>(mask + upper + 2 * x) | ((<i32>load<u16>(mask + lower + 2 * x)) << 16);
      if (marks === 0x01010101) {
        const above = colorsOfTwo(rgb + (upper + 2 * x) * 3);
        const below = colorsOfTwo(rgb + (lower + 2 * x) * 3);
        sums = i32x4.add(sums, sumOfFour(above, below));
        squares += sumOfSquares(above, below);
      } else if (marks !== 0) {
        sums = addCell(sums, rgb, mask, upper + 2 * x);
        sums = addCell(sums, rgb, mask, upper + 2 * x + 1);
        sums = addCell(sums, rgb, mask, lower + 2 * x);
        sums = addCell(sums, rgb, mask, lower + 2 * x + 1);
        squares += squaresOf(rgb, mask, upper + 2 * x) + squaresOf(rgb, mask, upper + 2 * x + 1);
        squares += squaresOf(rgb, mask, lower + 2 * x) + squaresOf(rgb, mask, lower + 2 * x + 1);
      }
    } else {
      sums = addCell(sums, rgb, mask, upper + 2 * x);
      squares += squaresOf(rgb, mask, upper + 2 * x);
      const other = lower >= 0 ? lower + 2 * x : upper + 2 * x + 1;
      if (lower >= 0 || 2 * x + 1 < width) {
        sums = addCell(sums, rgb, mask, other);
        squares += squaresOf(rgb, mask, other);
      }
    }
    v128.store(to, i32x4.add(sums, v128.load(to - rowBytes)));
    store<i32>(to, squares + load<i32>(to - rowBytes, 16), 16);
  }
}

function addCell(sums: v128, rgb: usize, mask: usize, cell: i32): v128 {
  if (load<u8>(mask + cell) === 0) return sums;
  const color = rgb + cell * 3;
  return i32x4.add(sums, i32x4(1, load<u8>(color), load<u8>(color, 1), load<u8>(color, 2)));
}

function squaresOf(rgb: usize, mask: usize, cell: i32): i32 {
  if (load<u8>(mask + cell) === 0) return 0;
  const color = rgb + cell * 3;
  const r = <i32>load<u8>(color);
  const g = <i32>load<u8>(color, 1);
  const b = <i32>load<u8>(color, 2);
  return r * r + g * g + b * b;
}

/** Red, green and blue of a cell and of the next one, as i16; two zeros follow. */
function colorsOfTwo(rgb: usize): v128 {
  const bytes = v128.and(v128.load64_zero(rgb), i64x2(0x0000ffffffffffff, 0));
  return i16x8.extend_low_i8x16_u(bytes);
}

/** Their number, 4, and the sums of their red, green and blue. */
function sumOfFour(above: v128, below: v128): v128 {
  const columns = i16x8.add(above, below);
  const next = i16x8.shuffle(columns, columns, 3, 4, 5, 7, 7, 7, 7, 7);
  const colors = i32x4.extend_low_i16x8_u(i16x8.add(columns, next));
  return i32x4.shuffle(i32x4.splat(4), colors, 0, 4, 5, 6);
}

function sumOfSquares(above: v128, below: v128): i32 {
  const pairs = i32x4.add(i32x4.dot_i16x8_s(above, above), i32x4.dot_i16x8_s(below, below));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1) + i32x4.extract_lane(pairs, 2);
}

/**
 * Fills the needed cells from the windows of unmixed cells with radii 2 and 6.
 *
 * @param missing i32, gets the cells that neither window could fill
 * @returns their number
 */
export function fillFromPure(
  pure: usize,
  needed: usize,
  halfWidth: i32,
  halfHeight: i32,
  values: usize,
  first: i32,
  missing: usize,
): i32 {
  let count = 0;
  let i = 0;
  for (let y = 0; y < halfHeight; y++) {
    for (let x = 0; x < halfWidth; x++, i++) {
      if (load<u8>(needed + i) === 0) continue;
      const to = values + ((i * fieldChannels + first) << 2);
      if (fillFrom(pure, halfWidth, halfHeight, x, y, 2, to)) continue;
      if (fillFrom(pure, halfWidth, halfHeight, x, y, 6, to)) continue;
      store<i32>(missing + (count << 2), i);
      count++;
    }
  }
  return count;
}

/** Fills the cells that `fillFromPure` could not, from all cells of the side and from wider windows. */
export function fillFromAny(
  pure: usize,
  any: usize,
  missing: usize,
  count: i32,
  halfWidth: i32,
  halfHeight: i32,
  values: usize,
  first: i32,
): void {
  for (let n = 0; n < count; n++) {
    const i = load<i32>(missing + (n << 2));
    const x = i % halfWidth;
    const y = i / halfWidth;
    const to = values + ((i * fieldChannels + first) << 2);
    if (fillFrom(any, halfWidth, halfHeight, x, y, 6, to)) continue;
    if (fillFrom(pure, halfWidth, halfHeight, x, y, 16, to)) continue;
    fillFrom(any, halfWidth, halfHeight, x, y, 16, to);
  }
}

/** @returns whether the window, cut at the border, has enough of the side's cells */
function fillFrom(table: usize, width: i32, height: i32, x: i32, y: i32, radius: i32, to: usize): bool {
  const left = max(0, x - radius);
  const right = min(width, x + radius + 1);
  const top = max(0, y - radius);
  const bottom = min(height, y + radius + 1);
  const entry = tableChannels * 4;
  const above = table + (top * (width + 1) + left) * entry;
  const below = table + (bottom * (width + 1) + left) * entry;
  const across = (right - left) * entry;
  const sums = i32x4.sub(
    i32x4.sub(v128.load(below + across), v128.load(below)),
    i32x4.sub(v128.load(above + across), v128.load(above)),
  );
  const weight = <f64>i32x4.extract_lane(sums, 0);
  if (weight < windowShareMin * <f64>((right - left) * (bottom - top))) return false;
  const squares =
    load<i32>(below + across, 16) - load<i32>(below, 16) - (load<i32>(above + across, 16) - load<i32>(above, 16));
  const r = <f64>i32x4.extract_lane(sums, 1) / weight;
  const g = <f64>i32x4.extract_lane(sums, 2) / weight;
  const b = <f64>i32x4.extract_lane(sums, 3) / weight;
  store<f32>(to, <f32>r);
  store<f32>(to, <f32>g, 4);
  store<f32>(to, <f32>b, 8);
  store<f32>(to, <f32>sqrt(max(0, (<f64>squares / weight - r * r - g * g - b * b) / 3)), 12);
  return true;
}
