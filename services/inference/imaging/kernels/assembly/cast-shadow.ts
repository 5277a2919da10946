/** Shadows on the ground: what rays of a light cover, and how dark that makes it. */

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

/**
 * Samples a map of the ground between two of its rows.
 *
 * @param upper and `lower`: f32, `width` values
 * @param below the lower row's share
 * @param line room for `width + 1` values
 * @param leftOf i32, the byte at which the value left of each point begins, and f32 `shareOf` the next one's share; read and written up to
 * one value beyond the end
 */
export function sampleGroundRow(
  upper: usize,
  lower: usize,
  below: f64,
  width: i32,
  line: usize,
  leftOf: usize,
  shareOf: usize,
  count: i32,
  row: usize,
): void {
  for (let x = 0; x < width << 2; x += 4) {
    const from = <f64>load<f32>(upper + x);
    store<f32>(line + x, <f32>(from + (<f64>load<f32>(lower + x) - from) * below));
  }
  store<f32>(line + (width << 2), load<f32>(line + ((width - 1) << 2)));
  for (let i = 0; i < count << 2; i += 8) {
    const first = f64x2.promote_low_f32x4(v128.load64_zero(line + <usize>load<i32>(leftOf + i)));
    const second = f64x2.promote_low_f32x4(v128.load64_zero(line + <usize>load<i32>(leftOf + i, 4)));
    const left = v128.shuffle<i64>(first, second, 0, 2);
    const right = v128.shuffle<i64>(first, second, 1, 3);
    const shares = pairAt(shareOf + i);
    storePair(row + i, f64x2.add(left, f64x2.mul(f64x2.sub(right, left), shares)));
  }
}

/**
 * How dark the ground is, 0–1.
 *
 * @param lamp and `sky`: f32, the shares of the lamp and of the sky that are hidden from each point; read and written up to one value
 * beyond the end
 * @param lampTaken and `skyTaken`: what a point loses where all of a light is hidden
 * @param takenMin a loss that is not seen
 * @param footFrom and `footTo`: the shares of the sky at which the product's foot begins and is sure
 * @param perceived f64, how much darker a ground looks that loses so many 1,024ths of its light
 * @param out f32
 */
export function darkenGround(
  lamp: usize,
  sky: usize,
  count: i32,
  lampTaken: f64,
  skyTaken: f64,
  takenMin: f64,
  darknessMin: f64,
  opacity: f64,
  foot: f64,
  footFrom: f64,
  footTo: f64,
  perceived: usize,
  out: usize,
): void {
  const none = f64x2.splat(0);
  const one = f64x2.splat(1);
  const lampGain = f64x2.splat(lampTaken);
  const skyGain = f64x2.splat(skyTaken);
  const least = f64x2.splat(takenMin);
  const unseen = f64x2.splat(darknessMin);
  const seen = f64x2.splat(1 - darknessMin);
  const strength = f64x2.splat(opacity);
  const atFoot = f64x2.splat(foot);
  const beginning = f64x2.splat(footFrom);
  const wide = f64x2.splat(footTo - footFrom);
  for (let i = 0; i < count << 2; i += 8) {
    const hidden = pairAt(sky + i);
    const taken = f64x2.add(f64x2.mul(lampGain, pairAt(lamp + i)), f64x2.mul(skyGain, hidden));
    const place = f64x2.mul(taken, f64x2.splat(1024));
    const whole = f64x2.floor(place);
    const steps = i32x4.trunc_sat_f64x2_u_zero(whole);
    const first = v128.load(perceived + ((<usize>i32x4.extract_lane(steps, 0)) << 3));
    const second = v128.load(perceived + ((<usize>i32x4.extract_lane(steps, 1)) << 3));
    const low = v128.shuffle<i64>(first, second, 0, 2);
    const next = v128.shuffle<i64>(first, second, 1, 3);
    const lost = f64x2.add(low, f64x2.mul(f64x2.sub(next, low), f64x2.sub(place, whole)));
    const dark = f64x2.div(f64x2.mul(strength, f64x2.max(none, f64x2.sub(lost, unseen))), seen);
    const shown = v128.and(dark, f64x2.ge(taken, least));
    const share = f64x2.min(one, f64x2.max(none, f64x2.div(f64x2.sub(hidden, beginning), wide)));
    const beside = f64x2.mul(share, f64x2.sqrt(share));
    const left = f64x2.mul(f64x2.sub(one, shown), f64x2.sub(one, f64x2.mul(atFoot, beside)));
    storePair(out + i, f64x2.sub(one, left));
  }
}

function pairAt(values: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(values));
}

function storePair(to: usize, values: v128): void {
  v128.store64_lane(to, f32x4.demote_f64x2_zero(values), 0);
}
