/** Scenes that take their colors and their light from a picture. */

import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { editedWithScene } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import type { EditedImage } from "../../imaging/pixels/image.ts";
import { rgbToLab } from "../../imaging/pixels/lab.ts";

const crate = drawnCutOut(200, 160, box(75, 50, 125, 130));
const wallColor = "#b4c8be";
const groundColor = "#96704c";
/** Lit from the left. */
const picture = async (format: "png" | "jpeg" = "png") => {
  const rows = Array.from({ length: 90 }, (_, y) =>
    Array.from({ length: 120 }, (__, x) => {
      const color = Buffer.from((y < 55 ? wallColor : groundColor).slice(1), "hex");
      return [...color].map((value) => Math.min(255, value * (1.12 - (0.24 * x) / 120)));
    }),
  );
  const raw = { width: 120, height: 90, channels: 3 } as const;
  return await sharp(Buffer.from(rows.flat(2)), { raw })
    .toFormat(format, { quality: 95 })
    .toBuffer();
};
const edited = async (palette: Uint8Array, parameters: EditParameters = {}) =>
  await editedWithScene(crate, {
    parameters: { seed: 3, model: "mask", theme: "studio", ...parameters },
    signal: new AbortController().signal,
    onStage: () => {},
    palette,
    maxPixels: 100_000_000,
  });

/** Distance of the mean color of a region from a named one: CIE 1976. */
function deltaE(image: EditedImage, [left, top, right, bottom]: readonly number[], hex: string): number {
  const sums = [0, 0, 0];
  for (let y = top!; y < bottom!; y++) {
    for (let x = left!; x < right!; x++)
      for (let c = 0; c < 3; c++) sums[c]! += image.pixels[(y * image.width + x) * 3 + c]!;
  }
  const count = (right! - left!) * (bottom! - top!);
  const bytes = [...sums.map((sum) => Math.round(sum / count)), ...Buffer.from(hex.slice(1), "hex")];
  const lab = rgbToLab(Uint8Array.from(bytes));
  return Math.hypot(lab[0]! - lab[3]!, lab[1]! - lab[4]!, lab[2]! - lab[5]!);
}

const atWall = [0, 20, 50, 40];
const onGround = [0, 148, 200, 160];

it("takes wall, ground and light from it, and says so", async () => {
  const image = await edited(await picture());
  const { reference } = image.report.scene as { reference: { palette: string[]; direction: number } };
  expect(Math.abs(reference.direction - 270)).toBeLessThan(30);
  expect(image.report).toMatchObject({ shadow: { direction: reference.direction } });
  expect(deltaE(image, atWall, wallColor)).toBeLessThan(12);
  expect(deltaE(image, onGround, groundColor)).toBeLessThan(12);
  const again = await edited(await picture());
  expect(Buffer.compare(again.pixels, image.pixels)).toBe(0);
});

it("gives way to colors and a light of the parameters", async () => {
  const image = await edited(await picture("jpeg"), { palette: ["#203a6a"], shadow: { direction: 90 } });
  expect(image.report).toMatchObject({ shadow: { direction: 90 } });
  expect(deltaE(image, atWall, "#203a6a")).toBeLessThan(12);
  expect(deltaE(image, onGround, groundColor)).toBeLessThan(14);
});

it("fails where the picture cannot be read, or is too large", async () => {
  const broken = edited(Buffer.from("no picture"));
  await expect(broken).rejects.toMatchObject({ code: "palette_unusable" });
  const large = await sharp({ create: { width: 6_000, height: 4_100, channels: 3, background: "#888" } })
    .png()
    .toBuffer();
  await expect(edited(large)).rejects.toMatchObject({
    code: "palette_unusable",
    message: expect.stringMatching(/^The palette picture cannot be used: .*limit is 24/),
  });
});
