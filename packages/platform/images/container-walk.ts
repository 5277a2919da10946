/**
 * Bounds what an image's container makes its decoder do before a pixel is decoded. Width × height does not show it: a PNG of
 * 64 × 64 may inflate to gigabytes of text, an AVIF may name one range of its file as 200 pieces of metadata, and a TIFF or a
 * GIF may have millions of pages. libvips does all of it when it only opens the file, so nobody shows it a file that has not
 * been walked. The walk follows lengths and counts; it inflates no more than the limit, and opens no image.
 */
import { open } from "node:fs/promises";
import { constants, inflateSync } from "node:zlib";
import { PackshotError } from "@packshot/domain/errors.ts";
import { sniffedBytesMax, sniffImage } from "./image-header.ts";

const mebibyte = 1024 * 1024;
/** Compressed text of a PNG, inflated. libvips inflates each chunk to up to 50 MB, and holds it five times. */
const inflatedTextBytesMax = mebibyte;
/** Profiles of presses have up to 3 MB. */
const profileBytesMax = 4 * mebibyte;
/** XMP that contains a depth map or the history of a document may have megabytes. Decoders copy it several times. */
const metadataBytesMax = 32 * mebibyte;
/** Chunks, segments, boxes, frames: no camera and no editor writes as many before the pixels. */
const partsMax = 10_000;
/** libtiff reads the tags of every page to count them: 100,000 take 20 s. */
const tiffPagesMax = 1_000;
const tiffTagsMax = 4_096;
const keywordBytesMax = 80;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const boxDepthMax = 8;
const metaBoxBytesMax = 8 * mebibyte;
/** Limits the sum of all ranges that a file names. A range that is shared by a few is not yet an attack. */
const namedBytesMax = (fileBytes: number) => 2 * fileBytes + mebibyte;
/** Deflate makes at most 1,032 bytes of one. */
const deflateRatioMax = 1032;
/** What is read of a file on disk at once. */
const windowBytes = 64 * 1024;
/** What a walk looks through at once. */
const scannedBytes = 4 * 1024;

interface Range {
  readonly at: number;
  readonly bytes: number;
}

/** Asks for ranges, and gets what the file has of them. Ends when it has seen enough, or where the file ends. */
type Walk = Generator<Range, void, Buffer>;

/**
 * Every file must pass before libvips sees it. A part of a file is judged by what is in it.
 *
 * @param source the file's bytes, or its first ones, or the path of a file
 * @throws PackshotError `image_too_large`, with what there is too much of
 */
export async function assertContainerBounded(source: Uint8Array | string): Promise<void> {
  if (typeof source !== "string") return walkBytes(source);
  const file = await open(source, "r");
  try {
    const { size } = await file.stat();
    const read = async (at: number, bytes: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
      return buffer.subarray(0, bytesRead);
    };
    let window = { at: 0, data: await read(0, windowBytes) };
    const walk = startWalk(window.data, size);
    for (let step = walk?.next(); step?.done === false; ) {
      const { at } = step.value;
      const bytes = Math.max(0, Math.min(step.value.bytes, size - at));
      if (at < window.at || at + bytes > window.at + window.data.length)
        window = { at, data: await read(at, Math.max(bytes, windowBytes)) };
      step = walk!.next(window.data.subarray(at - window.at, at - window.at + bytes));
    }
  } finally {
    await file.close();
  }
}

function walkBytes(source: Uint8Array): void {
  const file = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const walk = startWalk(file, file.length);
  for (let step = walk?.next(); step?.done === false; ) {
    const { at, bytes } = step.value;
    step = walk!.next(file.subarray(at, at + bytes));
  }
}

function startWalk(head: Buffer, fileBytes: number): Walk | undefined {
  const format = sniffImage(head.subarray(0, sniffedBytesMax));
  if (format === "png") return walkPng();
  if (format === "jpeg") return walkJpeg();
  if (format === "webp") return walkWebp();
  if (format === "gif") return walkGif();
  if (format === "tiff") return walkTiff(fileBytes);
  if (format === "avif" || format === "heic") return walkHeif(format.toUpperCase(), fileBytes);
  return undefined;
}

/** Adds up sizes and counts, and refuses what is beyond a limit. */
function createTally(format: string) {
  let parts = 0;
  let metadataBytes = 0;
  return {
    part(name: string) {
      if (++parts > partsMax) throw tooMuch(format, `more than ${partsMax.toLocaleString("en")} ${name}`);
    },
    metadata(bytes: number) {
      metadataBytes += bytes;
      if (metadataBytes > metadataBytesMax)
        throw tooMuch(format, `more than ${megabytes(metadataBytesMax)} of metadata`);
    },
    profile(bytes: number) {
      if (bytes > profileBytesMax) throw tooMuch(format, `a color profile of more than ${megabytes(profileBytesMax)}`);
    },
  };
}

