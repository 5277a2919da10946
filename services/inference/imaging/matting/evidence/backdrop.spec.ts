import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { fitBackdrop } from "./backdrop.ts";

/** Noisy paper with a gradient, a blue disc, and a black bar that touches the border. */
function syntheticImage(side: number): Uint8Array {
  const rgb = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const paper = [
        200 + ((x * 7 + y * 3) % 11) - Math.floor((x * x) / 80),
        190 + ((x * 5 + y * 13) % 7) - Math.floor((y * y) / 90),
        180 + ((x * 3 + y * 17) % 5) + Math.floor(x / 4),
      ];
      const disc = (x - 22) ** 2 + (y - 19) ** 2 < 81;
      const bar = y >= 30 && x >= 4 && x < 9;
      rgb.set(bar ? [20, 20, 20] : disc ? [60, 90, 160] : paper, (y * side + x) * 3);
    }
  }
  return rgb;
}

function filled(side: number, ...color: [number, number, number]): Uint8Array {
  return Uint8Array.from({ length: side * side * 3 }, (_, i) => color[i % 3]!);
}

describe("fitBackdrop", () => {
  it("computes the same channel as the training recipe", async () => {
    const vector = JSON.parse(await readFile(new URL("backdrop.vector.json", import.meta.url), "utf8")) as {
      residual: number;
      channel: string;
    };
    const expected = Buffer.from(vector.channel, "base64");
    const { channel, residual } = fitBackdrop(syntheticImage(40), 40);
    expect(residual).toBeCloseTo(vector.residual, 2);
    const differences = channel.map((v, i) => Math.abs(v - expected[i]!));
    expect(Math.max(...differences)).toBeLessThanOrEqual(1);
    expect(differences.filter((d) => d > 0).length).toBeLessThan(0.02 * channel.length);
  });

  it("is not biased by a product that touches the border", () => {
    const { channel } = fitBackdrop(syntheticImage(40), 40);
    expect(channel[0]).toBeLessThan(30);
    expect(channel[38 * 40 + 6]).toBe(255);
  });

  it("takes a uniform image for backdrop", () => {
    const { channel, residual, agreement } = fitBackdrop(filled(64, 255, 255, 255), 64);
    expect(Math.max(...channel)).toBe(0);
    expect(residual).toBeLessThan(0.01);
    expect(agreement).toBeCloseTo(1, 3);
  });

  it("accepts an image of one pixel", () => {
    const { channel } = fitBackdrop(filled(1, 10, 200, 30), 1);
    expect(channel).toEqual(new Uint8Array([0]));
  });
});
