/**
 * XMP in a JPEG: a segment has at most 64 KB, and libvips leaves out a packet that comes near, with no more than a warning. So
 * what does not fit is written here, as extended XMP.
 */
import { type SplitXmp, splitXmp, type XmpProperties } from "./xmp.ts";

const segmentBytesMax = 65_535 - 2;
/** libvips' `write_xmp` drops a packet above this, without the name that it puts before it. */
const packetBytesMax = 60_000;
const packetName = "http://ns.adobe.com/xap/1.0/\0";
const extensionName = "http://ns.adobe.com/xmp/extension/\0";
/** After the name: the GUID, the length of all parts and the offset of this one. */
const extensionHeadBytes = extensionName.length + 32 + 4 + 4;
const app1 = 0xe1;
const startOfScan = 0xda;

export function splitXmpForJpeg(properties: XmpProperties): SplitXmp {
  return splitXmp(properties, packetBytesMax);
}

/** `jpeg` with the extended XMP behind the packet that names it; without that packet nobody would read it, so it is as it was. */
export function addExtendedXmp(jpeg: Buffer, { text, guid }: NonNullable<SplitXmp["extended"]>): Buffer {
  const at = endOfPacket(jpeg);
  if (at === undefined) return jpeg;
  const bytes = Buffer.from(text);
  const segments: Buffer[] = [];
  const partBytesMax = segmentBytesMax - extensionHeadBytes;
  for (let offset = 0; offset < bytes.length; offset += partBytesMax) {
    const part = bytes.subarray(offset, offset + partBytesMax);
    const head = Buffer.alloc(4 + extensionHeadBytes);
    head.writeUInt16BE(0xff00 | app1);
    head.writeUInt16BE(2 + extensionHeadBytes + part.length, 2);
    head.write(extensionName + guid, 4, "latin1");
    head.writeUInt32BE(bytes.length, head.length - 8);
    head.writeUInt32BE(offset, head.length - 4);
    segments.push(head, part);
  }
  return Buffer.concat([jpeg.subarray(0, at), ...segments, jpeg.subarray(at)]);
}

function endOfPacket(jpeg: Buffer): number | undefined {
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== startOfScan; ) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const isPacket =
      jpeg[at + 1] === app1 && jpeg.toString("latin1", at + 4, at + 4 + packetName.length) === packetName;
    if (isPacket) return end;
    at = end;
  }
  return undefined;
}