function megabytes(bytes: number): string {
  return `${bytes / mebibyte} MB`;
}

function tooMuch(format: string, what: string): PackshotError {
  const message = `The ${format} has ${what}: export the photo again without metadata, layers and other pages.`;
  return new PackshotError("image_too_large", message);
}

/** libvips reads no chunk behind the first pixels. */
function* walkPng(): Walk {
  const tally = createTally("PNG");
  let textRest = inflatedTextBytesMax;
  for (let at = 8; ; ) {
    const head = yield { at, bytes: 8 };
    if (head.length < 8) return;
    const length = head.readUInt32BE(0);
    const type = head.toString("latin1", 4, 8);
    if (type === "IDAT" || type === "IEND") return;
    tally.part("chunks");
    tally.metadata(length);
    if (type === "zTXt" || type === "iTXt" || type === "iCCP") {
      const start = yield { at: at + 8, bytes: Math.min(length, keywordBytesMax + 2) };
      // A text that is not compressed may be as long as other metadata, and is not read.
      const isPlain = type === "iTXt" && start[start.indexOf(0) + 1] === 0;
      const bytesMax = type === "iCCP" ? profileBytesMax : textRest;
      const isLong = length > bytesMax + windowBytes;
      const data = yield { at: at + 8, bytes: isPlain || isLong ? 0 : length };
      if (!isPlain && !isLong && data.length < length) return;
      const bytes = isLong ? bytesMax + 1 : inflatedBytes(compressedPart(type, data), bytesMax);
      if (type === "iCCP") tally.profile(bytes);
      else if (!isPlain) textRest -= bytes;
      if (textRest < 0) throw tooMuch("PNG", `more than ${megabytes(inflatedTextBytesMax)} of compressed text`);
    }
    at += 12 + length;
  }
}

/** PNG (third edition) 11.3.2.3 and 11.3.3: what stands before the compressed stream ends with a NUL. */
function compressedPart(type: "zTXt" | "iTXt" | "iCCP", data: Buffer): Buffer {
  const afterNul = (from: number) => data.indexOf(0, from) + 1 || data.length;
  const keywordEnd = afterNul(0);
  // Behind the keyword: a flag and the method; then the language and the translated keyword.
  if (type === "iTXt") return data.subarray(afterNul(afterNul(keywordEnd + 2)));
  return data.subarray(keywordEnd + 1);
}

/** One more than `bytesMax` where it is too much. */
function inflatedBytes(compressed: Buffer, bytesMax: number): number {
  if (compressed.length === 0) return 0;
  if (bytesMax === 0) return 1;
  try {
    // A stream that is cut short counts as what is in it.
    const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateSync(compressed, options).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return bytesMax + 1;
    // It is damaged somewhere: nobody gets more out of it.
    return Math.min(bytesMax + 1, compressed.length * deflateRatioMax);
  }
}

function* walkJpeg(): Walk {
  const tally = createTally("JPEG");
  let profileBytes = 0;
  for (let at = 2; ; ) {
    const head = yield { at, bytes: 16 };
    if (head.length < 4) return;
    const marker = head[1]!;
    if (head[0] !== 0xff || marker === 0xff) {
      // Decoders skip fill bytes and junk until the next marker.
      const junk = yield { at, bytes: scannedBytes };
      const found = junk.findIndex((byte, i) => byte !== 0xff && junk[i - 1] === 0xff);
      const skipped = found > 0 ? found - 1 : Math.max(1, junk.length - 1);
      tally.metadata(skipped);
      at += skipped;
      continue;
    }
    tally.part("segments");
    if (marker === startOfScan || marker === endOfImage) return;
    const isAlone = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    const length = isAlone ? 0 : head.readUInt16BE(2);
    if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) tally.metadata(length);
    if (marker === 0xe2 && head.toString("latin1", 4, 16) === "ICC_PROFILE\0") {
      profileBytes += length;
      tally.profile(profileBytes);
    }
    at += 2 + length;
  }
}

function* walkWebp(): Walk {
  const tally = createTally("WebP");
  for (let at = 12; ; ) {
    const head = yield { at, bytes: 8 };
    if (head.length < 8) return;
    const length = head.readUInt32LE(4);
    const type = head.toString("latin1", 0, 4);
    tally.part("chunks");
    if (type === "ICCP") tally.profile(length);
    if (!/^(VP8[ LX]|ALPH|ANM[FI])$/.test(type)) tally.metadata(length);
    at += 8 + length + (length % 2);
  }
}

