/** Small files that make a decoder which opens them do much: none of it shows in width × height. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { pngChunk } from "./odd-images.ts";

const square = () => sharp({ create: { width: 64, height: 64, channels: 3, background: "#c33" } });
const pngHeaderBytes = 33;

/** As long as libvips inflates, less what stands before the text. */
const largestText = () => deflateSync(Buffer.alloc(49_999_000, "A"), { level: 9 });

export async function pngWith(...chunks: readonly (readonly [type: string, data: Buffer])[]): Promise<Buffer> {
  const png = await square().png().toBuffer();
  const added = chunks.map(([type, data]) => pngChunk(type, data));
  return Buffer.concat([png.subarray(0, pngHeaderBytes), ...added, png.subarray(pngHeaderBytes)]);
}

/** Chunks that inflate to 50 MB each. */
export async function pngBombOfTexts(count: number): Promise<Buffer> {
  const text = largestText();
  const zTXt = (i: number) => Buffer.concat([Buffer.from(`k${i}\0\0`), text]);
  return await pngWith(...Array.from({ length: count }, (_, i) => ["zTXt", zTXt(i)] as const));
}

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export async function jpegWith(...segments: readonly Buffer[]): Promise<Buffer> {
  const jpeg = await square().jpeg().toBuffer();
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

export async function webpWith(...chunks: readonly (readonly [type: string, data: Buffer])[]): Promise<Buffer> {
  const webp = await square().webp().toBuffer();
  const added = chunks.map(([type, data]) => {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  });
  const file = Buffer.concat([webp, ...added]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** A GIF of 1 × 1 with as many frames. */
export function gifOfFrames(count: number): Buffer {
  const screen = Buffer.from("47494638396101000100800000000000ffffff", "hex");
  const frame = Buffer.from("2c00000000010001000002024401" + "00", "hex");
  return Buffer.concat([screen, Buffer.alloc(frame.length * count, frame), Buffer.from(";")]);
}

const short = 3;
const long = 4;
const undefinedType = 7;
const pixelsBytes = 8 * 8 * 3;

/** A TIFF of 8 × 8 whose pages share their pixels, and whose added tags all name the same bytes at its end. */
export function tiffOf(options: {
  pages?: number;
  tags?: readonly number[];
  bytes?: number;
  isLoop?: boolean;
}): Buffer {
  const { pages = 1, tags = [], bytes = 0, isLoop = false } = options;
  const count = 9 + tags.length;
  const pageBytes = 2 + 12 * count + 4;
  const pixelsAt = 8 + pageBytes * pages;
  const file = Buffer.alloc(pixelsAt + pixelsBytes + bytes);
  file.write("II*\0", "latin1");
  file.writeUInt32LE(8, 4);
  const described = [
    ...[[256, short, 1, 8] as const, [257, short, 1, 8] as const, [258, short, 1, 8] as const],
    ...[[259, short, 1, 1] as const, [262, short, 1, 2] as const, [273, long, 1, pixelsAt] as const],
    ...[[277, short, 1, 3] as const, [278, short, 1, 8] as const, [279, long, 1, pixelsBytes] as const],
    ...tags.map((tag) => [tag, undefinedType, bytes, pixelsAt + pixelsBytes] as const),
  ].sort(([tag], [other]) => tag - other);
  for (let page = 0; page < pages; page++) {
    const at = 8 + page * pageBytes;
    file.writeUInt16LE(count, at);
    described.forEach(([tag, type, values, value], i) => {
      const entry = at + 2 + 12 * i;
      file.writeUInt16LE(tag, entry);
      file.writeUInt16LE(type, entry + 2);
      file.writeUInt32LE(values, entry + 4);
      file.writeUInt32LE(value, entry + 8);
    });
    const isLast = page === pages - 1;
    file.writeUInt32LE(isLast ? (isLoop ? 8 : 0) : at + pageBytes, at + pageBytes - 4);
  }
  return file;
}

export function isoBox(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

const u16 = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer).swap32();

/** An AVIF with as many pieces of EXIF, which are all the same bytes at its end. */
export async function avifOfSharedExif(count: number, bytes: number): Promise<Buffer> {
  const avif = await square().avif().toBuffer();
  const boxes = boxesOf(avif, 0);
  const [ftyp, meta, mdat] = ["ftyp", "meta", "mdat"].map((type) => boxes.find((box) => box.type === type)!.bytes);
  const pixels = mdat!.subarray(8);
  const kept = boxesOf(meta!, 12).filter(({ type }) => !["iloc", "iinf", "iref"].includes(type));
  const ids = Array.from({ length: count }, (_, i) => i + 2);
  const infe = (id: number, type: string) => isoBox("infe", u32(0x02000000), u16(id, 0), Buffer.from(`${type}\0`));
  const headed = (pixelsAt: number) => {
    const place = (id: number, at: number, length: number) => Buffer.concat([u16(id, 0, 1), u32(at), u32(length)]);
    const places = [place(1, pixelsAt, pixels.length), ...ids.map((id) => place(id, pixelsAt + pixels.length, bytes))];
    const iloc = isoBox("iloc", u32(0), Buffer.from([0x44, 0]), u16(places.length), ...places);
    const iinf = isoBox("iinf", u32(0), u16(count + 1), infe(1, "av01"), ...ids.map((id) => infe(id, "Exif")));
    const iref = isoBox("iref", u32(0), ...ids.map((id) => isoBox("cdsc", u16(id, 1, 1))));
    return Buffer.concat([ftyp!, isoBox("meta", u32(0), ...kept.map((box) => box.bytes), iloc, iinf, iref)]);
  };
  const headBytes = headed(0).length;
  return Buffer.concat([headed(headBytes + 8), isoBox("mdat", pixels, Buffer.alloc(bytes))]);
}

function boxesOf(file: Buffer, from: number) {
  const boxes: { readonly type: string; readonly bytes: Buffer }[] = [];
  for (let at = from; at < file.length; ) {
    const bytes = file.subarray(at, at + file.readUInt32BE(at));
    boxes.push({ type: bytes.toString("latin1", 4, 8), bytes });
    at += bytes.length;
  }
  return boxes;
}
