/** Writes TIFFs that sharp cannot write: with several pages, extra samples, Lab colors, floating-point samples or large tags. */

/** BYTE, SHORT, LONG and UNDEFINED. */
const bytesOfType = { 1: 1, 3: 2, 4: 4, 7: 1 } as const;
type TagType = keyof typeof bytesOfType;

export interface TiffPageToWrite {
  readonly width: number;
  readonly height: number;
  /** Interleaved, uncompressed, little-endian. */
  readonly data: Uint8Array;
  readonly samplesPerPixel: number;
  /** 1 gray, 2 RGB, 5 CMYK, 8 CIE L*a*b*. */
  readonly photometric: number;
  /** Default 8. */
  readonly bitsPerSample?: number;
  /** 1 unsigned (the default), 2 signed, 3 floating point. */
  readonly sampleFormat?: number;
  /** Without it the file says nothing of samples beyond the color's. */
  readonly extraSamples?: readonly number[];
  /** 1 a reduced copy, 4 a mask. */
  readonly subfileType?: number;
  readonly compression?: number;
  /** Other tags, of type UNDEFINED. */
  readonly tags?: Readonly<Record<number, Uint8Array>>;
}

export function tiffBytes(...pages: readonly TiffPageToWrite[]): Buffer {
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  const parts: Buffer[] = [head];
  let at = head.length;
  const append = (bytes: Uint8Array) => {
    const from = at;
    parts.push(Buffer.from(bytes), Buffer.alloc(bytes.length % 2));
    at += bytes.length + (bytes.length % 2);
    return from;
  };
  let link = (offset: number) => head.writeUInt32LE(offset, 4);
  for (const page of pages) {
    const values = tagsOf(page, append(page.data)).map(([tag, type, bytes]) => {
      const inline = Buffer.alloc(4);
      if (bytes.length > 4) inline.writeUInt32LE(append(bytes));
      else inline.set(bytes);
      return { tag, type, count: bytes.length / bytesOfType[type], inline };
    });
    const directory = Buffer.alloc(2 + 12 * values.length + 4);
    directory.writeUInt16LE(values.length);
    values.forEach(({ tag, type, count, inline }, i) => {
      directory.writeUInt16LE(tag, 2 + 12 * i);
      directory.writeUInt16LE(type, 4 + 12 * i);
      directory.writeUInt32LE(count, 6 + 12 * i);
      directory.set(inline, 10 + 12 * i);
    });
    link(at);
    append(directory);
    const written = parts.at(-2)!;
    link = (offset) => written.writeUInt32LE(offset, written.length - 4);
  }
  return Buffer.concat(parts);
}

function tagsOf(page: TiffPageToWrite, dataAt: number): readonly (readonly [number, TagType, Uint8Array])[] {
  const { samplesPerPixel, bitsPerSample = 8, sampleFormat, extraSamples } = page;
  const short = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
  const long = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const perSample = (value: number) => short(...Array.from({ length: samplesPerPixel }, () => value));
  const tags: (readonly [number, TagType, Uint8Array])[] = [
    [254, 4, long(page.subfileType ?? 0)],
    [256, 4, long(page.width)],
    [257, 4, long(page.height)],
    [258, 3, perSample(bitsPerSample)],
    [259, 3, short(page.compression ?? 1)],
    [262, 3, short(page.photometric)],
    [273, 4, long(dataAt)],
    [277, 3, short(samplesPerPixel)],
    [278, 4, long(page.height)],
    [279, 4, long(page.data.length)],
    [284, 3, short(1)],
    ...(extraSamples === undefined ? [] : [[338, 3, short(...extraSamples)] as const]),
    ...(sampleFormat === undefined ? [] : [[339, 3, perSample(sampleFormat)] as const]),
    ...Object.entries(page.tags ?? {}).map(([tag, bytes]) => [Number(tag), 7, bytes] as const),
  ];
  return tags.sort(([a], [b]) => a - b);
}
