/** Rows of planes and images: mixed, enlarged, smoothed. */

/** Mixes two rows: the second one's share is `share`. */
export function mixRows(first: usize, second: usize, share: f32, length: i32, out: usize): void {
  const shares = f32x4.splat(share);
  let i = 0;
  for (; i <= length - 4; i += 4) {
    const a = v128.load(first + (i << 2));
    v128.store(out + (i << 2), f32x4.add(a, f32x4.mul(f32x4.sub(v128.load(second + (i << 2)), a), shares)));
  }
  for (; i < length; i++) {
    const a = load<f32>(first + (i << 2));
    store<f32>(out + (i << 2), a + (load<f32>(second + (i << 2)) - a) * share);
  }
}

/**
 * A row of light, from a row of larger cells.
 *
 * @param cells f32x4, of which three are colors; the last cell twice
 * @param leftOf i32, the byte at which the cell left of each pixel begins, and f32 `shareOf` the next one's share
 * @param keep the share of what the row has been
 * @param row f32, interleaved RGB; read up to one value beyond the end
 */
export function enlargeRow(cells: usize, leftOf: usize, shareOf: usize, width: i32, keep: f32, row: usize): void {
  const kept = f32x4.splat(keep);
  for (let x = 0; x < width; x++, row += 12) {
    const left = cells + <usize>load<i32>(leftOf + (x << 2));
    const a = v128.load(left);
    const v = f32x4.add(a, f32x4.mul(f32x4.sub(v128.load(left, 16), a), v128.load32_splat(shareOf + (x << 2))));
    const mixed = f32x4.add(v, f32x4.mul(f32x4.sub(v128.load(row), v), kept));
    v128.store64_lane(row, mixed, 0);
    v128.store32_lane(row, mixed, 2, 8);
  }
}

/** Three planes as vectors of their values; the last of each row twice. */
export function interleaveCells(red: usize, green: usize, blue: usize, width: i32, height: i32, cells: usize): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, red += 4, green += 4, blue += 4, cells += 16) {
      v128.store(cells, f32x4(load<f32>(red), load<f32>(green), load<f32>(blue), 0));
    }
    v128.store(cells, v128.load(cells - 16));
    cells += 16;
  }
}

/** A box filter along rows, whose edge values repeat outward, in doubles. */
export function boxFilterRows(plane: usize, width: i32, height: i32, radius: i32, out: usize): void {
  const stride: usize = width << 2;
  let y = 0;
  for (; y <= height - 4; y += 4) filterFourRows(plane + y * stride, width, radius, stride, out + y * stride);
  for (; y < height; y++) filterRow(plane + y * stride, width, radius, out + y * stride);
}

/** Four rows side by side: the sums of one row wait for each other. */
function filterFourRows(row: usize, width: i32, radius: i32, stride: usize, out: usize): void {
  const last = width - 1;
  const scale = f64x2.splat(1 / <f64>(2 * radius + 1));
  const second = stride;
  const third = 2 * stride;
  const fourth = 3 * stride;
  let upper = f64x2.splat(0);
  let lower = f64x2.splat(0);
  for (let i = -radius; i <= radius; i++) {
    const at = row + (min(last, max(0, i)) << 2);
    upper = f64x2.add(upper, f64x2(load<f32>(at), load<f32>(at + second)));
    lower = f64x2.add(lower, f64x2(load<f32>(at + third), load<f32>(at + fourth)));
  }
  for (let i = 0; i < width; i++) {
    const to = out + (i << 2);
    const a = f64x2.mul(upper, scale);
    const b = f64x2.mul(lower, scale);
    store<f32>(to, <f32>f64x2.extract_lane(a, 0));
    store<f32>(to + second, <f32>f64x2.extract_lane(a, 1));
    store<f32>(to + third, <f32>f64x2.extract_lane(b, 0));
    store<f32>(to + fourth, <f32>f64x2.extract_lane(b, 1));
    const enter = row + (min(last, i + radius + 1) << 2);
    const leave = row + (max(0, i - radius) << 2);
    upper = f64x2.add(
      upper,
      f64x2.sub(f64x2(load<f32>(enter), load<f32>(enter + second)), f64x2(load<f32>(leave), load<f32>(leave + second))),
    );
    lower = f64x2.add(
      lower,
      f64x2.sub(
        f64x2(load<f32>(enter + third), load<f32>(enter + fourth)),
        f64x2(load<f32>(leave + third), load<f32>(leave + fourth)),
      ),
    );
  }
}

