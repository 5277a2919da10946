/** Huffman codes of a deflate block (RFC 1951): their lengths by how often symbols are needed, the codes, and the block's header. */

/** The kernel writes four codes of a literal at once, of which none may be longer. */
const lengthMax = 14;
/** Codes of code lengths have three bits for their own. */
const lengthOfLengthMax = 7;
export const literalSymbols = 286;
export const distanceSymbols = 30;

/** A value and how many bits it has. */
type Bits = readonly [value: number, count: number];

/** @returns the length of each symbol's code, 0 where it is not needed */
export function codeLengths(counts: ArrayLike<number>, max = lengthMax): Uint8Array {
  const symbols: number[] = [];
  for (let symbol = 0; symbol < counts.length; symbol++) if (counts[symbol]! > 0) symbols.push(symbol);
  const lengths = new Uint8Array(counts.length);
  if (symbols.length === 1) lengths[symbols[0]!] = 1;
  if (symbols.length < 2) return lengths;
  const weights = new Float64Array(symbols.length);
  for (let at = 0; at < weights.length; at++) weights[at] = counts[symbols[at]!]!;
  // By what was counted, also where halved weights are equal.
  const order = orderByWeight(weights);
  let depths = huffmanDepths(weights, order);
  // Where codes are too long, rare symbols count for more, until all are short enough.
  while (largestOf(depths) > max) {
    for (let at = 0; at < weights.length; at++) weights[at] = Math.ceil(weights[at]! / 2);
    depths = huffmanDepths(weights, order);
  }
  for (let at = 0; at < symbols.length; at++) lengths[symbols[at]!] = depths[at]!;
  return lengths;
}

function largestOf(depths: Uint8Array): number {
  let largest = 0;
  for (let at = 0; at < depths.length; at++) largest = Math.max(largest, depths[at]!);
  return largest;
}

/** The indices of whole numbers, the least number first; of equal ones the first. Numbers are sorted without calls of a comparator. */
function orderByWeight(weights: Float64Array): Uint16Array {
  const keys = new Float64Array(weights.length);
  for (let at = 0; at < keys.length; at++) keys[at] = weights[at]! * literalSymbols + at;
  keys.sort();
  const order = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) order[at] = keys[at]! % literalSymbols;
  return order;
}

/** The depth of each of two weights or more in Huffman's tree; their order is that of their numbers. */
function huffmanDepths(weights: Float64Array, order: Uint16Array): Uint8Array {
  const leaves = weights.length;
  // Inner nodes come in the order of their weights, too: the lightest of all is the next leaf or the next inner node.
  const inner = new Float64Array(leaves - 1).fill(Number.POSITIVE_INFINITY);
  const parents = new Int32Array(2 * leaves - 1);
  let leaf = 0;
  let node = 0;
  for (let made = 0; made < leaves - 1; made++) {
    let weight = 0;
    for (let taken = 0; taken < 2; taken++) {
      if (leaf < leaves && weights[order[leaf]!]! <= inner[node]!) {
        parents[leaf] = leaves + made;
        weight += weights[order[leaf++]!]!;
      } else {
        parents[leaves + node] = leaves + made;
        weight += inner[node++]!;
      }
    }
    inner[made] = weight;
  }
  const depths = new Uint8Array(2 * leaves - 1);
  for (let at = 2 * leaves - 3; at >= 0; at--) depths[at] = depths[parents[at]!]! + 1;
  const ofWeights = new Uint8Array(leaves);
  for (let at = 0; at < leaves; at++) ofWeights[order[at]!] = depths[at]!;
  return ofWeights;
}

/** Canonical codes, as the kernel takes them: bits << 16 | code, whose first bit is the lowest. */
export function canonicalCodes(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= lengthMax; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      codes[symbol] = (length << 16) | reversed(code, length);
      code++;
    }
    code <<= 1;
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit++) out |= ((code >> bit) & 1) << (length - 1 - bit);
  return out;
}

/** The order in which a header has the lengths of the codes of code lengths. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A block with codes of its own that is not the last. */
export function blockHeader(literals: Uint8Array, distances: Uint8Array): Bits[] {
  const runs = runsOfLengths([...literals, ...distances]);
  const counts = new Uint32Array(lengthOrder.length);
  for (const [symbol] of runs) counts[symbol]!++;
  const lengths = codeLengths(counts, lengthOfLengthMax);
  const codes = canonicalCodes(lengths);
  const shown = Math.max(4, 1 + lengthOrder.findLastIndex((symbol) => lengths[symbol]! > 0));
  const header: Bits[] = [
    [0, 1],
    [2, 2],
    [literals.length - 257, 5],
    [distances.length - 1, 5],
    [shown - 4, 4],
  ];
  for (const symbol of lengthOrder.slice(0, shown)) header.push([lengths[symbol]!, 3]);
  for (const [symbol, extra] of runs) {
    header.push([codes[symbol]! & 0xffff, codes[symbol]! >> 16]);
    if (extra !== undefined) header.push(extra);
  }
  return header;
}

/** Symbols 17 and 18 are runs of zeros; other lengths are written one by one, because few of them are alike in a row. */
function runsOfLengths(lengths: readonly number[]): [symbol: number, extra?: Bits][] {
  const runs: [number, Bits?][] = [];
  for (let i = 0; i < lengths.length; ) {
    let zeros = 0;
    while (zeros < 138 && lengths[i + zeros] === 0) zeros++;
    if (zeros >= 11) runs.push([18, [zeros - 11, 7]]);
    else if (zeros >= 3) runs.push([17, [zeros - 3, 3]]);
    else runs.push([lengths[i]!]);
    i += zeros >= 3 ? zeros : 1;
  }
  return runs;
}
