/** Deflate (RFC 1951) of a PNG's filtered rows of four bytes a pixel, as `deflateRows` in codec/ puts it together. */

const hashBits: i32 = 13;
const windowBytes: i32 = 32_768;
const longestMatch: i32 = 258;
/** A shorter match takes more bits than the bytes themselves. */
const shortestMatch: i32 = 4;
const upFilter: u8 = 2;
const endOfBlock: i32 = 256;
/** Where the distances' symbols begin, in counts and in codes. */
const distancesFrom: i32 = 288;
/** Literals are counted in so many tables in turn: else each count would wait for the one before it. */
const tables: i32 = 4;
const tableBytes: i32 = 320 << 2;

/** Writes a row as its filter type and its difference to the row above, `bytes` of each. A row of zeros needs no filter. */
export function filterRow(row: usize, above: usize, bytes: i32, out: usize): void {
  let any = i32x4.splat(0);
  let i = 0;
  for (; i <= bytes - 16; i += 16) {
    const pixels = v128.load(row + i);
    any = v128.or(any, pixels);
    v128.store(out + 1 + i, i8x16.sub(pixels, v128.load(above + i)));
  }
  let rest: u8 = 0;
  for (; i < bytes; i++) {
    rest |= load<u8>(row + i);
    store<u8>(out + 1 + i, load<u8>(row + i) - load<u8>(above + i));
  }
  const isEmpty = !v128.any_true(any) && rest === 0;
  store<u8>(out, isEmpty ? 0 : upFilter);
  if (isEmpty) memory.fill(out + 1, 0, bytes);
}

/**
 * Finds what was there before, in steps of a pixel.
 *
 * @param lineBytes a row's filter type and its pixels
 * @param table scratch, 8192 i32
 * @param tokens two u32 each: literals, then length << 15 | distance − 1 of the match after them; the last one's match is 0
 * @param counts four tables of 320 u32: how often each symbol is needed, in sum
 * @returns the number of tokens
 */
export function findMatches(from: usize, bytes: i32, lineBytes: i32, table: usize, tokens: usize, counts: usize): i32 {
  memory.fill(table, 0, 4 << hashBits);
  memory.fill(counts, 0, tables * tableBytes);
  const first = tokens;
  let literals = 0;
  let row = 0;
  let at = 0;
  while (at < bytes - 8) {
    const word = load<u32>(from + at);
    const entry = table + (((word * 0x9e3779b1) >>> (32 - hashBits)) << 2);
    const before = load<i32>(entry) - 1;
    store<i32>(entry, at + 1);
    if (before >= 0 && at - before <= windowBytes && load<u32>(from + before) === word) {
      const length = lengthOfMatch(from + before, from + at, min(longestMatch, bytes - at));
      if (length >= shortestMatch) {
        countLiterals(from + literals, at - literals, counts);
        increment(counts, symbolOfLength(length));
        increment(counts, distancesFrom + symbolOfDistance(at - before - 1));
        store<u32>(tokens, at - literals);
        store<u32>(tokens, (length << 15) | (at - before - 1), 4);
        tokens += 8;
        at += length;
        literals = at;
        continue;
      }
    }
    while (at >= row + lineBytes) row += lineBytes;
    // The pixel that begins after the filter type, or the rest of the one in which a match has ended.
    at += at === row ? 1 : 4 - ((at - row - 1) & 3);
  }
  countLiterals(from + literals, bytes - literals, counts);
  increment(counts, endOfBlock);
  store<u32>(tokens, bytes - literals);
  store<u32>(tokens, 0, 4);
  return <i32>((tokens + 8 - first) >> 3);
}

function lengthOfMatch(a: usize, b: usize, most: i32): i32 {
  let length = 0;
  for (; length <= most - 8; length += 8) {
    const difference = load<u64>(a + length) ^ load<u64>(b + length);
    if (difference !== 0) return length + <i32>(ctz(difference) >> 3);
  }
  while (length < most && load<u8>(a + length) === load<u8>(b + length)) length++;
  return length;
}

function countLiterals(from: usize, count: i32, counts: usize): void {
  for (let i = 0; i < count; i++) increment(counts + (i & (tables - 1)) * tableBytes, <i32>load<u8>(from + i));
}