function filterRow(row: usize, width: i32, radius: i32, out: usize): void {
  const last = width - 1;
  const scale = 1 / <f64>(2 * radius + 1);
  let sum: f64 = 0;
  for (let i = -radius; i <= radius; i++) sum += <f64>load<f32>(row + (min(last, max(0, i)) << 2));
  for (let i = 0; i < width; i++) {
    store<f32>(out + (i << 2), <f32>(sum * scale));
    const entering = <f64>load<f32>(row + (min(last, i + radius + 1) << 2));
    sum += entering - <f64>load<f32>(row + (max(0, i - radius) << 2));
  }
}

/** The same along columns. @param sums f64, `width` of them and one more */
export function boxFilterColumns(plane: usize, width: i32, height: i32, radius: i32, sums: usize, out: usize): void {
  const last = height - 1;
  const stride: usize = width << 2;
  const scale = f64x2.splat(1 / <f64>(2 * radius + 1));
  for (let x = 0; x < width; x += 2) v128.store(sums + (x << 3), f64x2.splat(0));
  for (let i = -radius; i <= radius; i++) {
    const row = plane + min(last, max(0, i)) * stride;
    for (let x = 0; x < width; x += 2) {
      const sum = sums + (x << 3);
      v128.store(sum, f64x2.add(v128.load(sum), doublesAt(row + (x << 2))));
    }
  }
  for (let y = 0; y < height; y++) {
    const to = out + y * stride;
    const enter = plane + min(last, y + radius + 1) * stride;
    const leave = plane + max(0, y - radius) * stride;
    let x = 0;
    for (; x < width - 1; x += 2) {
      const sum = v128.load(sums + (x << 3));
      v128.store64_lane(to + (x << 2), f32x4.demote_f64x2_zero(f64x2.mul(sum, scale)), 0);
      const change = f64x2.sub(doublesAt(enter + (x << 2)), doublesAt(leave + (x << 2)));
      v128.store(sums + (x << 3), f64x2.add(sum, change));
    }
    if (x < width) {
      const sum = load<f64>(sums + (x << 3));
      store<f32>(to + (x << 2), <f32>(sum * f64x2.extract_lane(scale, 0)));
      const change = <f64>load<f32>(enter + (x << 2)) - <f64>load<f32>(leave + (x << 2));
      store<f64>(sums + (x << 3), sum + change);
    }
  }
}

function doublesAt(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/**
 * Means of the squares of some rows of an image, the last of which may be narrower.
 *
 * @param rows f32, `count` rows of interleaved RGB
 * @param red and the others: f32, one value for each square
 */
export function meansOfSquares(
  rows: usize,
  width: i32,
  count: i32,
  step: i32,
  red: usize,
  green: usize,
  blue: usize,
): void {
  for (let x = 0; x < width; x += step, red += 4, green += 4, blue += 4) {
    const end = min(width, x + step);
    let sum = f32x4.splat(0);
    for (let y = 0; y < count; y++) {
      for (let i = x; i < end; i++) sum = f32x4.add(sum, v128.load(rows + (y * width + i) * 12));
    }
    const mean = f32x4.div(sum, f32x4.splat(<f32>(count * (end - x))));
    v128.store32_lane(red, mean, 0);
    v128.store32_lane(green, mean, 1);
    v128.store32_lane(blue, mean, 2);
  }
}
