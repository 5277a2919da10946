import type { ShadowKind } from "@packshot/domain/edits/shadow.ts";
import { describe, expect, it } from "vitest";
import { editedWithShadow } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { EditedImage } from "../../imaging/pixels/image.ts";
import type { EditInput } from "../edit.ts";

const input = (seed: number, shadow?: EditInput["parameters"]["shadow"], signal = new AbortController().signal) => ({
  parameters: { seed, model: "mask", shadow },
  maxPixels: 100_000_000,
  signal,
  onStage: () => {},
});

const crate = drawnCutOut(240, 200, box(90, 60, 150, 150));
const shadowSum = (image: EditedImage, { alpha }: CutOut): number =>
  alpha.reduce((sum, own, i) => sum + (own === 0 ? image.pixels[i * 4 + 3]! : 0), 0);
const alphaAt = (image: EditedImage, x: number, y: number): number => image.pixels[(y * image.width + x) * 4 + 3]!;

const directionOf = ({ shadow }: EditedImage["report"]) => (shadow as { direction: number }).direction;

describe("editWithShadow", () => {
  it("keeps every opaque pixel of the product", async () => {
    const edited = await editedWithShadow(crate, input(1));
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
    const edited = await editedWithShadow(crate, input(3));
    const touching = alphaAt(edited, 120, 150);
    expect(touching).toBeGreaterThan(80);
    for (const y of [156, 164, 175]) expect(alphaAt(edited, 120, y)).toBeLessThan(touching);
    for (let x = 0; x < 240; x++) expect(alphaAt(edited, x, 30)).toBe(0);
  });

  it("draws the shadow in black, and none of it at the image's edges", async () => {
    const edited = await editedWithShadow(crate, input(3));
    for (let y = 152; y < 200; y++) {
      for (let x = 0; x < 240; x++) {
        const at = (y * 240 + x) * 4;
        expect([edited.pixels[at], edited.pixels[at + 1], edited.pixels[at + 2]]).toEqual([0, 0, 0]);
      }
    }
    for (let x = 0; x < 240; x++) expect(alphaAt(edited, x, 199)).toBe(0);
  });

  it("has the same picture at a thumbnail's size, where the cut-out has itself at that size", async () => {
    const half = { width: 120, height: 100 };
    const sourceOf = (i: number) => 2 * Math.floor(i / half.width) * crate.width + 2 * (i % half.width);
    const pixels = new Uint8Array(4 * half.width * half.height);
    for (let i = 0; i < half.width * half.height; i++) {
      const from = sourceOf(i);
      if (crate.alpha[from] === 0) continue;
      pixels.set([...crate.rgb.subarray(3 * from, 3 * from + 3), crate.alpha[from]!], 4 * i);
    }
    const edited = await editedWithShadow({ ...crate, reduced: { ...half, channels: 4, pixels } }, input(3));
    expect(edited.reduced).toMatchObject({ ...half, channels: 4 });
    const wanted = pixels.map((_, at) => edited.pixels[4 * sourceOf(Math.floor(at / 4)) + (at % 4)]!);
    const differences = edited.reduced!.pixels.map((value, at) => Math.abs(value - wanted[at]!));
    // A reduced pixel lies between two of the whole.
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(0.5);
    const mirrored = await editedWithShadow(
      { ...crate, reduced: { ...half, channels: 4, pixels } },
      input(3, { kind: "reflection" }),
    );
    expect(mirrored.reduced).toBeUndefined();
  });

  it("is deterministic for a seed, and lights the product differently for another", async () => {
    const [first, again, other] = await Promise.all([7, 7, 8].map((seed) => editedWithShadow(crate, input(seed))));
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
    const fromRight = await editedWithShadow(crate, input(1, { direction: 80 }));
    const fromLeft = await editedWithShadow(crate, input(1, { direction: 280 }));
    expect(sum(fromRight, 10, 88)).toBeGreaterThan(2 * sum(fromRight, 152, 230));
    expect(sum(fromLeft, 152, 230)).toBeGreaterThan(2 * sum(fromLeft, 10, 88));
    expect(fromRight.report).toMatchObject({ shadow: { direction: 80, stance: "standing" } });
  });

  it("casts it away from the light that the product shows, with every seed", async () => {
    const shaded = (brightest: number): CutOut => {
      const rgb = Uint8Array.from(crate.rgb, (_, at) => 220 - 2 * Math.abs((Math.floor(at / 3) % 240) - brightest));
      return { ...crate, rgb };
    };
    for (let seed = 1; seed < 6; seed++) {
      const { report: right } = await editedWithShadow(shaded(150), input(seed));
      const { report: left } = await editedWithShadow(shaded(90), input(seed));
      expect((right.shadow as { direction: number }).direction).toBeLessThan(180);
      expect((left.shadow as { direction: number }).direction).toBeGreaterThan(180);
    }
  });

  it("scales the shadow by the opacity of the parameters, down to none", async () => {
    const none = await editedWithShadow(crate, input(1, { opacity: 0 }));
    for (let y = 151; y < 200; y++) for (let x = 0; x < 240; x++) expect(alphaAt(none, x, y)).toBe(0);
    const half = await editedWithShadow(crate, input(1, { opacity: 0.4 }));
    const whole = await editedWithShadow(crate, input(1, { opacity: 1 }));
    expect(alphaAt(half, 120, 153)).toBeLessThan(alphaAt(whole, 120, 153));
  });

  it("gives each leg a contact of its own", async () => {
    const table = drawnCutOut(
      300,
      220,
      (x, y) => box(60, 60, 240, 80)(x, y) || box(65, 80, 80, 180)(x, y) || box(220, 80, 235, 180)(x, y),
    );
    const contact = await editedWithShadow(table, input(2, { kind: "contact" }));
    expect(alphaAt(contact, 92, 172), "farther back between the legs").toBeGreaterThan(0);
    expect(alphaAt(contact, 53, 172), "beside them").toBe(0);
    const edited = await editedWithShadow(table, input(2));
    const between = alphaAt(edited, 150, 180);
    expect(alphaAt(edited, 72, 180)).toBeGreaterThan(between + 30);
    expect(alphaAt(edited, 227, 180)).toBeGreaterThan(between + 30);
  });

  it.each(["cast", "contact"] as const)("gives each thing of a set a contact of its own by %s", async (kind) => {
    const set = drawnCutOut(300, 220, (x, y) => box(60, 120, 180, 190)(x, y) || box(200, 90, 240, 140)(x, y));
    const { parameters } = input(2, { kind, direction: 280 });
    const seen = { ...parameters, pose: "standing", camera: "above" } as const;
    const edited = await editedWithShadow(set, { ...input(2), parameters: seen });
    expect(alphaAt(edited, 210, 141)).toBeGreaterThan(40);
    expect(alphaAt(edited, 220, 86)).toBeLessThan(20);
  });

  it("glows around what is sure to lie, and casts only a contact below what may stand", async () => {
    const band = (x: number, y: number) => Math.abs(x - y) < 16 && x + y > 130 && x + y < 350;
    const lying = await editedWithShadow(drawnCutOut(240, 240, band), input(2));
    expect(lying.report).toMatchObject({
      shadow: { stance: "lying", stanceReason: "seen-from-above", kind: "cast", stanceConfidence: expect.any(Number) },
    });
    const disc = (x: number, y: number) => Math.hypot(x - 120, y - 120) < 60;
    const contact = await editedWithShadow(drawnCutOut(240, 240, disc), input(2, { kind: "contact" }));
    expect(alphaAt(contact, 120, 182)).toBeGreaterThan(40);
    for (let x = 0; x < 240; x++) expect(alphaAt(contact, x, 56)).toBe(0);
    expect(alphaAt(contact, 56, 120)).toBe(0);
    expect(alphaAt(contact, 184, 120)).toBe(0);
  });

  it("has a contact close around what surely lies, and none along a floor", async () => {
    const { parameters } = input(2, { kind: "contact" });
    const edited = await editedWithShadow(crate, { ...input(2), parameters: { ...parameters, pose: "lying" } });
    expect(alphaAt(edited, 120, 152)).toBeGreaterThan(20);
    expect(alphaAt(edited, 87, 105)).toBeGreaterThan(5);
    expect(alphaAt(edited, 152, 105)).toBeGreaterThan(5);
    expect(alphaAt(edited, 120, 172)).toBe(0);
    expect(alphaAt(edited, 172, 150)).toBe(0);
  });

  it("casts a shadow on the floor where it is not sure that a product hangs or lies", async () => {
    const shoe = (left: number) => (x: number, y: number) => ((x - left) / 32) ** 2 + ((y - 120) / 70) ** 2 < 1;
    const shoes = drawnCutOut(240, 240, (x, y) => shoe(83)(x, y) || shoe(157)(x, y));
    const edited = await editedWithShadow(shoes, input(2, { kind: "cast", direction: 60 }));
    const { stance, stanceConfidence } = edited.report.shadow as { stance: string; stanceConfidence: number };
    expect(stance).toBe("lying");
    expect(stanceConfidence).toBeLessThan(0.95);
    for (let x = 0; x < 240; x++) expect(alphaAt(edited, x, 47)).toBe(0);
    expect(alphaAt(edited, 80, 192)).toBeGreaterThan(20);
    const above = { ...input(2, { kind: "cast" }).parameters, camera: "above" as const };
    expect(alphaAt(await editedWithShadow(shoes, { ...input(2), parameters: above }), 83, 47)).toBeGreaterThan(0);
  });

  it("casts no shadow along a border that cuts the product off", async () => {
    const cut = drawnCutOut(160, 160, box(40, 50, 120, 160));
    const edited = await editedWithShadow(cut, input(2));
    expect(edited.report).toMatchObject({
      shadow: { stance: "floating", stanceReason: "cut-at-bottom", kind: "none" },
    });
    expect(shadowSum(edited, cut)).toBe(0);
  });

  it.each(["cast", "contact"] as const)(
    "has no %s shadow beside the cut, where the product ends just above it, unless it is seen from above",
    async (kind) => {
      const besideCut = drawnCutOut(160, 160, (x, y) => box(30, 50, 130, 156)(x, y) || box(60, 50, 100, 160)(x, y));
      const edited = await editedWithShadow(besideCut, input(2, { kind }));
      expect(edited.report).toMatchObject({ shadow: { stanceReason: "cut-at-bottom", kind: "none" } });
      expect(shadowSum(edited, besideCut)).toBe(0);
      const seen = { ...input(2, { kind }).parameters, camera: "above" as const };
      const fromAbove = await editedWithShadow(besideCut, { ...input(2), parameters: seen });
      expect(fromAbove.report).toMatchObject({ shadow: { stanceReason: "cut-at-bottom", kind } });
      expect(alphaAt(fromAbove, 26, 100), "beside what lies").toBeGreaterThan(0);
      const stood = { ...input(2, { kind }).parameters, pose: "standing" as const };
      const asked = await editedWithShadow(besideCut, { ...input(2), parameters: stood });
      expect(shadowSum(asked, besideCut)).toBeGreaterThan(0);
    },
  );

  it("takes the pose of the parameters", async () => {
    const parameters = { ...input(2).parameters, pose: "lying" as const };
    const edited = await editedWithShadow(crate, { ...input(2), parameters });
    expect(edited.report).toMatchObject({ shadow: { stance: "lying", stanceConfidence: 1 } });
    expect(alphaAt(edited, 120, 57)).toBeGreaterThan(0);
  });

  it("makes each kind of shadow where that kind has it", async () => {
    const made = async (kind: ShadowKind) => await editedWithShadow(crate, input(2, { kind, direction: 90 }));
    const [cast, contact, drop, float, reflection, none] = await Promise.all(
      (["cast", "contact", "drop", "float", "reflection", "none"] as const).map(made),
    );
    expect(shadowSum(none!, crate)).toBe(0);
    expect(alphaAt(cast!, 80, 148)).toBeGreaterThan(20);
    expect(shadowSum(contact!, crate)).toBeLessThan(0.7 * shadowSum(cast!, crate));
    expect(alphaAt(drop!, 87, 100)).toBeGreaterThan(10);
    expect(alphaAt(drop!, 153, 100)).toBeLessThan(alphaAt(drop!, 87, 100));
    expect(alphaAt(float!, 120, 151)).toBeLessThan(alphaAt(float!, 120, 162));
    const color = (x: number, y: number) => [0, 1, 2].map((c) => reflection!.pixels[(y * 240 + x) * 4 + c]!);
    expect(alphaAt(reflection!, 100, 156)).toBeGreaterThan(30);
    expect(Math.max(...color(100, 156))).toBeGreaterThan(40);
  });

  it("gives the shadow the length and the color of the parameters", async () => {
    const reach = async (length: number) => {
      const edited = await editedWithShadow(crate, input(2, { kind: "cast", direction: 90, softness: 0, length }));
      let x = 88;
      while (x > 0 && alphaAt(edited, x, 148) > 12) x--;
      return 90 - x;
    };
    expect(await reach(0.6)).toBeGreaterThan((await reach(0.2)) + 20);
    const tall = drawnCutOut(700, 200, box(600, 60, 640, 150));
    const long = await editedWithShadow(tall, input(2, { kind: "cast", direction: 90, softness: 0, length: 3 }));
    expect(alphaAt(long, 380, 148), "90 pixels high, 220 pixels away").toBeGreaterThan(12);
    const blue = await editedWithShadow(crate, input(2, { color: "#000080" }));
    expect([0, 1, 2].map((c) => blue.pixels[(153 * 240 + 120) * 4 + c])).toEqual([0, 0, 128]);
  });

  describe("on a canvas that grows", () => {
    const grown = async (
      cut: CutOut,
      shadow: EditInput["parameters"]["shadow"],
      { maxPixels = 100_000_000, layers = false } = {},
    ) => {
      const parameters = { ...input(2, shadow).parameters, output: { fit: "grow" as const }, layers };
      return await editedWithShadow(cut, { ...input(2), parameters, maxPixels });
    };
    const marginOf = (image: EditedImage) =>
      image.report.grown as { left: number; top: number; right: number; bottom: number };
    /** Whether any pixel of the outermost ones is seen. */
    const isCut = (image: EditedImage) => {
      const { width, height } = image;
      const rows = Array.from({ length: width }, (_, x) => alphaAt(image, x, 0) + alphaAt(image, x, height - 1));
      const columns = Array.from({ length: height }, (_, y) => alphaAt(image, 0, y) + alphaAt(image, width - 1, y));
      return [...rows, ...columns].some((sum) => sum > 2);
    };
    const tight = drawnCutOut(80, 110, box(10, 10, 70, 100));

    it.each([
      ["a long shadow to the left", { kind: "cast", direction: 90, length: 2 }, "left"],
      ["one to the right", { kind: "cast", direction: 270, length: 2 }, "right"],
      ["one toward the viewer", { kind: "cast", direction: 0, length: 2 }, "bottom"],
      ["a pool", { kind: "float", length: 2 }, "bottom"],
      ["a reflection", { kind: "reflection" }, "bottom"],
      ["an outline", { kind: "drop", direction: 90, length: 3, softness: 1 }, "left"],
    ] as const)("has room for %s, and says how much", async (_name, shadow, side) => {
      const image = await grown(tight, shadow);
      const margin = marginOf(image);
      expect(image.width).toBe(80 + margin.left + margin.right);
      expect(image.height).toBe(110 + margin.top + margin.bottom);
      expect(margin[side]).toBeGreaterThan(8);
      expect(isCut(image)).toBe(false);
      expect(image.origin).toEqual({ x: margin.left, y: margin.top });
      let changed = 0;
      for (let y = 0; y < 110; y++) {
        for (let x = 0; x < 80; x++) {
          if (tight.alpha[y * 80 + x] !== 255) continue;
          const at = ((y + margin.top) * image.width + x + margin.left) * 4;
          if ([0, 1, 2].some((c) => image.pixels[at + c] !== tight.rgb[(y * 80 + x) * 3 + c])) changed++;
        }
      }
      expect(changed, "the product stays what it is").toBe(0);
    });

    it("stays as it is where nothing is cut off, and with the photo's own shadow", async () => {
      const none = { left: 0, top: 0, right: 0, bottom: 0 };
      const wide = drawnCutOut(500, 400, box(220, 150, 280, 240));
      expect(marginOf(await grown(wide, { kind: "cast", direction: 90 }))).toEqual(none);
      expect(marginOf(await grown(tight, { kind: "none" }))).toEqual(none);
      const empty = drawnCutOut(40, 30, () => false);
      expect(marginOf(await grown(empty, { kind: "cast" }))).toEqual(none);
      expect((await editedWithShadow(tight, input(2))).report).not.toHaveProperty("grown");
    });

    it("does not grow where the photo's border cuts the product", async () => {
      const cut = drawnCutOut(80, 110, box(0, 20, 60, 100));
      expect(marginOf(await grown(cut, { kind: "cast", direction: 90, length: 2 })).left).toBe(0);
      expect(marginOf(await grown(cut, { kind: "cast", direction: 270, length: 2 })).right).toBeGreaterThan(50);
      const below = drawnCutOut(80, 110, box(10, 20, 70, 110));
      expect(marginOf(await grown(below, { kind: "float", length: 3 })).bottom).toBe(0);
    });

    it("has the shadow of what is thinner than the outline's cells", async () => {
      for (let left = 20; left < 28; left++) {
        const rod = drawnCutOut(60, 460, box(left, 20, left + 2, 440));
        const image = await grown(rod, { kind: "cast", direction: 90, length: 1 });
        expect(marginOf(image).left, `from column ${left}`).toBeGreaterThan(100);
      }
    });

    it("has layers of its own size", async () => {
      const image = await grown(tight, { kind: "cast", direction: 90, length: 2 }, { layers: true });
      for (const layer of image.layers!)
        expect(layer.image).toMatchObject({ width: image.width, height: image.height });
    });

    it("fails where the shadow takes more pixels than a canvas may have", async () => {
      const shadow = { kind: "cast", direction: 90, length: 3 } as const;
      await expect(grown(tight, shadow, { maxPixels: 12_000 })).rejects.toMatchObject({
        code: "canvas_too_large",
        message: expect.stringMatching(/a canvas of \d+ × 1\d\d pixels, and may have 12000 pixels: ask for a shorter/),
      });
    });
  });

  describe("with a shadow in the photo", () => {
    const alpha = new Uint8Array(240 * 200);
    for (let y = 140; y < 156; y++) alpha.fill(90, y * 240 + 60, y * 240 + 150);
    const own = { outcome: "separated", alpha } as const;

    it("keeps it, and casts none", async () => {
      const edited = await editedWithShadow(crate, input(2), own);
      expect(edited.report).toMatchObject({ shadow: { kind: "natural" } });
      expect(alphaAt(edited, 75, 148)).toBeGreaterThan(80);
      expect(alphaAt(edited, 170, 148)).toBe(0);
    });

    it("closes the gaps that noise has left in it, and casts one where it is torn", async () => {
      const riddled = (gaps: (i: number) => boolean) => ({ ...own, alpha: alpha.map((a, i) => (gaps(i) ? 0 : a)) });
      const dotted = await editedWithShadow(
        crate,
        input(2),
        riddled((i) => i === 148 * 240 + 75),
      );
      expect(dotted.report).toMatchObject({ shadow: { kind: "natural" } });
      expect(alphaAt(dotted, 75, 148)).toBeGreaterThan(60);
      const torn = await editedWithShadow(
        crate,
        input(2),
        riddled((i) => i % 3 === 0),
      );
      expect(torn.report).toMatchObject({ shadow: { kind: "cast" } });
    });

    it("leaves out a stain of the backdrop beside what stands", async () => {
      const stained = alpha.slice();
      for (let y = 80; y < 100; y++) stained.fill(60, y * 240 + 156, y * 240 + 200);
      const edited = await editedWithShadow(crate, input(2), { ...own, alpha: stained });
      expect(edited.report).toMatchObject({ shadow: { kind: "natural" } });
      expect(alphaAt(edited, 75, 148)).toBeGreaterThan(80);
      for (let x = 156; x < 200; x++) expect(alphaAt(edited, x, 90)).toBe(0);
    });

    it.each<[string, (i: number) => number]>([
      ["torn", (i) => (i % 3 === 0 ? 0 : 60)],
      ["faint", () => 10],
    ])("casts one where the backdrop apart from it is %s", async (_, valueAt) => {
      const uneven = alpha.map((a, i) => (i < 100 * 240 ? valueAt(i) : a));
      // Darkness above it might be that of something that lies.
      const { parameters, ...others } = input(2);
      const stands = { ...others, parameters: { ...parameters, pose: "standing" as const } };
      const edited = await editedWithShadow(crate, stands, { ...own, alpha: uneven });
      expect(edited.report).toMatchObject({ shadow: { kind: "cast" } });
    });

    it.each<[string, number, number, number]>([
      ["faint", 140, 156, 12],
      ["a scrap of one", 152, 154, 90],
      ["away from the foot", 90, 110, 90],
    ])("casts one where it is %s", async (_, top, bottom, value) => {
      const poor = new Uint8Array(alpha.length);
      for (let y = top; y < bottom; y++) poor.fill(value, y * 240 + 150, y * 240 + 190);
      const edited = await editedWithShadow(crate, input(2), { outcome: "separated", alpha: poor });
      expect(edited.report).toMatchObject({ shadow: { kind: "cast", stance: "standing" } });
    });

    it("casts a shadow that falls where the photo's does, with every seed", async () => {
      for (let seed = 1; seed < 4; seed++) {
        const { report } = await editedWithShadow(crate, input(seed, { kind: "cast" }), own);
        const { report: of } = await editedWithShadow(crate, input(seed, { kind: "cast", direction: 100 }), own);
        expect(directionOf(report)).toBeGreaterThan(45);
        expect(directionOf(report)).toBeLessThan(135);
        expect(directionOf(of)).toBe(100);
      }
    });

    it("replaces it by any other kind, and by a light of the parameters", async () => {
      for (const shadow of [{ kind: "none" }, { kind: "contact" }, { direction: 270 }] as const) {
        const edited = await editedWithShadow(crate, input(2, shadow), own);
        expect(edited.report).not.toMatchObject({ shadow: { kind: "natural" } });
        expect(alphaAt(edited, 62, 142)).toBeLessThan(20);
      }
    });
  });

  it.each([
    ["one pixel", 1, 1],
    ["one row", 97, 1],
    ["one column", 1, 97],
    ["a few pixels", 5, 3],
    ["a long strip", 2000, 12],
  ])("takes %s", async (_name, width, height) => {
    const edited = await editedWithShadow(
      drawnCutOut(width, height, () => true),
      input(1),
    );
    expect(edited.pixels.length).toBe(width * height * 4);
  });

  it("returns an empty image for an empty cut-out", async () => {
    const edited = await editedWithShadow(
      drawnCutOut(40, 30, () => false),
      input(1),
    );
    expect(edited.pixels.every((byte) => byte === 0)).toBe(true);
    expect(edited.report).toMatchObject({ shadow: { stance: "empty" } });
  });

  it("keeps the source's profile and stops when the job is cancelled", async () => {
    const icc = Buffer.from("profile");
    expect((await editedWithShadow({ ...crate, icc }, input(1))).icc).toBe(icc);
    await expect(editedWithShadow(crate, input(1, undefined, AbortSignal.abort()))).rejects.toThrow(/abort/i);
  });
});
