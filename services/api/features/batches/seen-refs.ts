/**
 * Which refs a file has had so far, and where. A million strings would take a hundred megabytes, so their hashes are kept:
 * 64 bits each in a table of typed arrays, 12 bytes a place. Of a million refs two share a hash once in 37 million files.
 */
import { hash } from "node:crypto";

export interface SeenRefs {
  /** The line that had the ref first; undefined: none so far, and from now on `line`. */
  note(ref: string, line: number): number | undefined;
}

const placesFirst = 4_096;

interface Table {
  /** Two words a place. */
  readonly hashes: Uint32Array;
  /** 0: the place is free. */
  readonly lines: Uint32Array;
}

export function createSeenRefs(): SeenRefs {
  let table = createTable(placesFirst);
  let taken = 0;

  function grow(): void {
    const larger = createTable(table.lines.length * 2);
    for (let place = 0; place < table.lines.length; place++) {
      const line = table.lines[place]!;
      if (line !== 0) put(larger, table.hashes[2 * place]!, table.hashes[2 * place + 1]!, line);
    }
    table = larger;
  }

  return {
    note(ref, line) {
      const digest = hash("sha256", ref, "buffer");
      const before = put(table, digest.readUInt32LE(0), digest.readUInt32LE(4), line);
      if (before !== undefined) return before;
      taken += 1;
      if (2 * taken > table.lines.length) grow();
      return undefined;
    },
  };
}

function createTable(places: number): Table {
  return { hashes: new Uint32Array(2 * places), lines: new Uint32Array(places) };
}

/** Open addressing: the next free place after that of the hash. Returns the line of an equal hash, and changes nothing then. */
function put({ hashes, lines }: Table, low: number, high: number, line: number): number | undefined {
  const mask = lines.length - 1;
  let place = low & mask;
  while (lines[place] !== 0) {
    if (hashes[2 * place] === low && hashes[2 * place + 1] === high) return lines[place];
    place = (place + 1) & mask;
  }
  hashes[2 * place] = low;
  hashes[2 * place + 1] = high;
  lines[place] = line;
  return undefined;
}
