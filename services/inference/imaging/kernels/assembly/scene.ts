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

/**
 * Counts the places of the ground that one ray's slabs cover. The ground is blocks of eight columns, `depth + 1` places each, of which
 * the columns' values lie side by side.
 *
 * @param column and `height`, `near`, `far`: f32, `count` slabs, near and far in places; read up to three values beyond the end
 * @param slopeX and `slopeZ`: how far the ray moves a slab for each unit of its height; `fromX` and `fromZ`: for all
 * @param width columns of the ground
 * @param edges i16, zeros, with one value more than the ground has; zeros again at the end
 * @param hits u16, of each place
 */
export function countCovered(
  column: usize,
  height: usize,
  near: usize,
  far: usize,
  count: i32,
  slopeX: f64,
  slopeZ: f64,
  fromX: f64,
  fromZ: f64,
  width: i32,
  depth: i32,
  edges: usize,
  hits: usize,
): void {
  const blockBytes = (depth + 1) << 4;
  const slopesX = f64x2.splat(slopeX);
  const slopesZ = f64x2.splat(slopeZ);
  const startX = f64x2.splat(fromX);
  const startZ = f64x2.splat(fromZ);
  const none = i32x4.splat(0);
  const widths = i32x4.splat(width);
  const depths = i32x4.splat(depth);
  // What a slab outside of the ground adds to this value it takes away again.
  const outside = i32x4.splat(((width + 7) >> 3) * blockBytes);
  let leastX = widths;
  let mostX = i32x4.splat(-1);
  let leastZ = depths;
  let mostZ = none;
  for (let i = 0; i < count; i += 4) {
    const at = (<usize>i) << 2;
    const heights = v128.load(height + at);
    const low = f64x2.promote_low_f32x4(heights);
    const high = f64x2.promote_low_f32x4(upperHalf(heights));
    const x = across(v128.load(column + at), f64x2.mul(slopesX, low), f64x2.mul(slopesX, high), startX);
    const lowShift = f64x2.add(f64x2.mul(slopesZ, low), startZ);
    const highShift = f64x2.add(f64x2.mul(slopesZ, high), startZ);
    let from = shifted(v128.load(near + at), lowShift, highShift);
    let to = i32x4.add(shifted(v128.load(far + at), lowShift, highShift), i32x4.splat(1));
    const isSlab = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - i));
    const isAcross = v128.and(i32x4.ge_s(x, none), i32x4.lt_s(x, widths));
    const isDown = v128.and(i32x4.gt_s(to, none), i32x4.lt_s(from, depths));
    const isInside = v128.and(isSlab, v128.and(isAcross, isDown));
    if (!v128.any_true(isInside)) continue;
    from = i32x4.max_s(none, from);
    to = i32x4.min_s(depths, to);
    leastX = i32x4.min_s(leastX, v128.bitselect(x, leastX, isInside));
    mostX = i32x4.max_s(mostX, v128.bitselect(x, mostX, isInside));
    leastZ = i32x4.min_s(leastZ, v128.bitselect(from, leastZ, isInside));
    mostZ = i32x4.max_s(mostZ, v128.bitselect(to, mostZ, isInside));
    const first = i32x4.add(
      i32x4.mul(i32x4.shr_s(x, 3), i32x4.splat(blockBytes)),
      i32x4.shl(v128.and(x, i32x4.splat(7)), 1),
    );
    const opens = v128.bitselect(i32x4.add(first, i32x4.shl(from, 4)), outside, isInside);
    const ends = v128.bitselect(i32x4.add(first, i32x4.shl(to, 4)), outside, isInside);
    addToEdges(edges, opens, 1);
    addToEdges(edges, ends, -1);
  }
  const lastBlock = mostOf(mostX) >> 3;
  const firstPlace = leastOf(leastZ);
  const endPlace = mostOf(mostZ);
  for (let block = leastOf(leastX) >> 3; block <= lastBlock; block++) {
    const places = block * blockBytes;
    addHits(edges + places, hits + places, firstPlace << 4, endPlace << 4);
  }
}

function upperHalf(values: v128): v128 {
  return v128.shuffle<i32>(values, values, 2, 3, 2, 3);
}

