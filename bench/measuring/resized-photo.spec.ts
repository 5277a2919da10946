import sharp from "sharp";
import { expect, test } from "vitest";
import { resizedPhoto } from "./resized-photo.ts";

test("a photo has about as many pixels as asked for, smaller and larger, and keeps its aspect ratio", async () => {
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  for (const megapixels of [0.015, 0.24]) {
    const { format, width, height } = await sharp(await resizedPhoto(photo, megapixels)).metadata();
    expect(format).toBe("jpeg");
    expect(width / height).toBeCloseTo(1.5, 1);
    expect((width * height) / 1e6).toBeCloseTo(megapixels, 3);
  }
});
