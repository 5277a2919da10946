/** Bilinear interpolation in a field of floats, in doubles, as in pixels/bilinear.ts. */

/**
 * Interpolates the field's columns that a run of pixels reads at the run's height.
 *
 * @param above and `below`: the field's rows, `channels` f32 per cell
 * @param row f64, `channels` per cell
 */
export function interpolateRows(
  above: usize,
  below: usize,
  weight: f64,
  firstCell: i32,
  endCell: i32,
  channels: i32,
  row: usize,
): void {
  const end = endCell * channels;
  let k = firstCell * channels;
  const lower = f64x2.splat(weight);
  const upper = f64x2.splat(1 - weight);
  for (; k <= end - 2; k += 2) {
    const a = f64x2.promote_low_f32x4(v128.load64_zero(above + (k << 2)));
    const b = f64x2.promote_low_f32x4(v128.load64_zero(below + (k << 2)));
    v128.store(row + (k << 3), f64x2.add(f64x2.mul(a, upper), f64x2.mul(b, lower)));
  }
  if (k < end) {
    const value = <f64>load<f32>(above + (k << 2)) * (1 - weight) + <f64>load<f32>(below + (k << 2)) * weight;
    store<f64>(row + (k << 3), value);
  }
}

/** One value between two cells of an interpolated row. */
export function between(at: usize, next: usize, weight: f64): f64 {
  return load<f64>(at) * (1 - weight) + load<f64>(next) * weight;
}
