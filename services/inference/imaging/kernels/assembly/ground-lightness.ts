/**
 * How light the ground is near the cells that are asked for, as matting/evidence/ground-colors.ts has it everywhere: means of blocks, of which
 * only those are summed up that are needed. Planes of blocks lie one after the other, each of half the size of the one before.
 */

/** Bytes of what is told of the grid, of each plane's entry after it, and of all these. */
const gridBytes: usize = 32;
const entryBytes: usize = 16;
const headBytes: usize = 512;

/** Nobody asked for a block yet; none of its cells is known; it has the larger block's lightness; it has its own. */
const unseen: u8 = 0;
const unknown: u8 = 1;
const filled: u8 = 2;
const known: u8 = 3;

/**
 * Tells of a grid, before anything is asked.
 *
 * @param lab f32, interleaved
 * @param marks 1 where the ground is seen
 * @param side a block's, in cells
 * @param countMin a block with fewer known cells is filled from those around it
 * @param ground written: 512 bytes, and up to 24 for each block
 */
export function describeGround(
  lab: usize,
  marks: usize,
  width: i32,
  height: i32,
  side: i32,
  countMin: i32,
  ground: usize,
): void {
  store<u32>(ground, <u32>lab);
  store<u32>(ground, <u32>marks, 4);
  store<i32>(ground, width, 8);
  store<i32>(ground, height, 12);
  store<i32>(ground, side, 16);
  store<i32>(ground, countMin, 20);
  let columns = (width + side - 1) / side;
  let rows = (height + side - 1) / side;
  let at = ground + headBytes;
  for (let plane = ground + gridBytes; ; plane += entryBytes) {
    const blocks = <usize>(columns * rows);
    store<u32>(plane, <u32>at);
    store<u32>(plane, <u32>(at + (blocks << 3)), 4);
    store<i32>(plane, columns, 8);
    store<i32>(plane, rows, 12);
    memory.fill(at + (blocks << 3), unseen, blocks);
    if (blocks === 1) return;
    at += (9 * blocks + 7) & ~7;
    columns = (columns + 1) >> 1;
    rows = (rows + 1) >> 1;
  }
}

/** By how much a cell is lighter than the ground there, in Lab. */
export function lightnessAbove(ground: usize, cell: i32): f64 {
  const width = load<i32>(ground, 8);
  const side = <f64>load<i32>(ground, 16);
  const first = ground + gridBytes;
  const y = cell / width;
  const v = min(<f64>(load<i32>(first, 12) - 1), max<f64>(0, (<f64>y + 0.5) / side - 0.5));
  const u = min(<f64>(load<i32>(first, 8) - 1), max<f64>(0, (<f64>(cell - y * width) + 0.5) / side - 0.5));
  const top = <i32>floor(v);
  const bottom = <i32>ceil(v);
  const left = <i32>floor(u);
  const right = <i32>ceil(u);
  const share = v - floor(v);
  const upperLeft = lightnessOf(ground, first, left, top);
  const upperRight = lightnessOf(ground, first, right, top);
  const ofLeft = upperLeft + share * (lightnessOf(ground, first, left, bottom) - upperLeft);
  const ofRight = upperRight + share * (lightnessOf(ground, first, right, bottom) - upperRight);
  const here = ofLeft + (u - floor(u)) * (ofRight - ofLeft);
  return lightnessAt(ground, cell) - <f64>(<f32>here);
}

/**
 * Marks the cells of a list that are lighter than a pale ground.
 *
 * @param limit by at least so much, in Lab; `paleMin`: a ground is pale from this lightness on
 * @param out of the grid's size, where they get 1
 * @returns how many they are
 */
export function markPale(ground: usize, cells: usize, count: i32, limit: f64, paleMin: f64, out: usize): i32 {
  let marked = 0;
  for (let n = 0; n < count; n++) {
    const cell = load<i32>(cells + (n << 2));
    const lightness = lightnessAt(ground, cell);
    if (lightness < paleMin) continue;
    const above = lightnessAbove(ground, cell);
    if (above < limit || lightness - above < paleMin) continue;
    store<u8>(out + cell, 1);
    marked++;
  }
  return marked;
}

