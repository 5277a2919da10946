/** A UUID in four words of 32 bits, most significant first: ids sort as their words do. */
export type IdWords = readonly [number, number, number, number];

export function toIdWords(id: string): IdWords {
  return [
    Number.parseInt(id.slice(0, 8), 16),
    Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
    Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
    Number.parseInt(id.slice(28), 16),
  ];
}

export function fromIdWords(words: IdWords): string {
  const [a, b, c, d] = words.map((word) => word.toString(16).padStart(8, "0")) as [string, string, string, string];
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

/** When a UUIDv7 was created, in milliseconds since the epoch. */
export function idTimeMs([high, low]: IdWords): number {
  return high * 2 ** 16 + (low >>> 16);
}