/** GIF89a 15–26: every block but the header ends with sub-blocks. */
function* walkGif(): Walk {
  const tally = createTally("GIF");
  const screen = yield { at: 0, bytes: 13 };
  if (screen.length < 13) return;
  let at = 13 + colorTableBytes(screen[10]!);
  for (;;) {
    const head = yield { at, bytes: 10 };
    const isFrame = head[0] === 0x2c;
    if (head.length === 0 || (!isFrame && head[0] !== 0x21)) return;
    tally.part("frames and comments");
    if (isFrame && head.length < 10) return;
    // The byte before the sub-blocks is the LZW's code size, or the extension's label.
    at += isFrame ? 11 + colorTableBytes(head[9]!) : 2;
    for (let isEnd = false; !isEnd; ) {
      const window = yield { at, bytes: scannedBytes };
      if (window.length === 0) return;
      let next = 0;
      while (next < window.length && !isEnd) {
        isEnd = window[next] === 0;
        next += 1 + window[next]!;
      }
      if (!isFrame) tally.metadata(next);
      at += next;
    }
  }
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** TIFF 6.0 section 2; BigTIFF has the same in 64 bits. */
const tiffTypeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const tiffTags = {
  stripOffsets: 273,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
  profile: 34675,
  layers: 37724,
};
/** They describe pixels, or are skipped: the layers of an editor may be most of its file. */
const tagsBesideMetadata: ReadonlySet<number> = new Set(
  Object.values(tiffTags).filter((tag) => tag !== tiffTags.profile),
);

interface TiffLayout {
  readonly countBytes: number;
  readonly tagBytes: number;
  readonly number: (from: Buffer, at: number) => number;
  readonly short: (from: Buffer, at: number) => number;
  readonly count: (from: Buffer) => number;
}

function tiffLayout(head: Buffer): TiffLayout & { readonly firstAt: number } {
  const little = head[0] === 0x49;
  const isBig = (little ? head[2] : head[3]) === 0x2b;
  const short = (from: Buffer, at: number) => (little ? from.readUInt16LE(at) : from.readUInt16BE(at));
  const long = (from: Buffer, at: number) => (little ? from.readUInt32LE(at) : from.readUInt32BE(at));
  const big = (from: Buffer, at: number) => Number(little ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at));
  if (!isBig) {
    const count = (from: Buffer) => short(from, 0);
    return { countBytes: 2, tagBytes: 12, number: long, short, count, firstAt: long(head, 4) };
  }
  return { countBytes: 8, tagBytes: 20, number: big, short, count: (from) => big(from, 0), firstAt: big(head, 8) };
}

function* walkTiff(fileBytes: number): Walk {
  const head = yield { at: 0, bytes: 16 };
  if (head.length < 16) return;
  const layout = tiffLayout(head);
  const seen = new Set<number>();
  let namedBytes = 0;
  for (let at = layout.firstAt; at > 0 && !seen.has(at); ) {
    seen.add(at);
    if (seen.size > tiffPagesMax) throw tooMuch("TIFF", `more than ${tiffPagesMax.toLocaleString("en")} pages`);
    const start = yield { at, bytes: layout.countBytes };
    if (start.length < layout.countBytes) return;
    const tags = layout.count(start);
    if (tags > tiffTagsMax) throw tooMuch("TIFF", `more than ${tiffTagsMax.toLocaleString("en")} tags in a page`);
    const tableBytes = tags * layout.tagBytes;
    const pointerBytes = layout.tagBytes === 12 ? 4 : 8;
    const table = yield { at: at + layout.countBytes, bytes: tableBytes + pointerBytes };
    if (table.length < tableBytes) return;
    namedBytes += tableBytes + walkTags(table.subarray(0, tableBytes), layout, fileBytes);
    if (namedBytes > namedBytesMax(fileBytes)) throw tooMuch("TIFF", "tags that name more bytes than the file has");
    if (table.length < tableBytes + pointerBytes) return;
    at = layout.number(table, tableBytes);
  }
}

/** The bytes that the tags of a page name, as far as they are in the file. */
function walkTags(table: Buffer, { tagBytes, number, short }: TiffLayout, fileBytes: number): number {
  const tally = createTally("TIFF");
  let namedBytes = 0;
  for (let at = 0; at < table.length; at += tagBytes) {
    const tag = short(table, at);
    const valueBytes = number(table, at + 4) * (tiffTypeBytes[short(table, at + 2)] ?? 0);
    const inlineBytes = tagBytes === 12 ? 4 : 8;
    if (valueBytes <= inlineBytes) continue;
    const bytes = Math.max(0, Math.min(valueBytes, fileBytes - number(table, at + tagBytes - inlineBytes)));
    namedBytes += bytes;
    if (tag === tiffTags.profile) tally.profile(bytes);
    if (!tagsBesideMetadata.has(tag)) tally.metadata(bytes);
  }
  return namedBytes;
}