/** The integers below two pairs of numbers. */
function wholes(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(
    i32x4.trunc_sat_f64x2_s_zero(f64x2.floor(low)),
    i32x4.trunc_sat_f64x2_s_zero(f64x2.floor(high)),
    0,
    1,
    4,
    5,
  );
}

function across(columns: v128, low: v128, high: v128, start: v128): v128 {
  return wholes(
    f64x2.add(f64x2.add(f64x2.promote_low_f32x4(columns), low), start),
    f64x2.add(f64x2.add(f64x2.promote_low_f32x4(upperHalf(columns)), high), start),
  );
}

function shifted(places: v128, lowShift: v128, highShift: v128): v128 {
  return wholes(
    f64x2.add(f64x2.promote_low_f32x4(places), lowShift),
    f64x2.add(f64x2.promote_low_f32x4(upperHalf(places)), highShift),
  );
}

function addToEdges(edges: usize, at: v128, change: i32): void {
  addToEdge(edges + <usize>i32x4.extract_lane(at, 0), change);
  addToEdge(edges + <usize>i32x4.extract_lane(at, 1), change);
  addToEdge(edges + <usize>i32x4.extract_lane(at, 2), change);
  addToEdge(edges + <usize>i32x4.extract_lane(at, 3), change);
}

function addToEdge(edge: usize, change: i32): void {
  store<i16>(edge, load<i16>(edge) + change);
}

function leastOf(values: v128): i32 {
  return -mostOf(i32x4.neg(values));
}

function mostOf(values: v128): i32 {
  const halves = i32x4.max_s(values, v128.shuffle<i32>(values, values, 2, 3, 0, 1));
  return max(i32x4.extract_lane(halves, 0), i32x4.extract_lane(halves, 1));
}

/** Counts the open places of eight columns, from the byte `first` on, and clears their edges. */
function addHits(edges: usize, hits: usize, first: i32, end: i32): void {
  const none = i16x8.splat(0);
  let open = none;
  for (let at = first; at < end; at += 16) {
    open = i16x8.add(open, v128.load(edges + at));
    v128.store(edges + at, none);
    v128.store(hits + at, i16x8.sub(v128.load(hits + at), i16x8.gt_s(open, none)));
  }
  v128.store(edges + end, none);
}

/**
 * Counts once more each cell of a plane on which any of several copies of a mask lies.
 *
 * @param mask u8, 0 or 1, `width` × `height`
 * @param places i32, `copies` pairs: the column and row of the plane at which a copy begins, which may be outside of it
 * @param marks room for a row of the plane
 * @param hits u8, `across` × `down`: the plane
 */
export function countShifted(
  mask: usize,
  width: i32,
  height: i32,
  places: usize,
  copies: i32,
  marks: usize,
  hits: usize,
  across: i32,
  down: i32,
): void {
  let first = down;
  let end = 0;
  for (let i = 0; i < copies; i++) {
    const top = load<i32>(places + (i << 3), 4);
    first = min(first, max(0, top));
    end = max(end, min(down, top + height));
  }
  for (let y = first; y < end; y++) {
    memory.fill(marks, 0, across);
    for (let i = 0; i < copies; i++) {
      const left = load<i32>(places + (i << 3));
      const row = y - load<i32>(places + (i << 3), 4);
      if (row < 0 || row >= height) continue;
      const start = max(0, -left);
      joinMarks(mask + row * width + start, min(width, across - left) - start, marks + left + start);
    }
    addMarks(marks, across, hits + y * across);
  }
}

function joinMarks(from: usize, length: i32, to: usize): void {
  let i = 0;
  for (; i <= length - 16; i += 16) v128.store(to + i, v128.or(v128.load(to + i), v128.load(from + i)));
  for (; i < length; i++) store<u8>(to + i, load<u8>(to + i) | load<u8>(from + i));
}

function addMarks(marks: usize, length: i32, to: usize): void {
  let i = 0;
  for (; i <= length - 16; i += 16) v128.store(to + i, i8x16.add(v128.load(to + i), v128.load(marks + i)));
  for (; i < length; i++) store<u8>(to + i, load<u8>(to + i) + load<u8>(marks + i));
}