function increment(counts: usize, symbol: i32): void {
  const at = counts + (symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function symbolOfLength(length: i32): i32 {
  if (length === longestMatch) return 285;
  const l = length - 3;
  if (l < 8) return 257 + l;
  const extra = extraOfLength(l);
  return 261 + (extra << 2) + ((l >> extra) & 3);
}

/** Extra bits of a length of 11 to 257. */
function extraOfLength(l: i32): i32 {
  return 29 - clz(l);
}

function symbolOfDistance(d: i32): i32 {
  if (d < 2) return d;
  const top = 31 - clz(d);
  return (top << 1) + ((d >> (top - 1)) & 1);
}

/**
 * Writes values of some bits each, up to 24, the lowest first.
 *
 * @param pairs u32: a value and how many bits it has
 * @returns the number of bits written
 */
export function writeBits(pairs: usize, count: i32, out: usize): i32 {
  let to = out;
  let bits: u64 = 0;
  let held: u64 = 0;
  for (let n = 0; n < count; n++) {
    bits |= (<u64>load<u32>(pairs + (n << 3))) << held;
    held += <u64>load<u32>(pairs + (n << 3), 4);
    store<u64>(to, bits);
    to += <usize>(held >> 3);
    bits >>= held & ~7;
    held &= 7;
  }
  return <i32>((to - out) << 3) + <i32>held;
}

/**
 * Writes the tokens of a block after its header, and an empty stored block, which ends on a whole byte.
 *
 * @param codes u32 per symbol: bits << 16 | code, whose first bit is the lowest; none is longer than 14 bits
 * @param headerBits how many bits `out` has already
 * @returns the number of bytes in `out`
 */
export function writeTokens(from: usize, tokens: usize, count: i32, codes: usize, headerBits: i32, out: usize): i32 {
  let to = out + (headerBits >> 3);
  let held: u64 = headerBits & 7;
  let bits: u64 = <u64>load<u8>(to) & ((1 << held) - 1);
  for (let n = 0; n < count; n++, tokens += 8) {
    for (let left = <i32>load<u32>(tokens); left > 0; left -= 4) {
      // Four codes of at most 14 bits, and up to 7 bits that are held.
      for (let k = min(4, left); k > 0; k--, from++) {
        const code = load<u32>(codes + ((<usize>load<u8>(from)) << 2));
        bits |= (<u64>(code & 0xffff)) << held;
        held += <u64>(code >> 16);
      }
      store<u64>(to, bits);
      to += <usize>(held >> 3);
      bits >>= held & ~7;
      held &= 7;
    }
    const match = load<u32>(tokens, 4);
    if (match === 0) break;
    const length = <i32>(match >> 15);
    const ofLength = load<u32>(codes + (symbolOfLength(length) << 2));
    bits |= (<u64>(ofLength & 0xffff)) << held;
    held += <u64>(ofLength >> 16);
    if (length >= 11 && length < longestMatch) {
      const extra = extraOfLength(length - 3);
      bits |= (<u64>((length - 3) & ((1 << extra) - 1))) << held;
      held += <u64>extra;
    }
    const d = <i32>(match & 0x7fff);
    const ofDistance = load<u32>(codes + ((distancesFrom + symbolOfDistance(d)) << 2));
    bits |= (<u64>(ofDistance & 0xffff)) << held;
    held += <u64>(ofDistance >> 16);
    if (d >= 4) {
      const extra = 30 - clz(d);
      bits |= (<u64>(d & ((1 << extra) - 1))) << held;
      held += <u64>extra;
    }
    store<u64>(to, bits);
    to += <usize>(held >> 3);
    bits >>= held & ~7;
    held &= 7;
    from += length;
  }
  const end = load<u32>(codes + (endOfBlock << 2));
  bits |= (<u64>(end & 0xffff)) << held;
  // Three bits of 0 begin a stored block that is not the last.
  held += <u64>(end >> 16) + 3;
  store<u64>(to, bits);
  to += <usize>((held + 7) >> 3);
  store<u32>(to, 0xffff0000);
  return <i32>(to + 4 - out);
}

const adlerModulus: u32 = 65_521;
/** After so many bytes the sums might overflow (RFC 1950). */
const adlerBytes: i32 = 5_552;

/** Adler-32 (RFC 1950). */
export function adler32(from: usize, bytes: i32): u32 {
  let a: u32 = 1;
  let b: u32 = 0;
  const upper = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const lower = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (bytes > 0) {
    const now = min(bytes, adlerBytes);
    let sums = i32x4.splat(0);
    let sumsBefore = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    let i = 0;
    for (; i <= now - 16; i += 16) {
      const v = v128.load(from + i);
      sumsBefore = i32x4.add(sumsBefore, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(v), upper));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(v), lower));
    }
    b += a * <u32>i + 16 * total(sumsBefore) + total(weighted);
    a += total(sums);
    for (; i < now; i++) {
      a += load<u8>(from + i);
      b += a;
    }
    a %= adlerModulus;
    b %= adlerModulus;
    from += now;
    bytes -= now;
  }
  return (b << 16) | a;
}

function total(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + (i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3));
}
