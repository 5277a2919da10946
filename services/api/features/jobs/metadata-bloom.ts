/**
 * A bloom filter of a job's metadata in 128 bits, four for each entry. A job that has the wanted entries passes always;
 * another one in 15,000 cases with three entries of its own, and in 40 with sixteen, which are the most.
 */
import type { Metadata } from "@packshot/domain/job.ts";

const words = 4;
const bitsPerEntry = 4;
const positionBits = 7;

export function metadataBloom(metadata: Metadata, batchId?: string): number[] {
  const bloom = new Array<number>(words).fill(0);
  // The id of the job's batch is looked for as if it were an entry of its metadata.
  const ofBatch: [string, string][] = batchId === undefined ? [] : [["batch", batchId]];
  for (const [name, value] of [...Object.entries(metadata), ...ofBatch]) {
    let hash = hashText(value, hashText(name, offsetBasis) ^ value.length);
    for (let i = 0; i < bitsPerEntry; i++) {
      const position = hash & (2 ** positionBits - 1);
      bloom[position >>> 5]! |= 1 << (position & 31);
      hash >>>= positionBits;
    }
  }
  return bloom;
}

const offsetBasis = 0x811c9dc5;

/** FNV-1a over UTF-16 units, and then mixed as in MurmurHash3, because FNV's low bits depend on few of its input's. */
function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
