/** Which rows or columns of a photo are read, where reading all of them would take too long. */

/** Neighbors lie in the same cache lines: a column of its own would wait for memory at each of its pixels. */
const neighbors = 4;

/** At most so many of `from` to `from + count`, in groups of neighbors at even distances. */
export function sampleLines(from: number, count: number, linesMax: number): number[] {
  if (count <= linesMax) return Array.from({ length: count }, (_, n) => from + n);
  const groups = Math.floor(linesMax / neighbors);
  return Array.from(
    { length: groups },
    (_, group) => from + Math.floor((group * (count - neighbors)) / (groups - 1)),
  ).flatMap((first) => Array.from({ length: neighbors }, (_, n) => first + n));
}
