/** Distances of cells: to the edge of a mask, and to the nearest seed. */

/**
 * Signed distance transform (chamfer distance), as `signedDistance` in pixels/ describes it.
 *
 * @param dilated and `eroded`: the mask, spread by the limit
 * @param cells scratch, a u32 for each cell
 */
export function signedDistance(
  mask: usize,
  dilated: usize,
  eroded: usize,
  width: i32,
  height: i32,
  limit: f32,
  cells: usize,
  distances: usize,
): void {
  const length = width * height;
  const count = listDifferences(dilated, eroded, length, cells);
  // Four at once, up to three of them beyond the end.
  for (let i = 0; i < length; i += 4) v128.store(distances + (i << 2), f32x4.splat(limit));
  for (let n = 0; n < count; n++) nearestBefore(mask, width, distances, load<i32>(cells + (n << 2)));
  for (let n = count - 1; n >= 0; n--) nearestAfter(mask, width, length, distances, load<i32>(cells + (n << 2)));
  const half = f32x4.splat(0.5);
  for (let i = 0; i < length; i += 4) {
    const d = v128.load(distances + (i << 2));
    const marks = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(mask + i)));
    const isInside = i32x4.eq(marks, i32x4.splat(1));
    v128.store(distances + (i << 2), v128.bitselect(f32x4.sub(d, half), f32x4.sub(half, d), isInside));
  }
}

/** Writes the indices at which two masks differ. @returns their number */
function listDifferences(a: usize, b: usize, length: i32, cells: usize): i32 {
  let count = 0;
  let i = 0;
  for (; i <= length - 16; i += 16) {
    let bits = i8x16.bitmask(i8x16.ne(v128.load(a + i), v128.load(b + i)));
    while (bits !== 0) {
      store<i32>(cells + (count << 2), i + ctz(bits));
      count++;
      bits &= bits - 1;
    }
  }
  for (; i < length; i++) {
    if (load<u8>(a + i) === load<u8>(b + i)) continue;
    store<i32>(cells + (count << 2), i);
    count++;
  }
  return count;
}

/** A neighbor of the other value is one step away. */
function distanceAt(mask: usize, distances: usize, at: i32, to: i32): f64 {
  return load<u8>(mask + to) === load<u8>(mask + at) ? <f64>load<f32>(distances + (to << 2)) : 0;
}

function nearestBefore(mask: usize, width: i32, distances: usize, at: i32): void {
  const x = at % width;
  let nearest = <f64>load<f32>(distances + (at << 2));
  if (x > 0) nearest = min(nearest, distanceAt(mask, distances, at, at - 1) + 1);
  if (at >= width) {
    nearest = min(nearest, distanceAt(mask, distances, at, at - width) + 1);
    if (x > 0) nearest = min(nearest, distanceAt(mask, distances, at, at - width - 1) + Math.SQRT2);
    if (x < width - 1) nearest = min(nearest, distanceAt(mask, distances, at, at - width + 1) + Math.SQRT2);
  }
  store<f32>(distances + (at << 2), <f32>nearest);
}

function nearestAfter(mask: usize, width: i32, length: i32, distances: usize, at: i32): void {
  const x = at % width;
  let nearest = <f64>load<f32>(distances + (at << 2));
  if (x < width - 1) nearest = min(nearest, distanceAt(mask, distances, at, at + 1) + 1);
  if (at + width < length) {
    nearest = min(nearest, distanceAt(mask, distances, at, at + width) + 1);
    if (x < width - 1) nearest = min(nearest, distanceAt(mask, distances, at, at + width + 1) + Math.SQRT2);
    if (x > 0) nearest = min(nearest, distanceAt(mask, distances, at, at + width - 1) + Math.SQRT2);
  }
  store<f32>(distances + (at << 2), <f32>nearest);
}

/**
 * Chessboard distance, at most 255, to the nearest cell whose value is `side`.
 *
 * @param framed scratch of height + 2 rows of `stride` bytes; stride ≥ width rounded up to 16, plus 32
 */
export function chessboardDistance(
  sideOf: usize,
  side: i32,
  width: i32,
  height: i32,
  framed: usize,
  stride: i32,
  out: usize,
): void {
  memory.fill(framed, 255, stride * (height + 2));
  const first = framed + stride + 16;
  for (let y = 0; y < height; y++) seedRow(sideOf + y * width, side, width, first + y * stride);
  for (let y = 0; y < height; y++) spreadForward(first + y * stride, width, stride);
  for (let y = height - 1; y >= 0; y--) spreadBackward(first + y * stride, width, stride);
  for (let y = 0; y < height; y++) memory.copy(out + y * width, first + y * stride, width);
}

function seedRow(from: usize, side: i32, width: i32, to: usize): void {
  const sides = i8x16.splat(<i8>side);
  let x = 0;
  for (; x <= width - 16; x += 16) v128.store(to + x, i8x16.ne(v128.load(from + x), sides));
  for (; x < width; x++) store<u8>(to + x, load<i8>(from + x) === side ? 0 : 255);
}

/** From the row above and from the left. What lies beyond the row's end has no seeds, so it shortens no way. */
function spreadForward(row: usize, width: i32, stride: i32): void {
  const far = i8x16.splat(-1);
  const one = i8x16.splat(1);
  const two = i8x16.splat(2);
  const four = i8x16.splat(4);
  const eight = i8x16.splat(8);
  const steps = i8x16(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  let before = far;
  for (let x = 0; x < width; x += 16) {
    const at = row + x;
    const above = at - stride;
    const nearest = i8x16.min_u(v128.load(above - 1), i8x16.min_u(v128.load(above), v128.load(above + 1)));
    let v = i8x16.min_u(v128.load(at), i8x16.add_sat_u(nearest, one));
    let moved = i8x16.shuffle(far, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, one));
    moved = i8x16.shuffle(far, v, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, two));
    moved = i8x16.shuffle(far, v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, four));
    moved = i8x16.shuffle(far, v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, eight));
    v = i8x16.min_u(v, i8x16.add_sat_u(before, steps));
    v128.store(at, v);
    before = i8x16.shuffle(v, v, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
  }
}

/** From the row below and from the right. */
function spreadBackward(row: usize, width: i32, stride: i32): void {
  const far = i8x16.splat(-1);
  const one = i8x16.splat(1);
  const two = i8x16.splat(2);
  const four = i8x16.splat(4);
  const eight = i8x16.splat(8);
  const steps = i8x16(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  let after = far;
  for (let x = (width - 1) & ~15; x >= 0; x -= 16) {
    const at = row + x;
    const below = at + stride;
    const nearest = i8x16.min_u(v128.load(below - 1), i8x16.min_u(v128.load(below), v128.load(below + 1)));
    let v = i8x16.min_u(v128.load(at), i8x16.add_sat_u(nearest, one));
    let moved = i8x16.shuffle(v, far, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, one));
    moved = i8x16.shuffle(v, far, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, two));
    moved = i8x16.shuffle(v, far, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, four));
    moved = i8x16.shuffle(v, far, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
    v = i8x16.min_u(v, i8x16.add_sat_u(moved, eight));
    v = i8x16.min_u(v, i8x16.add_sat_u(after, steps));
    v128.store(at, v);
    after = i8x16.shuffle(v, v, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
