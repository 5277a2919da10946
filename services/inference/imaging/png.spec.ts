import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodePng } from "./png.ts";

function fillRowOf(pixels: Uint8Array, rowBytes: number) {
  return (y: number, { bytes }: { readonly bytes: Uint8Array }) =>
    bytes.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes));
}

const channelCounts = [1, 3, 4] as const;

describe("encodePng", () => {
  it("is read back to the bit, whatever the width, the channels and the pixels", async () => {
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
          if (channels === 1) read.toColourspace("b-w");
          expect(Buffer.compare(await read.raw().toBuffer(), pixels)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("asks for each row once, from the top, over many strips", async () => {
    const [width, height] = [2000, 1500];
    const asked: number[] = [];
    const png = await encodePng({
      width,
      height,
      channels: 4,
      fillRow: (y, { words }) => {
        asked.push(y);
        words.fill(y * 0x01010101);
      },
    });
    expect(asked).toEqual(Array.from({ length: height }, (_, y) => y));
    const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect([0, 700, 1499].map((y) => data[y * width * 4])).toEqual([0, 700, 1499].map((y) => y & 255));
  });

  it("fails with what a row failed with", async () => {
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
