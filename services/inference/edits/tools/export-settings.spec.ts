/** What `output` says of the file, measured on the file. */

import { createHash } from "node:crypto";
import type { OutputParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { readExif } from "../../imaging/codec/read-exif.ts";
import { readXmp } from "../../imaging/codec/xmp.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import { runEdit } from "./run-edit.ts";

const models: ModelClient = {
  describe: async () => ({ width: 8, height: 8, channels: "rgb", testTimeAugmentation: false, version: "1" }),
  predict: async () => Promise.reject(new Error("a cut-out needs no model")),
};

const size = { width: 96, height: 64 };
const disc = Buffer.from(
  `<svg width="96" height="64"><defs><linearGradient id="g"><stop stop-color="#e22"/><stop offset="1" stop-color="#2b4"/></linearGradient></defs><circle cx="48" cy="32" r="24" fill="url(#g)"/></svg>`,
);

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Credit="Studio &amp; Söhne"><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© 2026 &lt;Shop&gt;</rdf:li></rdf:Alt></dc:rights><dc:subject><rdf:Bag><rdf:li>mug</rdf:li><rdf:li>red</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A cut-out with a profile and with metadata of all three kinds of fields. */
async function photo(): Promise<Buffer> {
  const drawn = await sharp(disc).ensureAlpha().png().toBuffer();
  return await sharp(drawn)
    .withIccProfile("p3")
    .withExif({
      IFD0: { Artist: "Ann Photographer", Make: "Camera Works", Copyright: "old" },
      IFD2: { FNumber: "28/10" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
    })
    .withXmp(xmp)
    .png()
    .toBuffer();
}

const source = await photo();

async function encode(output: OutputParameters, of = source) {
  const { result, report } = await runEdit(editInput(of, models, { parameters: { output } }));
  const metadata = await sharp(result.bytes).metadata();
  const exif = metadata.exif?.toString("latin1") ?? "";
  const packet = metadata.xmp?.toString("utf8") ?? "";
  return { result, report, metadata, exif, packet };
}

/** XResolution of EXIF, which is where WebP and AVIF state it. */
function horizontalResolution(exif: Buffer): number {
  const tiff = exif.subarray(exif.indexOf("II*\0"));
  const count = tiff.readUInt16LE(8);
  const entry = Array.from({ length: count }, (_, i) => 10 + 12 * i).find((at) => tiff.readUInt16LE(at) === 0x011a)!;
  const at = tiff.readUInt32LE(entry + 8);
  return tiff.readUInt32LE(at) / tiff.readUInt32LE(at + 4);
}

/** Where a PNG's EXIF has the value of ResolutionUnit. */
function unitAt(png: Buffer): number {
  const chunk = png.indexOf("eXIf");
  return png.indexOf(Buffer.from([0x28, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00]), chunk) + 8;
}

/** From the bits of the AV1 configuration, ISOBMFF binding 2.3. */
function chromaOfAvif(bytes: Buffer): string {
  const bits = (bytes[bytes.indexOf("av1C") + 6]! >> 2) & 3;
  return bits === 3 ? "4:2:0" : "4:4:4";
}

const formats = ["png", "jpeg", "webp", "avif"] as const;

describe.each(formats)("a result as %s", (format) => {
  it("has nothing of the photo's metadata unless asked", async () => {
    const { metadata } = await encode({ format });
    expect(metadata).not.toHaveProperty("exif");
    expect(metadata).not.toHaveProperty("xmp");
  });

  it("keeps whose it is with metadata: copyright, and no place, camera or keyword", async () => {
    const { exif, packet } = await encode({ format, metadata: "copyright" });
    expect(packet).toContain("© 2026 &lt;Shop&gt;");
    expect(packet).toContain("Studio &amp; Söhne");
    expect(packet).toContain("<rdf:li>Ann Photographer</rdf:li>");
    expect(packet).not.toContain("mug");
    expect(exif).toContain("Ann Photographer");
    expect(exif).not.toContain("Camera Works");
  });

  it("keeps camera, exposure, place and keywords with metadata: all", async () => {
    const { exif, packet } = await encode({ format, metadata: "all" });
    expect(packet).toContain("<rdf:li>mug</rdf:li><rdf:li>red</rdf:li>");
    expect(exif).toContain("Camera Works");
    const fields = readExif(Buffer.from(exif, "latin1"));
    expect(fields.exposure.FNumber).toBe("28/10");
    expect(fields.place).toMatchObject({ GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" });
  });

  it("converts to sRGB and drops the profile with colorSpace: srgb", async () => {
    const kept = await encode({ format, background: "#ffffff" });
    const converted = await encode({ format, background: "#ffffff", colorSpace: "srgb" });
    expect([kept.metadata.icc === undefined, converted.metadata.icc === undefined]).toEqual([false, true]);
    const colorOf = async (bytes: Buffer) => {
      const pixel = sharp(bytes).removeAlpha().extract({ left: 36, top: 32, width: 1, height: 1 });
      return [...(await pixel.raw().toBuffer())];
    };
    const asShown = await colorOf(kept.result.bytes);
    const asConverted = await colorOf(converted.result.bytes);
    // sharp converts what has a profile to sRGB when it reads it.
    for (const [i, value] of asShown.entries()) expect(Math.abs(value - asConverted[i]!)).toBeLessThanOrEqual(8);
  });

  it("states its resolution", async () => {
    const { metadata } = await encode({ format, dpi: 300 });
    expect(metadata).toMatchObject(size);
    expect(metadata.density ?? horizontalResolution(metadata.exif!)).toBe(300);
  });

  it.each(["copyright", "all"] as const)(
    "states the photo's resolution with metadata: %s, or the asked one",
    async (kept) => {
      const stated = async (dpi: number | undefined, photo: Buffer) => {
        const { metadata } = await encode({ format, metadata: kept, dpi }, photo);
        return Math.round(metadata.density ?? horizontalResolution(metadata.exif!));
      };
      const ofPrint = await sharp(source).keepMetadata().withDensity(240).png().toBuffer();
      expect(await stated(undefined, ofPrint)).toBe(240);
      expect(await stated(300, ofPrint)).toBe(300);
      const withoutResolution = Buffer.from(ofPrint);
      withoutResolution.writeUInt16LE(1, unitAt(withoutResolution));
      expect(await stated(undefined, withoutResolution)).toBe(72);
    },
  );
});

describe("the encoding", () => {
  it("is progressive where asked", async () => {
    expect((await encode({ format: "jpeg", progressive: true })).metadata.isProgressive).toBe(true);
    expect((await encode({ format: "png", progressive: true })).metadata.isProgressive).toBe(true);
    expect((await encode({ format: "jpeg" })).metadata.isProgressive).toBe(false);
  });

  it.each(["webp", "avif"] as const)("loses nothing with lossless %s", async (format) => {
    const png = await encode({ format: "png", background: "#ffffff" });
    const { result } = await encode({ format, lossless: true, background: "#ffffff" });
    const pixels = async (bytes: Buffer) => await sharp(bytes).keepIccProfile().removeAlpha().raw().toBuffer();
    expect(Buffer.compare(await pixels(result.bytes), await pixels(png.result.bytes))).toBe(0);
  });

  it.each(["4:4:4", "4:2:0"] as const)("has the chroma %s that was asked for", async (chroma) => {
    expect((await encode({ format: "jpeg", chroma })).metadata.chromaSubsampling).toBe(chroma);
    expect(chromaOfAvif((await encode({ format: "avif", chroma })).result.bytes)).toBe(chroma);
  });

  it("reports the quality that was found for maxBytes", async () => {
    const usual = await encode({ format: "jpeg" });
    const maxBytes = usual.result.bytes.length - 300;
    const { result, report } = await encode({ format: "jpeg", maxBytes });
    expect(result.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(report.encoding).toMatchObject({ quality: expect.any(Number), encodings: expect.any(Number) });
    expect(usual.report.encoding).toBeUndefined();
  });

  it.each([
    ["jpeg", { lossless: true }, ["output.lossless"]],
    ["webp", { progressive: true, chroma: "4:4:4" }, ["output.progressive", "output.chroma"]],
    ["png", { chroma: "4:2:0" }, ["output.chroma"]],
    ["png", { quality: 80 }, ["output.quality"]],
    ["avif", { quality: 80, lossless: true }, ["output.quality"]],
    ["webp", { quality: 80 }, undefined],
  ] as const)("of %s names %j as overridden", async (format, output, overridden) => {
    expect((await encode({ format, ...output })).report.overridden).toEqual(overridden);
  });
});

it("a scene says in its XMP that it is a composite with synthetic parts, in the words of the IPTC", async () => {
  const input = editInput(source, models, { tool: "ai-bg", parameters: { theme: "wood" } });
  const { result, report } = await runEdit(input);
  const packet = (await sharp(result.bytes).metadata()).xmp!.toString("utf8");
  expect(packet).toContain("http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic");
  expect(report.digitalSourceType).toBe("compositeSynthetic");
});

it("a JPEG has all words of an XMP packet beyond 64 KB: its rights in the first part, the rest as extended XMP", async () => {
  const keywords = Array.from({ length: 90 }, (_, i) => `${i} ${"länger & ".repeat(150)}end`);
  const escaped = keywords.map((word) => `<rdf:li>${word.replaceAll("&", "&amp;")}</rdf:li>`);
  const bag = `<dc:subject><rdf:Bag>${escaped.join("")}</rdf:Bag></dc:subject>`;
  const packet = xmp.replace(/<dc:subject>.*<\/dc:subject>/, bag);
  const long = await sharp(source).keepMetadata().withXmp(packet).png().toBuffer();
  const parameters = { output: { format: "jpeg", metadata: "all" } } as const;
  const { result } = await runEdit(editInput(long, models, { parameters }));
  const standard = (await sharp(result.bytes).metadata()).xmp!.toString("utf8");
  expect(readXmp(standard)).toEqual({
    creators: ["Ann Photographer"],
    rights: "© 2026 <Shop>",
    credit: "Studio & Söhne",
  });
  const { guid, extended } = readExtendedXmp(result.bytes);
  expect(standard).toContain(`<xmpNote:HasExtendedXMP>${guid}</xmpNote:HasExtendedXMP>`);
  expect(createHash("md5").update(extended).digest("hex").toUpperCase()).toBe(guid);
  expect(readXmp(extended)).toEqual({ keywords });
  expect((await sharp(result.bytes).stats()).channels).toHaveLength(3);
});

/** The segments of XMP specification part 3, 1.1.3.1, put together by their offsets. */
function readExtendedXmp(jpeg: Buffer) {
  const name = Buffer.from("http://ns.adobe.com/xmp/extension/\0", "latin1");
  let guid = "";
  let extended = Buffer.alloc(0);
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const body = jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2));
    if (jpeg[at + 1] !== 0xe1 || !body.subarray(0, name.length).equals(name)) continue;
    guid = body.toString("latin1", name.length, name.length + 32);
    const bytes = body.readUInt32BE(name.length + 32);
    if (extended.length === 0) extended = Buffer.alloc(bytes);
    body.copy(extended, body.readUInt32BE(name.length + 36), name.length + 40);
  }
  return { guid, extended: extended.toString("utf8") };
}
