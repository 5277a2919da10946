/**
 * The markers of a JPEG: which kind it is, and whether no more is missing than its last two bytes. Encoders and uploads lose the marker EOI, and libjpeg calls such a file cut short
 * although it has every pixel.
 */

const marker = { sof0: 0xc0, sof1: 0xc1, sof2: 0xc2, soi: 0xd8, eoi: 0xd9, sos: 0xda, tem: 0x01 } as const;
const rst0 = 0xd0;
const rst7 = 0xd7;
/** A coefficient of 8 × 8. */
const coefficientsCount = 64;
/** The standard names up to four components. */
const componentsMax = 4;

/**
 * The file with the end that it lacks. Whether the last scan is whole, only decoding tells: with libjpeg's warnings taken
 * for errors, bits that are missing fail it.
 *
 * @returns undefined unless the end is all that is missing outside the last scan
 */
export function endJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const scans = readScans(bytes);
  return scans === undefined || scans.hasEnd || !scans.isComplete
    ? undefined
    : Buffer.concat([bytes, Uint8Array.of(0xff, marker.eoi)]);
}

interface Scans {
  readonly hasEnd: boolean;
  /** Each component's coefficients are all there, to their last bit. */
  readonly isComplete: boolean;
}

/** @returns undefined where the markers cannot be followed */
function readScans(bytes: Uint8Array): Scans | undefined {
  const view = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  let coverage: Coverage | undefined;
  let at = 2;
  while (at < view.length) {
    if (view[at] !== 0xff) return undefined;
    while (view[at] === 0xff) at++;
    // An FF without a second byte is the first half of the end.
    if (at >= view.length) break;
    const name = view[at]!;
    at++;
    if (name === marker.eoi) return { hasEnd: true, isComplete: true };
    if (name === marker.soi || name === marker.tem) continue;
    if (at + 2 > view.length) return undefined;
    const segment = view.subarray(at + 2, at + view.readUInt16BE(at));
    at += view.readUInt16BE(at);
    if (at > view.length) return undefined;
    if (name === marker.sof0 || name === marker.sof1 || name === marker.sof2) {
      if (coverage !== undefined) return undefined;
      coverage = createCoverage(segment, name === marker.sof2);
      if (coverage === undefined) return undefined;
    } else if (name === marker.sos) {
      if (coverage?.addScan(segment) !== true) return undefined;
      at = endOfScan(view, at);
    }
  }
  return coverage && { hasEnd: false, isComplete: coverage.isComplete() };
}

/** In a scan, 00 after an FF stands for a byte, and restart markers belong to the scan. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1]!;
    if (next === 0xff) at += 1;
    else if (next === 0 || (next >= rst0 && next <= rst7)) at += 2;
    else return at;
  }
  return bytes.length;
}

const unreadKinds: Readonly<Record<number, string>> = {
  195: "lossless",
  197: "hierarchical",
  198: "hierarchical",
  199: "hierarchical and lossless",
  201: "arithmetic-coded",
  202: "arithmetic-coded",
  203: "lossless",
  205: "hierarchical",
  206: "hierarchical",
  207: "hierarchical and lossless",
};

/** Why libjpeg may not have read a whole file, as a sentence for people. */
export function jpegProblem(bytes: Uint8Array): string | undefined {
  const view = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 5 <= view.length && view[at] === 0xff; ) {
    const name = view[at + 1]!;
    if (name === marker.sos) return undefined;
    const advice = "export it as a baseline JPEG of 8 bits.";
    if (unreadKinds[name] !== undefined) return `The JPEG is ${unreadKinds[name]}, which cannot be read: ${advice}`;
    const isFrame = name === marker.sof0 || name === marker.sof1 || name === marker.sof2;
    if (isFrame && view[at + 4] !== 8) return `The JPEG has ${view[at + 4]} bits, which cannot be read: ${advice}`;
    at += 2 + view.readUInt16BE(at + 2);
  }
  return undefined;
}

interface Coverage {
  /** @returns false where the scan's header is damaged */
  addScan(header: Buffer): boolean;
  isComplete(): boolean;
}

/** Which bits of which coefficients the scans bring: a scan that is missing as a whole leaves no other trace. */
function createCoverage(frame: Buffer, isProgressive: boolean): Coverage | undefined {
  const count = frame[5];
  if (count === undefined || count === 0 || count > componentsMax || frame.length < 6 + 3 * count) return undefined;
  /** By component: the lowest bit of each coefficient that is there. */
  const lowestBits = new Map<number, Uint8Array>();
  for (let i = 0; i < count; i++) lowestBits.set(frame[6 + 3 * i]!, new Uint8Array(coefficientsCount).fill(255));
  return {
    addScan(header) {
      const inScan = header[0] ?? 0;
      if (header.length < 4 + 2 * inScan) return false;
      const [first, last, bits] = header.subarray(1 + 2 * inScan, 4 + 2 * inScan) as unknown as [
        number,
        number,
        number,
      ];
      for (let i = 0; i < inScan; i++) {
        const lowest = lowestBits.get(header[1 + 2 * i]!);
        if (lowest === undefined || last >= coefficientsCount) return false;
        if (isProgressive) lowest.fill(bits & 15, first, last + 1);
        else lowest.fill(0);
      }
      return true;
    },
    isComplete: () => [...lowestBits.values()].every((lowest) => lowest.every((bit) => bit === 0)),
  };
}
