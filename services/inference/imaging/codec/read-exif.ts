/** Reads known fields of EXIF 3.0, as texts in the form in which sharp writes them. */

import { clipText } from "@packshot/domain/errors.ts";
import type { Exif } from "sharp";

/** Names of libexif, which writes them. */
const imageTags: ReadonlyMap<number, string> = new Map([
  [0x010e, "ImageDescription"],
  [0x010f, "Make"],
  [0x0110, "Model"],
  [0x0132, "DateTime"],
  [0x013b, "Artist"],
  [0x8298, "Copyright"],
]);

const exposureTags: ReadonlyMap<number, string> = new Map([
  [0x829a, "ExposureTime"],
  [0x829d, "FNumber"],
  [0x8822, "ExposureProgram"],
  [0x8827, "ISOSpeedRatings"],
  [0x9003, "DateTimeOriginal"],
  [0x9004, "DateTimeDigitized"],
  [0x9204, "ExposureBiasValue"],
  [0x9207, "MeteringMode"],
  [0x9209, "Flash"],
  [0x920a, "FocalLength"],
  [0xa403, "WhiteBalance"],
  [0xa405, "FocalLengthIn35mmFilm"],
  [0xa433, "LensMake"],
  [0xa434, "LensModel"],
]);

const placeTags: ReadonlyMap<number, string> = new Map([
  [0x01, "GPSLatitudeRef"],
  [0x02, "GPSLatitude"],
  [0x03, "GPSLongitudeRef"],
  [0x04, "GPSLongitude"],
  [0x05, "GPSAltitudeRef"],
  [0x06, "GPSAltitude"],
  [0x07, "GPSTimeStamp"],
  [0x1d, "GPSDateStamp"],
]);

const resolutionTags: ReadonlyMap<number, string> = new Map([
  [0x011a, "XResolution"],
  [0x0128, "ResolutionUnit"],
]);

const exposurePointer = 0x8769;
const placePointer = 0x8825;
/** More entries has no directory of a camera. */
const entriesMax = 512;
const valuesMax = 16;
const textCharactersMax = 2_000;

type Directory = Readonly<Record<string, string>>;

export interface ExifFields {
  readonly image: Directory;
  readonly exposure: Directory;
  readonly place: Directory;
  /** Pixels per inch; absent where the block states none. */
  readonly dpi?: number;
}

const nothing: ExifFields = { image: {}, exposure: {}, place: {} };

/** A damaged block gives what can be read of it. */
export function readExif(block: Uint8Array): ExifFields {
  const bytes = Buffer.from(block.buffer as ArrayBuffer, block.byteOffset, block.byteLength);
  const tiff = bytes.subarray(0, 6).toString("latin1") === "Exif\0\0" ? bytes.subarray(6) : bytes;
  const order = tiff.subarray(0, 2).toString("latin1");
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return nothing;
  const reader = createReader(tiff, order === "II");
  const first = reader.directory(reader.long(4), imageTags);
  const dpi = dpiOf(reader.directory(reader.long(4), resolutionTags).fields);
  return {
    image: first.fields,
    exposure: reader.directory(first.pointers.get(exposurePointer) ?? 0, exposureTags).fields,
    place: reader.directory(first.pointers.get(placePointer) ?? 0, placeTags).fields,
    ...(dpi === undefined ? {} : { dpi }),
  };
}

const centimetersPerInch = 2.54;

/** EXIF counts in inches where it names no unit; unit 1 is of an aspect ratio alone. */
function dpiOf({ XResolution = "", ResolutionUnit = "2" }: Directory): number | undefined {
  const [pixels, of] = XResolution.split("/").map(Number);
  const resolution = (pixels ?? 0) / (of ?? 0);
  if (!Number.isFinite(resolution) || resolution <= 0) return undefined;
  if (ResolutionUnit === "2") return resolution;
  return ResolutionUnit === "3" ? resolution * centimetersPerInch : undefined;
}

/** The fields as sharp writes them: directories 0, 2 and 3 are those of image, exposure and place. */
export function exifToWrite({ image, exposure, place }: Omit<ExifFields, "dpi">): Exif {
  const directories = Object.entries({ IFD0: textsToWrite(image), IFD2: textsToWrite(exposure), IFD3: place });
  return Object.fromEntries(directories.filter(([, fields]) => Object.keys(fields).length > 0));
}

/** libvips drops parentheses at the end, and writes letters beyond ASCII as "?": such texts are in the XMP alone. */
function textsToWrite(fields: Readonly<Record<string, string>>): Record<string, string> {
  const written = Object.entries(fields).filter(([, text]) => /^[\x20-\x7e]*$/.test(text));
  return Object.fromEntries(written.map(([name, text]) => [name, text.endsWith(")") ? `${text} ()` : text]));
}

const typeBytes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 9: 4, 10: 8 };

function createReader(tiff: Buffer, isLittle: boolean) {
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const signed = (at: number) => (isLittle ? tiff.readInt32LE(at) : tiff.readInt32BE(at));

  function valueAt(type: number, at: number): string {
    switch (type) {
      case 1:
        return String(tiff[at]);
      case 3:
        return String(short(at));
      case 4:
        return String(long(at));
      case 5:
        return `${long(at)}/${long(at + 4)}`;
      case 9:
        return String(signed(at));
      default:
        return `${signed(at)}/${signed(at + 4)}`;
    }
  }

  /** @returns undefined where the entry is of no known type or leaves the block */
  function textOf(entry: number): string | undefined {
    const type = short(entry + 2);
    const count = long(entry + 4);
    const bytes = (typeBytes[type] ?? 0) * count;
    const from = bytes <= 4 ? entry + 8 : long(entry + 8);
    if (bytes === 0 || from + bytes > tiff.length) return undefined;
    if (type === 2) return decodeText(tiff.subarray(from, from + bytes));
    if (count > valuesMax) return undefined;
    return Array.from({ length: count }, (_, i) => valueAt(type, from + i * typeBytes[type]!)).join(" ");
  }

  return {
    long,
    directory(at: number, names: ReadonlyMap<number, string>) {
      const fields: Record<string, string> = {};
      const pointers = new Map<number, number>();
      if (at < 8 || at + 2 > tiff.length) return { fields, pointers };
      const count = Math.min(entriesMax, short(at));
      for (let entry = at + 2; entry < at + 2 + 12 * count && entry + 12 <= tiff.length; entry += 12) {
        const tag = short(entry);
        if (tag === exposurePointer || tag === placePointer) pointers.set(tag, long(entry + 8));
        const name = names.get(tag);
        const text = name === undefined ? undefined : textOf(entry);
        if (name !== undefined && text !== undefined && text !== "") fields[name] = text;
      }
      return { fields, pointers };
    },
  };
}

/** EXIF 3.0 has UTF-8; older cameras write what they like, mostly Latin-1. */
export function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    return clipText(new TextDecoder("utf-8", { fatal: true }).decode(text).trim(), textCharactersMax);
  } catch {
    return clipText(new TextDecoder("latin1").decode(text).trim(), textCharactersMax);
  }
}
