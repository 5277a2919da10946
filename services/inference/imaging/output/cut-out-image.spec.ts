import { expect, it } from "vitest";
import { allocatePixels } from "../pixels/image.ts";
import { cutOutImage } from "./cut-out-image.ts";

it("joins colors and alpha of each row, black where it is transparent, and says which part is not", () => {
  for (const width of [1, 5, 38]) {
    const height = 6;
    const rgb = Uint8Array.from({ length: 3 * width * height }, (_, at) => 1 + ((at * 37) % 255));
    // The first row is transparent, the second opaque; the others have gaps, and transparent ends.
    const alpha = Uint8Array.from({ length: width * height }, (_, i) => {
      const x = i % width;
      const y = (i - x) / width;
      if (y < 2) return 255 * y;
      return x < y || x >= width - y || x % 7 === 0 ? 0 : 1 + ((i * 11) % 255);
    });
    const image = cutOutImage({ width, height, rgb, alpha });
    const pixels = Uint8Array.from({ length: 4 * alpha.length }, (_, at) => {
      const i = at >> 2;
      if (alpha[i] === 0) return 0;
      return at % 4 === 3 ? alpha[i]! : rgb[3 * i + (at % 4)]!;
    });
    expect(image.pixels).toEqual(pixels);
    const row = allocatePixels(4 * width);
    row.bytes.fill(9);
    for (let y = 0; y < height; y++) {
      const { first, last } = image.fillRow!(y, row);
      expect(row.bytes).toEqual(pixels.subarray(4 * y * width, 4 * (y + 1) * width));
      const visible = [...row.words.keys()].filter((x) => row.words[x] !== 0);
      if (visible.length > 0) expect([first, last]).toEqual([visible[0], visible.at(-1)! + 1]);
      else expect(first).toBeGreaterThanOrEqual(last);
    }
  }
});
