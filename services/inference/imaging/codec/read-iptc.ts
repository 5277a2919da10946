/** Reads known fields of IPTC-IIM 4, bare or in the image resources of Photoshop that a JPEG has. */

import { decodeText } from "./read-exif.ts";
import { type PictureWords, withoutEmpty } from "./xmp.ts";

const photoshopHeader = "Photoshop 3.0\0";
const resourceSignature = "8BIM";
const iptcResource = 0x0404;
const tagMarker = 0x1c;
const applicationRecord = 2;
const dataset = {
  title: 5,
  keyword: 25,
  createdAt: 55,
  creator: 80,
  credit: 110,
  rights: 116,
  description: 120,
} as const;
const datasetsMax = 512;

export function readIptc(block: Uint8Array): PictureWords {
  const bytes = Buffer.from(block.buffer as ArrayBuffer, block.byteOffset, block.byteLength);
  const isPhotoshop = bytes.subarray(0, photoshopHeader.length).toString("latin1") === photoshopHeader;
  const values = readDatasets(isPhotoshop ? resourceOf(bytes, photoshopHeader.length) : bytes);
  const first = (number: number) => values.get(number)?.[0];
  const day = first(dataset.createdAt);
  return withoutEmpty({
    creators: values.get(dataset.creator),
    rights: first(dataset.rights),
    credit: first(dataset.credit),
    title: first(dataset.title),
    description: first(dataset.description),
    keywords: values.get(dataset.keyword),
    createdAt: day === undefined ? undefined : isoDay(day),
  } as PictureWords);
}

/** `20261126` */
function isoDay(day: string): string | undefined {
  return /^\d{8}$/.test(day) ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : undefined;
}

function resourceOf(bytes: Buffer, from: number): Buffer {
  for (let at = from; at + 12 <= bytes.length; ) {
    if (bytes.subarray(at, at + 4).toString("latin1") !== resourceSignature) break;
    const id = bytes.readUInt16BE(at + 4);
    // The name is a Pascal string, and everything is padded to an even length.
    const nameBytes = (bytes[at + 6]! + 2) & ~1;
    const sizeAt = at + 6 + nameBytes;
    if (sizeAt + 4 > bytes.length) break;
    const size = bytes.readUInt32BE(sizeAt);
    if (id === iptcResource) return bytes.subarray(sizeAt + 4, sizeAt + 4 + size);
    at = sizeAt + 4 + size + (size % 2);
  }
  return Buffer.alloc(0);
}

function readDatasets(bytes: Buffer): Map<number, string[]> {
  const values = new Map<number, string[]>();
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === tagMarker && count < datasetsMax; count++) {
    const length = bytes.readUInt16BE(at + 3);
    // An extended length is one of megabytes.
    if (length > 0x7fff) break;
    const number = bytes[at + 2]!;
    const text = decodeText(bytes.subarray(at + 5, at + 5 + length));
    if (bytes[at + 1] === applicationRecord && text !== "") values.set(number, [...(values.get(number) ?? []), text]);
    at += 5 + length;
  }
  return values;
}
