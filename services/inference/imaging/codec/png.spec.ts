import { randomBytes } from "node:crypto";
import { inflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { FillRow, PixelBuffer } from "../pixels/image.ts";
import { encodePng } from "./png.ts";

function fillRowOf(pixels: Uint8Array, rowBytes: number) {
  return (y: number, { bytes, words }: PixelBuffer) => {
    bytes.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes));
    return { first: 0, last: words.length };
  };
}

function chunksOf(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const name = png.toString("latin1", at + 4, at + 8);
    if (name === type) found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return found;
}

const channelCounts = [1, 3, 4] as const;

describe("encodePng", () => {
  it("round-trips any width, channels and pixels to the bit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(...channelCounts),
        fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
        async (width, height, channels, stream) => {
          const pixels = Uint8Array.from({ length: width * height * channels }, () => stream.next().value!);
          const png = await encodePng({ width, height, channels, fillRow: fillRowOf(pixels, width * channels) });
          const read = sharp(png);
          expect((await read.metadata()).channels).toBe(channels);
          if (channels === 1) read.toColorspace("b-w");
          expect(Buffer.compare(await read.raw().toBuffer(), pixels)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("joins many parts, whose buffers are reused, to one stream with the right checksum", async () => {
    const width = 100;
    const height = 400;
    const pixels = randomBytes(width * height * 4);
    const rows: number[] = [];
    const fill = fillRowOf(pixels, width * 4);
    const fillRow: FillRow = (y, target) => {
      rows.push(y);
      return fill(y, target);
    };
    // Two rows per part make 200 parts.
    const png = await encodePng({ width, height, channels: 4, fillRow }, 900);
    expect(rows).toEqual(Array.from({ length: height }, (_, y) => y));
    // zlib refuses a stream whose Adler-32 is not its content's.
    const filtered = inflateSync(Buffer.concat(chunksOf(png, "IDAT")));
    expect(filtered.length).toBe((width * 4 + 1) * height);
    expect(Buffer.compare(await sharp(png).raw().toBuffer(), pixels)).toBe(0);
  });

  it("fails with the error of a row", async () => {
    const failing = encodePng({
      width: 8,
      height: 8,
      channels: 3,
      fillRow: () => {
        throw new Error("no such row");
      },
    });
    await expect(failing).rejects.toThrow("no such row");
  });
});
