/** Changes a file as damage and malice do, by a seed: bits, bytes with values at limits, a piece cut, repeated or exchanged. */
import { createHash } from "node:crypto";

const limits = [0x00, 0x01, 0x7f, 0x80, 0xff];

/** Random numbers that follow from a text. */
function numbersOf(seed: string): (below: number) => number {
  let count = 0;
  return (below) => {
    count += 1;
    return createHash("sha256").update(`${seed} ${count}`).digest().readUInt32LE() % below;
  };
}

export function mutate(file: Buffer, seed: string): Buffer {
  const next = numbersOf(seed);
  const changes = 1 + next(6);
  let changed = Buffer.from(file);
  for (let n = 0; n < changes; n++) {
    // Half of the changes are in what comes first: headers decide more than pixels do.
    const at = next(2) === 0 ? next(Math.min(changed.length, 256)) : next(changed.length);
    const length = 1 + next(Math.min(64, changed.length - at));
    const piece = changed.subarray(at, at + length);
    const before = changed.subarray(0, at);
    const after = changed.subarray(at + length);
    switch (next(5)) {
      case 0:
        changed[at] = changed[at]! ^ (1 << next(8));
        break;
      case 1:
        changed[at] = limits[next(limits.length)]!;
        break;
      case 2:
        if (before.length + after.length > 16) changed = Buffer.concat([before, after]);
        break;
      case 3:
        changed = Buffer.concat([before, piece, piece, after]);
        break;
      default:
        piece.fill(limits[next(limits.length)]!);
    }
  }
  return changed;
}