/** ISO/IEC 14496-12 and 23008-12: boxes with items, and the ranges of the file that hold them. */
function* walkHeif(format: string, fileBytes: number): Walk {
  const tally = createTally(format);
  for (let at = 0; at < fileBytes; ) {
    const head = yield { at, bytes: 16 };
    if (head.length < 8) return;
    const { type, headBytes, bytes } = boxAt(head, fileBytes - at);
    if (bytes < headBytes) return;
    tally.part("boxes");
    if (type === "meta" || type === "moov") {
      if (bytes > metaBoxBytesMax) throw tooMuch(format, `more than ${megabytes(metaBoxBytesMax)} of descriptions`);
      const box = yield { at, bytes };
      if (box.length < bytes) return;
      walkBoxes(box.subarray(headBytes + (type === "meta" ? 4 : 0)), { format, fileBytes, part: tally.part, depth: 1 });
    }
    at += bytes;
  }
}

interface BoxWalk {
  readonly format: string;
  readonly fileBytes: number;
  readonly part: (name: string) => void;
  readonly depth: number;
}

/** Bytes of a box that stand before the boxes in it. */
const boxesInside: Readonly<Record<string, number>> = {
  iprp: 0,
  ipco: 0,
  dinf: 0,
  grpl: 0,
  iref: 4,
  meta: 4,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  udta: 0,
  edts: 0,
};

function walkBoxes(boxes: Buffer, walk: BoxWalk): void {
  const { format, part, depth } = walk;
  if (depth > boxDepthMax) throw tooMuch(format, `more than ${boxDepthMax} levels of boxes`);
  for (let at = 0; at + 8 <= boxes.length; ) {
    const { type, headBytes, bytes } = boxAt(boxes.subarray(at, at + 16), boxes.length - at);
    if (bytes < headBytes) return;
    part("boxes");
    const content = boxes.subarray(at + headBytes, at + bytes);
    if (type === "iinf") walkBoxes(content.subarray(content[0] === 0 ? 6 : 8), { ...walk, depth: depth + 1 });
    else if (type === "iloc") walkItemLocations(content, walk);
    else if (Object.hasOwn(boxesInside, type))
      walkBoxes(content.subarray(boxesInside[type]!), { ...walk, depth: depth + 1 });
    at += bytes;
  }
}

/** A size of 1 stands for one of 64 bits behind the type, and 0 for all that is left. */
function boxAt(head: Buffer, restBytes: number) {
  const size = head.readUInt32BE(0);
  const isLarge = size === 1 && head.length >= 16;
  const bytes = isLarge ? Number(head.readBigUInt64BE(8)) : size;
  return { type: head.toString("latin1", 4, 8), headBytes: isLarge ? 16 : 8, bytes: bytes === 0 ? restBytes : bytes };
}

/** 8.11.3: the extents of the items. Decoders copy each item's bytes, so items that share a range multiply it. */
function walkItemLocations(box: Buffer, { format, fileBytes, part }: BoxWalk): void {
  if (box.length < 8) return;
  const version = box[0]!;
  const offsetBytes = box[4]! >> 4;
  const lengthBytes = box[4]! & 15;
  const baseBytes = box[5]! >> 4;
  const indexBytes = version === 0 ? 0 : box[5]! & 15;
  const sizes = [offsetBytes, lengthBytes, baseBytes, indexBytes];
  if (version > 2 || sizes.some((bytes) => bytes !== 0 && bytes !== 4 && bytes !== 8)) return;
  let at = 6;
  const next = (bytes: number) => {
    at += bytes;
    if (bytes === 0 || at > box.length) return 0;
    if (bytes === 8) return Number(box.readBigUInt64BE(at - 8));
    return box.readUIntBE(at - bytes, bytes);
  };
  const items = next(version < 2 ? 2 : 4);
  let namedBytes = 0;
  for (let item = 0; item < items && at < box.length; item++) {
    part("items");
    at += (version < 2 ? 2 : 4) + (version === 0 ? 0 : 2) + 2;
    const base = next(baseBytes);
    const extents = next(2);
    for (let extent = 0; extent < extents && at < box.length; extent++) {
      part("items");
      at += indexBytes;
      const from = base + next(offsetBytes);
      // Without a length, the extent is the whole file.
      const length = next(lengthBytes) || fileBytes;
      namedBytes += Math.max(0, Math.min(length, fileBytes - from));
      if (namedBytes > namedBytesMax(fileBytes)) throw tooMuch(format, "items that name more bytes than the file has");
    }
  }
}
