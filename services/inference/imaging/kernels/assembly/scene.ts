/** Rows of scenes: tone mapping, and the product over its scene. A pixel is a vector of its channels. */

/**
 * Light to display values, in place: exposure with the vignette, tint, saturation and tone curve.
 *
 * @param light f32, interleaved RGB; read up to one value beyond the end
 * @param centerX and `rowShare`: the vignette's center, and this row's part of the distance from it
 * @param perCorner 1 ÷ the squared distance of a corner
 * @param curve f32, display values of ranges of light, which are those of floats that share their upper bits
 * @param shift bits of a float that are not of its range; the first range is that of the bits `least`
 * @param last the curve's last entry
 */
export function toneMapRow(
  light: usize,
  pixels: i32,
  centerX: f32,
  rowShare: f32,
  perCorner: f32,
  exposure: f32,
  vignette: f32,
  tintR: f32,
  tintG: f32,
  tintB: f32,
  saturation: f32,
  curve: usize,
  shift: i32,
  least: i32,
  last: i32,
): void {
  const tint = f32x4(tintR, tintG, tintB, 0);
  const weights = f32x4(0.2126, 0.7152, 0.0722, 0);
  const ranges = i32x4.splat(last);
  const below = i32x4.splat(least);
  const kept = f32x4.splat(saturation);
  for (let x = 0; x < pixels; x++, light += 12) {
    const dx = <f32>x - centerX;
    const distance = (dx * dx + rowShare) * perCorner;
    const gain = exposure * (1 - vignette * distance * (<f32>0.55 + <f32>0.45 * distance));
    const v = f32x4.mul(f32x4.mul(v128.load(light), f32x4.splat(gain)), tint);
    const parts = f32x4.mul(v, weights);
    const gray = f32x4.splat(
      f32x4.extract_lane(parts, 0) + f32x4.extract_lane(parts, 1) + f32x4.extract_lane(parts, 2),
    );
    // Negative light has negative bits, too.
    const bits = f32x4.add(gray, f32x4.mul(f32x4.sub(v, gray), kept));
    const at = i32x4.shl(
      i32x4.min_s(ranges, i32x4.max_s(i32x4.splat(0), i32x4.sub(i32x4.shr_s(bits, shift), below))),
      2,
    );
    store<f32>(light, load<f32>(curve + <usize>i32x4.extract_lane(at, 0)));
    store<f32>(light, load<f32>(curve + <usize>i32x4.extract_lane(at, 1)), 4);
    store<f32>(light, load<f32>(curve + <usize>i32x4.extract_lane(at, 2)), 8);
  }
}

/**
 * One row of the product over its scene.
 *
 * @param rgb u8, interleaved; `alpha` u8: the product
 * @param scene f32, interleaved RGB of a row of the scene, with one pixel more than it has
 * @param leftOf i32, the byte at which the scene's pixel left of each pixel begins, and f32 `shareOf` the next one's share
 * @param shadow f32, darkness at points of the shadow's grid; 0: no shadow in this row
 * @param pointOf and `pointShare`: as `leftOf`, for that grid
 * @param mirrored f32x4 per point: premultiplied color and alpha of the reflection; 0: none
 * @param takenR and the others: the share of each channel that a full shadow takes
 * @param addedR and the others: the light of its own color, 0–255
 * @param grain f32, 65,536 values of noise, of which the row begins behind `grainAt`
 * @param wrap the scene's share that is added to soft edges
 * @param out u8, interleaved; written up to one byte beyond the end
 */
export function composeSceneRow(
  rgb: usize,
  alpha: usize,
  width: i32,
  scene: usize,
  leftOf: usize,
  shareOf: usize,
  shadow: usize,
  mirrored: usize,
  pointOf: usize,
  pointShare: usize,
  takenR: f32,
  takenG: f32,
  takenB: f32,
  addedR: f32,
  addedG: f32,
  addedB: f32,
  grain: usize,
  grainAt: i32,
  wrap: f32,
  out: usize,
): void {
  const taken = f32x4(takenR, takenG, takenB, 0);
  const added = f32x4(addedR, addedG, addedB, 0);
  const one = f32x4.splat(1);
  for (let x = 0; x < width; x++, rgb += 3, out += 3) {
    grainAt = (grainAt + 1) & 0xffff;
    const own = load<u8>(alpha + x);
    if (own === 255) {
      if (x <= width - 16 && copyOpaque(alpha + x, rgb, out)) {
        grainAt += 15;
        x += 15;
        rgb += 45;
        out += 45;
        continue;
      }
      store<u16>(out, load<u16>(rgb));
      store<u8>(out, load<u8>(rgb, 2), 2);
      continue;
    }
    const left = scene + <usize>load<i32>(leftOf + (x << 2));
    const a = v128.load(left);
    let v = f32x4.add(a, f32x4.mul(f32x4.sub(v128.load(left, 12), a), v128.load32_splat(shareOf + (x << 2))));
    if (shadow !== 0) {
      const point = <usize>load<i32>(pointOf + (x << 2));
      if (mirrored !== 0) {
        const mirror = v128.load(mirrored + (point << 4));
        v = f32x4.add(f32x4.mul(v, f32x4.sub(one, f32x4.splat(f32x4.extract_lane(mirror, 3)))), mirror);
      }
      const at = shadow + (point << 2);
      const upper = load<f32>(at);
      const darkness = upper + (load<f32>(at, 4) - upper) * load<f32>(pointShare + (x << 2));
      const dark = f32x4.splat(darkness);
      v = f32x4.add(f32x4.mul(v, f32x4.sub(one, f32x4.mul(dark, taken))), f32x4.mul(dark, added));
    }
    v = f32x4.add(v, f32x4.mul(v128.load32_splat(grain + (grainAt << 2)), grainStrength(v)));
    if (own > 0) {
      const share = <f32>own / 255;
      const product = f32x4(<f32>load<u8>(rgb), <f32>load<u8>(rgb, 1), <f32>load<u8>(rgb, 2), 0);
      v = f32x4.add(v, f32x4.mul(f32x4.sub(product, v), f32x4.splat(share * (1 - wrap * (1 - share)))));
    }
    const rounded = i32x4.trunc_sat_f32x4_s(f32x4.add(v, f32x4.splat(0.5)));
    const halves = i16x8.narrow_i32x4_s(rounded, rounded);
    // The fourth byte is the next pixel's, which is written after this one.
    v128.store32_lane(out, i8x16.narrow_i16x8_u(halves, halves), 0);
  }
}

/** Copies 16 pixels if all of them are opaque. */
function copyOpaque(alpha: usize, rgb: usize, out: usize): bool {
  if (!i8x16.all_true(i8x16.eq(v128.load(alpha), i8x16.splat(-1)))) return false;
  v128.store(out, v128.load(rgb));
  v128.store(out, v128.load(rgb, 16), 16);
  v128.store(out, v128.load(rgb, 32), 32);
  return true;
}

/** Film has most grain in its middle tones. */
function grainStrength(v: v128): v128 {
  const slope = f32x4.sub(f32x4.splat(0.004), f32x4.mul(v, f32x4.splat(0.0000145)));
  return f32x4.add(f32x4.splat(0.55), f32x4.mul(v, slope));
}
