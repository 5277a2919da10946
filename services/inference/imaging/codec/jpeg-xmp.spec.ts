import { expect, test } from "vitest";
import { encodeImage } from "./encode.ts";
import { addExtendedXmp } from "./jpeg-xmp.ts";
import { formatXmp, type XmpProperties, xmpProperties } from "./xmp.ts";

const image = { width: 2, height: 2, channels: 3, pixels: Buffer.alloc(12, 200) } as const;
const rights = "© Müller Töpferei";

/** Properties whose whole packet has so many bytes: of one property, or of several. */
function propertiesOf(bytes: number, isOne: boolean): XmpProperties {
  const filled = (length: number) => {
    const text = "x".repeat(length);
    return xmpProperties(
      isOne ? { rights: rights + text } : { rights, description: text, createdAt: "2026-11-26" },
      undefined,
    )!;
  };
  const properties = filled(bytes - Buffer.byteLength(formatXmp(filled(0))));
  expect(Buffer.byteLength(formatXmp(properties))).toBe(bytes);
  return properties;
}

/** The text of all XMP segments of a JPEG, in the order of the file. */
function xmpOf(jpeg: Buffer): { readonly packet: string; readonly extension: string } {
  const packetName = "http://ns.adobe.com/xap/1.0/\0";
  const extensionName = "http://ns.adobe.com/xmp/extension/\0";
  let packet = "";
  const parts: Buffer[] = [];
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const content = jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2));
    if (content.toString("latin1").startsWith(packetName)) packet = content.toString("utf8", packetName.length);
    if (content.toString("latin1").startsWith(extensionName)) parts.push(content.subarray(extensionName.length + 40));
  }
  return { packet, extension: Buffer.concat(parts).toString() };
}

test.each([
  { bytes: 59_999, isOne: true, isSplit: false },
  { bytes: 59_999, isOne: false, isSplit: false },
  { bytes: 60_000, isOne: true, isSplit: false },
  { bytes: 60_001, isOne: true, isSplit: true },
  { bytes: 60_001, isOne: false, isSplit: true },
  { bytes: 65_000, isOne: true, isSplit: true },
  { bytes: 65_000, isOne: false, isSplit: true },
])("a JPEG keeps an XMP packet of $bytes bytes (of one property: $isOne)", async ({ bytes, isOne, isSplit }) => {
  const xmp = propertiesOf(bytes, isOne);
  const encoded = await encodeImage(image, { format: "jpeg", embedded: { xmp } });
  const { packet, extension } = xmpOf(encoded.bytes);
  expect(packet).toContain("<?xpacket end");
  expect(packet.includes("xmpNote:HasExtendedXMP")).toBe(isSplit);
  expect(extension !== "").toBe(isSplit);
  for (const property of xmp) expect(packet.includes(property) || extension.includes(property)).toBe(true);
  if (!isOne) expect(packet).toContain(rights);
});

test("a JPEG without a packet stays as it is", async () => {
  const { bytes } = await encodeImage(image, { format: "jpeg" });
  expect(addExtendedXmp(bytes, { text: "<x:xmpmeta/>", guid: "0".repeat(32) })).toEqual(bytes);
});
