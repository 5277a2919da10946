/** Marks on the ground beside a product, on a coarse grid. */

/**
 * A row of cells, each the mean of a pixel of the upper row and one of the lower.
 *
 * @param upper and `lower`: rows of RGB, and of the matte
 * @param columns i32, the two pixels of each cell
 * @param luma u8
 * @param product u8: 1 where the matte of either pixel exceeds `alphaMax`
 */
export function reduceGroundRow(
  upper: usize,
  lower: usize,
  upperAlpha: usize,
  lowerAlpha: usize,
  columns: usize,
  width: i32,
  alphaMax: i32,
  luma: usize,
  product: usize,
): void {
  for (let x = 0; x < width; x++) {
    const a: usize = load<i32>(columns + (x << 3));
    const b: usize = load<i32>(columns + (x << 3), 4);
    const one = upper + 3 * a;
    const other = lower + 3 * b;
    const red = <i32>load<u8>(one) + <i32>load<u8>(other);
    const green = <i32>load<u8>(one, 1) + <i32>load<u8>(other, 1);
    const blue = <i32>load<u8>(one, 2) + <i32>load<u8>(other, 2);
    store<u8>(luma + x, (red + 2 * green + blue) >> 3);
    const alpha = max(<i32>load<u8>(upperAlpha + a), <i32>load<u8>(lowerAlpha + b));
    store<u8>(product + x, <i32>(alpha > alphaMax));
  }
}

/** A cell of the ground counts so much, and its luma is added: both sums over a square fit one word. */
const counted: i32 = 1 << 18;
const lumaMask: i32 = counted - 1;

/**
 * The difference of each cell of the ground from the mean of the ground in the square around it, where it is `contrastMin` or more; else 0.
 *
 * @param near u8: 1 where a cell is left out, near the product
 * @param reach half the side of the square, at most 15
 * @param columns i32, `width` + 4: scratch
 * @param sums i32, `width` + 2 `reach` + 8: scratch
 * @param contrasts f32, with a margin of one cell on each side, cleared
 * @param counts i32: how many cells are looked at, and how many of them differ
 */
export function contrastsOfGround(
  luma: usize,
  product: usize,
  near: usize,
  width: i32,
  height: i32,
  reach: i32,
  contrastMin: i32,
  columns: usize,
  sums: usize,
  contrasts: usize,
  counts: usize,
): void {
  memory.fill(columns, 0, width << 2);
  for (let y = 0; y < min(reach, height); y++) addRow(luma + y * width, product + y * width, width, 1, columns);
  let ground = 0;
  let marked = 0;
  for (let y = 0; y < height; y++) {
    const entering = y + reach;
    const leaving = y - reach - 1;
    if (entering < height) addRow(luma + entering * width, product + entering * width, width, 1, columns);
    if (leaving >= 0) addRow(luma + leaving * width, product + leaving * width, width, -1, columns);
    sumColumns(columns, width, reach, sums);
    const row = y * width;
    for (let x = 0; x < width; x += 4) {
      const within = width - x < 4 ? (1 << (width - x)) - 1 : 15;
      const isNear = i32x4.ne(wordsOf(near + row + x), i32x4.splat(0));
      const looked = ~i32x4.bitmask(isNear) & within;
      if (looked === 0) continue;
      ground += popcnt(looked);
      const after = v128.load(sums + ((x + 2 * reach + 1) << 2));
      const square = i32x4.sub(after, v128.load(sums + (x << 2)));
      const cells = i32x4.shr_u(square, 18);
      const sum = v128.and(square, i32x4.splat(lumaMask));
      // Multiplied by the number of cells, all is whole: no division where a cell is like its surroundings.
      const difference = i32x4.abs(i32x4.sub(i32x4.mul(wordsOf(luma + row + x), cells), sum));
      const differs = i32x4.ge_s(difference, i32x4.mul(cells, i32x4.splat(contrastMin)));
      for (let bits = i32x4.bitmask(differs) & looked; bits !== 0; bits &= bits - 1) {
        const at = x + ctz(bits);
        const around = load<i32>(sums + ((at + 2 * reach + 1) << 2)) - load<i32>(sums + (at << 2));
        const mean = <f64>(around & lumaMask) / <f64>(<u32>around >> 18);
        store<f32>(contrasts + (((y + 1) * (width + 2) + at + 1) << 2), <f32>(<f64>load<u8>(luma + row + at) - mean));
        marked++;
      }
    }
  }
  store<i32>(counts, ground);
  store<i32>(counts, marked, 4);
}

