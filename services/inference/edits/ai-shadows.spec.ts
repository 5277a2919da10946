import { describe, expect, it } from "vitest";
import { box, drawnCutOut } from "../../../testing/images/drawn-cut-out.ts";
import type { EditedImage } from "../imaging/pixels/image.ts";
import { editWithShadow } from "./ai-shadows.ts";
import type { EditInput } from "./edit.ts";

const input = (seed: number, shadow?: EditInput["parameters"]["shadow"], signal = new AbortController().signal) => ({
  parameters: { seed, model: "mask", ...(shadow === undefined ? {} : { shadow }) },
  signal,
  onStage: () => {},
});

const crate = drawnCutOut(240, 200, box(90, 60, 150, 150));
const alphaAt = (image: EditedImage, x: number, y: number): number => image.pixels[(y * image.width + x) * 4 + 3]!;

describe("editWithShadow", () => {
  it("keeps every opaque pixel of the product", async () => {
    const edited = await editWithShadow(crate, input(1));
    expect(edited).toMatchObject({ width: 240, height: 200, channels: 4 });
    let changed = 0;
    for (let i = 0; i < crate.alpha.length; i++) {
      if (crate.alpha[i] !== 255) continue;
      const same = [0, 1, 2].every((c) => edited.pixels[i * 4 + c] === crate.rgb[i * 3 + c]);
      if (!same || edited.pixels[i * 4 + 3] !== 255) changed++;
    }
    expect(changed).toBe(0);
  });

  it("is darkest where the product meets the ground, and absent above it", async () => {
    const edited = await editWithShadow(crate, input(3));
    const touching = alphaAt(edited, 120, 150);
    expect(touching).toBeGreaterThan(100);
    for (const y of [156, 164, 175]) expect(alphaAt(edited, 120, y)).toBeLessThan(touching);
    for (let x = 0; x < 240; x++) expect(alphaAt(edited, x, 30)).toBe(0);
  });

  it("draws the shadow in black, and none of it at the image's edges", async () => {
    const edited = await editWithShadow(crate, input(3));
    for (let y = 152; y < 200; y++) {
      for (let x = 0; x < 240; x++) {
        const at = (y * 240 + x) * 4;
        expect([edited.pixels[at], edited.pixels[at + 1], edited.pixels[at + 2]]).toEqual([0, 0, 0]);
      }
    }
    for (let x = 0; x < 240; x++) expect(alphaAt(edited, x, 199)).toBe(0);
  });

  it("is deterministic for a seed, and lights the product differently for another", async () => {
    const [first, again, other] = await Promise.all([7, 7, 8].map((seed) => editWithShadow(crate, input(seed))));
    expect(Buffer.compare(first!.pixels, again!.pixels)).toBe(0);
    expect(first!.report).toEqual(again!.report);
    expect(Buffer.compare(first!.pixels, other!.pixels)).not.toBe(0);
  });

  it("casts the shadow away from the light of the parameters", async () => {
    const sum = (image: EditedImage, left: number, right: number) => {
      let total = 0;
      for (let y = 100; y < 190; y++) for (let x = left; x < right; x++) total += alphaAt(image, x, y);
      return total;
    };
    const fromRight = await editWithShadow(crate, input(1, { direction: 80 }));
    const fromLeft = await editWithShadow(crate, input(1, { direction: 280 }));
    expect(sum(fromRight, 10, 88)).toBeGreaterThan(2 * sum(fromRight, 152, 230));
    expect(sum(fromLeft, 152, 230)).toBeGreaterThan(2 * sum(fromLeft, 10, 88));
    expect(fromRight.report).toMatchObject({ shadow: { direction: 80, stance: "standing" } });
  });

  it("scales the shadow by the opacity of the parameters, down to none", async () => {
    const none = await editWithShadow(crate, input(1, { opacity: 0 }));
    for (let y = 151; y < 200; y++) for (let x = 0; x < 240; x++) expect(alphaAt(none, x, y)).toBe(0);
    const half = await editWithShadow(crate, input(1, { opacity: 0.4 }));
    const whole = await editWithShadow(crate, input(1, { opacity: 1 }));
    expect(alphaAt(half, 120, 153)).toBeLessThan(alphaAt(whole, 120, 153));
  });

  it("gives each leg a contact of its own", async () => {
    const table = drawnCutOut(
      300,
      220,
      (x, y) => box(60, 60, 240, 80)(x, y) || box(65, 80, 80, 180)(x, y) || box(220, 80, 235, 180)(x, y),
    );
    const edited = await editWithShadow(table, input(2));
    const between = alphaAt(edited, 150, 180);
    expect(alphaAt(edited, 72, 180)).toBeGreaterThan(between + 30);
    expect(alphaAt(edited, 227, 180)).toBeGreaterThan(between + 30);
  });

  it("treats a product without a foot as a flat lay, with shadow all around it", async () => {
    const toes = (x: number, y: number) => [75, 165].some((cx) => ((x - cx) / 38) ** 2 + ((y - 120) / 85) ** 2 < 1);
    const edited = await editWithShadow(drawnCutOut(240, 240, toes), input(2));
    expect(edited.report).toMatchObject({ shadow: { stance: "lying", stanceReason: "seen-from-above" } });
  });

  it("reports a product that the image's border cuts off", async () => {
    const edited = await editWithShadow(drawnCutOut(160, 160, box(40, 50, 120, 160)), input(2));
    expect(edited.report).toMatchObject({ shadow: { stance: "lying", stanceReason: "cut-at-bottom" } });
  });

  it.each([
    ["one pixel", 1, 1],
    ["one row", 97, 1],
    ["one column", 1, 97],
    ["a few pixels", 5, 3],
    ["a long strip", 2000, 12],
  ])("takes %s", async (_name, width, height) => {
    const edited = await editWithShadow(
      drawnCutOut(width, height, () => true),
      input(1),
    );
    expect(edited.pixels.length).toBe(width * height * 4);
  });

  it("returns an empty image for an empty cut-out", async () => {
    const edited = await editWithShadow(
      drawnCutOut(40, 30, () => false),
      input(1),
    );
    expect(edited.pixels.every((byte) => byte === 0)).toBe(true);
    expect(edited.report).toMatchObject({ shadow: { stance: "empty" } });
  });

  it("keeps the source's profile and stops when the job is cancelled", async () => {
    const icc = Buffer.from("profile");
    expect((await editWithShadow({ ...crate, icc }, input(1))).icc).toBe(icc);
    await expect(editWithShadow(crate, input(1, undefined, AbortSignal.abort()))).rejects.toThrow(/abort/i);
  });
});
