/** Changes bytes as damage and malice do: bits, bytes with values at limits, numbers, words, a piece cut, repeated or taken from another input. */
import type { Random } from "@packshot/domain/random.ts";

const limits = [0x00, 0x01, 0x7f, 0x80, 0xff] as const;
const changesMax = 6;
const pieceBytesMax = 64;
/** Half of the changes are in what comes first: headers decide more than pixels do. */
const headBytes = 256;
/** What is left of an input is never shorter by a cut. */
const keptBytesMin = 2;

export interface MutateOptions {
  /** What the format is made of, to be put in or over what is there. */
  readonly words?: readonly Uint8Array[];
  /** Another input, a piece of which may be taken. */
  readonly other?: Uint8Array;
  readonly bytesMax?: number;
}

/** @returns changed bytes, by one to six changes that follow from the random numbers */
export function mutate(input: Uint8Array, random: Random, options: MutateOptions = {}): Buffer {
  const { words = [], other = input, bytesMax = Number.POSITIVE_INFINITY } = options;
  let changed: Buffer = Buffer.from(input);
  for (let left = random.integer(1, changesMax); left > 0; left--) {
    changed = changeOnce(changed, random, words, other);
    if (changed.length > bytesMax) changed = changed.subarray(0, bytesMax);
  }
  return changed;
}

function changeOnce(bytes: Buffer, random: Random, words: readonly Uint8Array[], other: Uint8Array): Buffer {
  if (bytes.length === 0) return Buffer.of(random.integer(0, 255));
  const below = random.chance(0.5) ? Math.min(bytes.length, headBytes) : bytes.length;
  const at = random.integer(0, below - 1);
  const length = random.integer(1, Math.min(pieceBytesMax, bytes.length - at));
  const before = bytes.subarray(0, at);
  const piece = bytes.subarray(at, at + length);
  const after = bytes.subarray(at + length);
  switch (random.integer(0, words.length === 0 ? 7 : 9)) {
    case 0:
      bytes[at] = bytes[at]! ^ (1 << random.integer(0, 7));
      return bytes;
    case 1:
      bytes[at] = random.pick(limits);
      return bytes;
    case 2:
      bytes[at] = random.integer(0, 255);
      return bytes;
    case 3:
      bytes[at] = (bytes[at]! + random.integer(-16, 16)) & 0xff;
      return bytes;
    case 4:
      return before.length + after.length < keptBytesMin ? bytes : Buffer.concat([before, after]);
    case 5:
      return Buffer.concat([before, piece, piece, after]);
    case 6:
      piece.fill(random.pick(limits));
      return bytes;
    case 7:
      return Buffer.concat([before, pieceOf(other, random), random.chance(0.5) ? bytes.subarray(at) : after]);
    default:
      return putWord(bytes, at, words[random.integer(0, words.length - 1)]!, random.chance(0.5));
  }
}

function pieceOf(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return bytes;
  const from = random.integer(0, bytes.length - 1);
  return bytes.subarray(from, from + random.integer(1, pieceBytesMax));
}

function putWord(bytes: Buffer, at: number, word: Uint8Array, isOver: boolean): Buffer {
  return Buffer.concat([bytes.subarray(0, at), word, bytes.subarray(isOver ? at + word.length : at)]);
}