/** Writes by how much known cells differ from the ground, f64, of every so many rows and columns. @returns how many they are */
export function differencesOfGround(ground: usize, stride: i32, out: usize): i32 {
  const marks = <usize>load<u32>(ground, 4);
  const width = load<i32>(ground, 8);
  const height = load<i32>(ground, 12);
  let count = 0;
  for (let y = stride >> 1; y < height; y += stride) {
    for (let x = stride >> 1; x < width; x += stride) {
      const cell = y * width + x;
      if (load<u8>(marks + cell) !== 1) continue;
      store<f64>(out + (count << 3), abs(lightnessAbove(ground, cell)));
      count++;
    }
  }
  return count;
}

function lightnessAt(ground: usize, cell: i32): f64 {
  return <f64>load<f32>(<usize>load<u32>(ground) + 12 * <usize>cell);
}

/** A block's own lightness, else that of the block of twice the side around it; 0 where nothing is known anywhere. */
function lightnessOf(ground: usize, plane: usize, x: i32, y: i32): f64 {
  const columns = load<i32>(plane, 8);
  const block = y * columns + x;
  const state = <usize>load<u32>(plane, 4) + block;
  const at = <usize>load<u32>(plane) + (block << 3);
  if (hasOwn(ground, plane, x, y) || load<u8>(state) === filled) return load<f64>(at);
  const isWhole = columns === 1 && load<i32>(plane, 12) === 1;
  store<f64>(at, isWhole ? 0 : lightnessOf(ground, plane + entryBytes, x >> 1, y >> 1));
  store<u8>(state, filled);
  return load<f64>(at);
}

/** Whether any of a block is known; then its lightness is the mean of that. */
function hasOwn(ground: usize, plane: usize, x: i32, y: i32): bool {
  const block = y * load<i32>(plane, 8) + x;
  const state = <usize>load<u32>(plane, 4) + block;
  if (load<u8>(state) === unseen) {
    const at = <usize>load<u32>(plane) + (block << 3);
    const isKnown =
      plane === ground + gridBytes ? meanOfCells(ground, x, y, at) : meanOfBlocks(ground, plane - entryBytes, x, y, at);
    store<u8>(state, isKnown ? known : unknown);
  }
  return load<u8>(state) === known;
}

function meanOfCells(ground: usize, x: i32, y: i32, out: usize): bool {
  const lab = <usize>load<u32>(ground);
  const marks = <usize>load<u32>(ground, 4);
  const width = load<i32>(ground, 8);
  const side = load<i32>(ground, 16);
  const end = min(width, side * (x + 1));
  const lastRow = min(load<i32>(ground, 12), side * (y + 1));
  let sum: f64 = 0;
  let count = 0;
  for (let row = side * y; row < lastRow; row++) {
    for (let cell = row * width + side * x; cell < row * width + end; cell++) {
      if (load<u8>(marks + cell) === 0) continue;
      sum += <f64>load<f32>(lab + 12 * <usize>cell);
      count++;
    }
  }
  if (count < load<i32>(ground, 20)) return false;
  store<f64>(out, sum / <f64>count);
  return true;
}

/** @param finer the plane of twice the size */
function meanOfBlocks(ground: usize, finer: usize, x: i32, y: i32, out: usize): bool {
  const columns = load<i32>(finer, 8);
  const rows = load<i32>(finer, 12);
  const means = <usize>load<u32>(finer);
  let sum: f64 = 0;
  let count = 0;
  for (let row = 2 * y; row < min(rows, 2 * y + 2); row++) {
    for (let column = 2 * x; column < min(columns, 2 * x + 2); column++) {
      if (!hasOwn(ground, finer, column, row)) continue;
      sum += load<f64>(means + ((row * columns + column) << 3));
      count++;
    }
  }
  if (count === 0) return false;
  store<f64>(out, sum / <f64>count);
  return true;
}