/** Four bytes as words. */
function wordsOf(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

/** Adds a row's ground to the columns, or takes it away again. The columns have room for three more. */
function addRow(luma: usize, product: usize, width: i32, sign: i32, columns: usize): void {
  const signs = i32x4.splat(sign);
  for (let x = 0; x < width; x += 4) {
    const isGround = i32x4.eq(wordsOf(product + x), i32x4.splat(0));
    const value = v128.and(v128.or(wordsOf(luma + x), i32x4.splat(counted)), isGround);
    const column = columns + (x << 2);
    v128.store(column, i32x4.add(v128.load(column), i32x4.mul(value, signs)));
  }
}

/**
 * The sums of all columns before each one, first and last repeated: what two of them differ by is the sum between them, also where
 * they have wrapped around.
 */
function sumColumns(columns: usize, width: i32, reach: i32, sums: usize): void {
  memory.fill(sums, 0, reach << 2);
  let at = sums + (reach << 2);
  let sum = 0;
  for (let x = 0; x < width; x++, at += 4) {
    store<i32>(at, sum);
    sum += load<i32>(columns + (x << 2));
  }
  for (let n = 0; n <= reach; n++, at += 4) store<i32>(at, sum);
}

/** Bytes of a mark: sums of its contrasts and of their squares (f64), then left, right, top, bottom and its cells (i32). */
const markBytes: usize = 40;

/**
 * Spots of cells that touch, also at corners, and differ in the same direction.
 *
 * @param contrasts f32, with a margin of one cell on each side; all 0 afterwards
 * @param stack i32, two for each cell
 * @param marks room for one of each `cellsMin` cells
 * @returns how many spots have `cellsMin` cells or more
 */
export function collectMarks(
  contrasts: usize,
  width: i32,
  height: i32,
  cellsMin: i32,
  stack: usize,
  marks: usize,
): i32 {
  const stride = width + 2;
  const length = stride * (height + 2);
  let found = 0;
  for (let first = 0; first < length; first += 4) {
    const bits = i32x4.bitmask(f32x4.ne(v128.load(contrasts + (first << 2)), f32x4.splat(0)));
    for (let lane = 0; bits >> lane !== 0; lane++) {
      const at = first + lane;
      // It may have become a part of a spot that began before it, or lie beyond the plane.
      if (at >= length || load<f32>(contrasts + (at << 2)) === 0) continue;
      const mark = marks + found * markBytes;
      takeSpot(contrasts, stride, at, stack, mark);
      if (load<i32>(mark, 32) >= cellsMin) found++;
    }
  }
  return found;
}

function takeSpot(contrasts: usize, stride: i32, first: i32, stack: usize, mark: usize): void {
  const sign: f32 = load<f32>(contrasts + (first << 2)) > 0 ? 1 : -1;
  let sum: f64 = 0;
  let squares: f64 = 0;
  let left = i32.MAX_VALUE;
  let right = 0;
  let top = i32.MAX_VALUE;
  let bottom = 0;
  let cells = 0;
  let end = push(stack, first % stride, first / stride);
  let contrast = takeCell(contrasts + (first << 2));
  sum += contrast;
  squares += contrast * contrast;
  while (end > stack) {
    end -= 8;
    const x = load<i32>(end);
    const y = load<i32>(end, 4);
    cells++;
    left = min(left, x);
    right = max(right, x);
    top = min(top, y);
    bottom = max(bottom, y);
    for (let beside = y - 1; beside <= y + 1; beside++) {
      for (let next = x - 1; next <= x + 1; next++) {
        const neighbor = contrasts + ((beside * stride + next) << 2);
        if (load<f32>(neighbor) * sign <= 0) continue;
        contrast = takeCell(neighbor);
        sum += contrast;
        squares += contrast * contrast;
        end = push(end, next, beside);
      }
    }
  }
  store<f64>(mark, sum);
  store<f64>(mark, squares, 8);
  store<i32>(mark, left - 1, 16);
  store<i32>(mark, right - 1, 20);
  store<i32>(mark, top - 1, 24);
  store<i32>(mark, bottom - 1, 28);
  store<i32>(mark, cells, 32);
}

function push(end: usize, x: i32, y: i32): usize {
  store<i32>(end, x);
  store<i32>(end, y, 4);
  return end + 8;
}

/** A cell's contrast, which nobody takes again. */
function takeCell(at: usize): f64 {
  const contrast = <f64>load<f32>(at);
  store<f32>(at, 0);
  return contrast;
}
