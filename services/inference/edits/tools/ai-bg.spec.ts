import type { ShadowKind } from "@packshot/domain/edits/shadow.ts";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import { describe, expect, it } from "vitest";
import { editedWithScene } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { EditedImage } from "../../imaging/pixels/image.ts";
import { fromHex, type LinearRgb } from "../../imaging/scene/canvas/color.ts";
import {
  backdropKinds,
  colors,
  lightKinds,
  propKinds,
  props,
  stands,
  surfaceKinds,
} from "../../imaging/scene/words/lexicon.ts";
import { standOf } from "./ai-bg.ts";
import { poseInPhoto } from "./ai-shadows.ts";

const input = (
  theme: string | undefined,
  seed = 1,
  signal = new AbortController().signal,
  parameters: EditParameters = {},
) => ({
  parameters: { seed, model: "mask", theme, ...parameters },
  maxPixels: 100_000_000,
  signal,
  onStage: () => {},
});

const crate = drawnCutOut(200, 160, box(75, 50, 125, 130));

/** Mean color of a region, 0–255. */
function mean(image: EditedImage, left: number, top: number, right: number, bottom: number): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++)
      for (let c = 0; c < 3; c++) sums[c]! += image.pixels[(y * image.width + x) * 3 + c]!;
  }
  const count = (right - left) * (bottom - top);
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

/** Distance of a displayed color from a named one: CIE 1976. */
function deltaE(shown: readonly [number, number, number], hex: string): number {
  const a = toLab(fromBytes(shown));
  const b = toLab(fromHex(hex));
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function fromBytes(color: readonly number[]): LinearRgb {
  const linear = color.map((byte) => (byte / 255 <= 0.04045 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
  return [linear[0]!, linear[1]!, linear[2]!];
}

function toLab([r, g, b]: LinearRgb): [number, number, number] {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const bytesOf = async (theme: string | undefined, seed = 1) =>
  (await editedWithScene(crate, input(theme, seed))).pixels;

describe("editWithScene", () => {
  it.each(["oak table, morning light", "neon night city", "", "xyzzy"])(
    "leaves the product's opaque pixels as they were: %j",
    async (theme) => {
      const edited = await editedWithScene(crate, input(theme));
      expect(edited).toMatchObject({ width: 200, height: 160, channels: 3 });
      let changed = 0;
      for (let i = 0; i < crate.alpha.length; i++) {
        if (crate.alpha[i] === 255 && [0, 1, 2].some((c) => edited.pixels[i * 3 + c] !== crate.rgb[i * 3 + c]))
          changed++;
      }
      expect(changed).toBe(0);
    },
  );

  it("is deterministic for a theme and seed, and differs for another seed", async () => {
    const theme = "white marble, luxury";
    expect(Buffer.compare(await bytesOf(theme, 5), await bytesOf(theme, 5))).toBe(0);
    expect(Buffer.compare(await bytesOf(theme, 5), await bytesOf(theme, 6))).not.toBe(0);
  });

  it("treats an absent theme as an empty one: a light, neutral studio", async () => {
    expect(Buffer.compare(await bytesOf(undefined), await bytesOf(""))).toBe(0);
    const edited = await editedWithScene(crate, input(""));
    const [r, g, b] = mean(edited, 0, 0, 200, 30);
    expect(Math.min(r, g, b)).toBeGreaterThan(190);
    expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(14);
    expect(edited.report).toMatchObject({ scene: { backdrop: "sweep", light: "studio", unrecognized: [] } });
  });

  it("shows what the theme says", async () => {
    const render = async (theme: string) => await editedWithScene(crate, input(theme));
    const [, , skyBlue] = mean(await render("tropical beach"), 0, 0, 200, 20);
    const [sandRed, , sandBlue] = mean(await render("tropical beach"), 0, 145, 200, 160);
    expect(skyBlue).toBeGreaterThan(150);
    expect(sandRed).toBeGreaterThan(sandBlue + 25);
    const [mossRed, mossGreen, mossBlue] = mean(await render("mossy forest"), 0, 140, 60, 160);
    expect(mossGreen).toBeGreaterThan(mossRed);
    expect(mossGreen).toBeGreaterThan(mossBlue + 20);
    const [pinkRed, pinkGreen] = mean(await render("pastel pink studio"), 0, 0, 200, 30);
    expect(pinkRed).toBeGreaterThan(pinkGreen + 12);
    const [night] = mean(await render("dark concrete, dramatic light"), 0, 0, 30, 30);
    expect(night).toBeLessThan(70);
    const [tealRed, tealGreen, tealBlue] = mean(await render("#107070"), 0, 0, 200, 30);
    expect(Math.min(tealGreen, tealBlue)).toBeGreaterThan(tealRed + 30);
  });

  it("reports recognized and unrecognized words", async () => {
    const { report } = await editedWithScene(crate, input("oak table in Xanadu, golden hour"));
    expect(report.scene).toMatchObject({
      surface: "wood",
      light: "golden",
      recognized: ["oak", "golden"],
      unrecognized: ["xanadu"],
    });
    expect(report.shadow).toMatchObject({ stance: "standing" });
  });

  it.each([
    "xyzzy",
    "фаза",
    "東京湾",
    "🙂",
    "a very nice photo of the product",
    "\u0000\u001b[31m\u202e",
    "a dragon flying over Xanadu",
    "qwertz ".repeat(1_250),
  ])("makes the neutral, light studio of the empty theme where no word is known: %j", async (theme) => {
    expect(Buffer.compare(await bytesOf(theme), await bytesOf(""))).toBe(0);
  });

  it("takes the first of contradictory words", async () => {
    const [red, , blue] = mean(await editedWithScene(crate, input("red blue")), 0, 0, 200, 30);
    expect(red).toBeGreaterThan(blue + 60);
    const [dark] = mean(await editedWithScene(crate, input("dark bright")), 0, 0, 200, 30);
    const [bright] = mean(await editedWithScene(crate, input("bright dark")), 0, 0, 200, 30);
    expect(dark).toBeLessThan(bright - 60);
  });

  it.each([...new Set(stands.values())])("puts the product on a stand of its color: %s", async (stand) => {
    const theme = [...stands].find(([, kind]) => kind === stand)![0];
    const edited = await editedWithScene(crate, input(`red ${theme}, white studio`));
    const [red, green] = mean(edited, 85, 133, 115, 138);
    expect(red).toBeGreaterThan(green + 60);
    const [wallRed, wallGreen] = mean(edited, 10, 5, 190, 30);
    expect(Math.abs(wallRed - wallGreen)).toBeLessThan(12);
  });

  it.each(propKinds)("paints things around the product, and without the word does not: %s", async (prop) => {
    const word = [...props].find(([, kind]) => kind === prop)![0];
    const bare = await bytesOf("gray wall, oak");
    const changed = await bytesOf(`gray wall, oak, ${word}`);
    let different = 0;
    for (let i = 0; i < bare.length; i++) if (Math.abs(bare[i]! - changed[i]!) > 24) different++;
    expect(different / bare.length).toBeGreaterThan(0.004);
  });

  it("leaves out what `avoid` names, in any language", async () => {
    const report = async (theme: string, avoid: string) => {
      const { parameters, ...rest } = input(theme);
      return (await editedWithScene(crate, { ...rest, parameters: { ...parameters, avoid } })).report.scene;
    };
    expect(await report("oak table without candles", "")).toMatchObject({ recognized: ["oak"], avoided: ["candles"] });
    expect(await report("oak table in a kitchen, candles", "wood, kitchen, candles")).toMatchObject({
      surface: "plain",
      backdrop: "sweep",
      recognized: [],
      avoided: ["wood", "kitchen", "candles"],
    });
    expect(await report("Küche, Pflanzen", "Pflanzen")).toMatchObject({ backdrop: "shelves", avoided: ["pflanzen"] });
    expect(await report("kitchen", "marble")).toMatchObject({ backdrop: "shelves", surface: "plain" });
    expect(await report("beach, sunset", "sunset, xyzzy")).toMatchObject({
      light: "noon",
      avoidUnrecognized: ["xyzzy"],
    });
    expect(await report("podium, people", "podium, Menschen")).toMatchObject({
      backdrop: "sweep",
      avoidUnrecognized: [],
    });
  });

  it.each([
    ["living room", "window"],
    ["living room", "furniture"],
    ["living room", "plants"],
    ["library", "lights"],
    ["beach", "clouds"],
    ["oak, window light", "shadows"],
    ["bookcase", "objects"],
  ])("leaves out of %j what it would have on its own: %s", async (theme, avoid) => {
    const { parameters, ...rest } = input(theme, 4);
    const without = await editedWithScene(crate, { ...rest, parameters: { ...parameters, avoid } });
    expect(Buffer.compare(without.pixels, await bytesOf(theme, 4))).not.toBe(0);
  });

  it("colors wall, ground and things by the palette, within 12 of it", async () => {
    const palette = ["#a8b8c8", "#c8a888", "#405060"];
    for (const theme of ["", "studio", "podium", "red podium, green wall", "gray wall, concrete"]) {
      const { parameters, ...rest } = input(theme, 3);
      const edited = await editedWithScene(crate, { ...rest, parameters: { ...parameters, palette } });
      expect(deltaE(mean(edited, 40, 5, 160, 25), palette[0]!), theme).toBeLessThan(12);
    }
    const { parameters, ...rest } = input("", 3);
    const edited = await editedWithScene(crate, { ...rest, parameters: { ...parameters, palette } });
    expect(deltaE(mean(edited, 10, 148, 190, 158), palette[1]!)).toBeLessThan(12);
  });

  it("shows every named color within 12 of it, on the wall and in a studio", async () => {
    const small = drawnCutOut(48, 40, box(20, 16, 28, 32));
    const hexes = new Map([...colors].map(([word, hex]) => [hex, word]));
    for (const [hex, word] of hexes) {
      const ofStudio = await editedWithScene(small, input(`${word} studio`, 3));
      expect(deltaE(mean(ofStudio, 10, 2, 38, 12), hex), `${word} studio`).toBeLessThan(12);
      expect(deltaE(mean(ofStudio, 4, 36, 44, 40), hex), `ground of ${word} studio`).toBeLessThan(12);
      const ofWall = await editedWithScene(small, input(`${word} wall`, 3));
      expect(deltaE(mean(ofWall, 10, 2, 38, 12), hex), `${word} wall`).toBeLessThan(12);
    }
  });

  it("shows a color that is named in any of the languages", async () => {
    const small = drawnCutOut(48, 40, box(20, 16, 28, 32));
    for (const text of [
      "Studio, türkis",
      "studio turquoise",
      "estudio turquesa",
      "studio turchese",
      "turkoois studio",
      "turkusowe studio",
    ]) {
      const edited = await editedWithScene(small, input(text, 3));
      expect(deltaE(mean(edited, 10, 2, 38, 12), colors.get("turquoise")!), text).toBeLessThan(12);
    }
  });

  it("gives all photos of a set one podium", async () => {
    const tall = drawnCutOut(200, 160, box(85, 40, 115, 138));
    const wide = drawnCutOut(200, 160, box(60, 90, 140, 138));
    const ofSet = (theme: string) => {
      const { parameters, ...rest } = input(theme);
      return { ...rest, parameters: { ...parameters, scene: {} } };
    };
    const one = await editedWithScene(tall, ofSet("blue podium"));
    const other = await editedWithScene(wide, ofSet("blue podium"));
    for (const [left, top, right, bottom] of [
      [0, 0, 40, 160],
      [160, 0, 200, 160],
    ] as const) {
      const a = mean(one, left, top, right, bottom);
      const b = mean(other, left, top, right, bottom);
      for (let c = 0; c < 3; c++) expect(Math.abs(a[c]! - b[c]!)).toBeLessThan(4);
    }
  });

  it("darkens the ground at the product's foot", async () => {
    const edited = await editedWithScene(crate, input("white paper, soft light"));
    const [foot] = mean(edited, 80, 131, 120, 134);
    const [ground] = mean(edited, 5, 148, 25, 158);
    expect(foot).toBeLessThan(ground - 25);
  });

  it("darkens it along all of a bag's slanting lower edge, so that no corner hovers", async () => {
    const lowest = (x: number) => 120 - 0.25 * Math.max(0, 120 - x) - 0.7 * Math.max(0, x - 120);
    const bag = drawnCutOut(200, 160, (x, y) => x >= 30 && x < 150 && y >= 40 && y < lowest(x));
    const { parameters, ...rest } = input("white paper, soft light");
    const [shown, bare] = await Promise.all(
      [1, 0].map((opacity) =>
        editedWithScene(bag, { ...rest, parameters: { ...parameters, shadow: { softness: 0.5, opacity } } }),
      ),
    );
    for (const x of [45, 80, 140]) {
      const top = Math.round(lowest(x)) + 2;
      const taken = 1 - mean(shown!, x - 4, top, x + 4, top + 4)[0] / mean(bare!, x - 4, top, x + 4, top + 4)[0];
      expect(taken, `at ${x}`).toBeGreaterThan(0.22);
    }
  });

  it("makes the contact shadow firmer on a dark ground", async () => {
    const taken = async (theme: string) => {
      const { parameters, ...rest } = input(theme);
      const shadow = { kind: "contact" as const, softness: 0.5, opacity: 1 };
      const edited = await editedWithScene(crate, { ...rest, parameters: { ...parameters, shadow } });
      const bare = await editedWithScene(crate, {
        ...rest,
        parameters: { ...parameters, shadow: { ...shadow, opacity: 0 } },
      });
      const [shown] = mean(edited, 80, 130, 120, 132);
      const [ground] = mean(bare, 80, 130, 120, 132);
      return 1 - shown / ground;
    };
    const dark = await taken("dark slate, soft light");
    const light = await taken("white paper, soft light");
    expect(dark).toBeGreaterThan(light * 1.2);
  });

  it("paints every surface, backdrop and light", async () => {
    const small = drawnCutOut(60, 48, box(20, 14, 38, 40));
    const words = [...Object.values(surfaceKinds), ...Object.values(backdropKinds), ...Object.values(lightKinds)];
    for (const theme of words) {
      const edited = await editedWithScene(small, input(theme));
      const levels = new Set(edited.pixels);
      expect(levels.size, theme).toBeGreaterThan(24);
    }
  });

  it.each([
    ["one pixel", 1, 1],
    ["one row", 61, 1],
    ["one column", 1, 61],
    ["a few pixels", 5, 3],
    ["a long strip", 900, 14],
  ])("takes %s", async (_name, width, height) => {
    for (const covered of [true, false]) {
      const edited = await editedWithScene(
        drawnCutOut(width, height, () => covered),
        input("oak table"),
      );
      expect(edited.pixels.length).toBe(width * height * 3);
    }
  });

  const edit = async (cut: CutOut, theme: string, parameters: EditParameters) =>
    await editedWithScene(cut, input(theme, 1, undefined, parameters));

  it("lights the scene from the side that the request says, and casts the shadow of its strength", async () => {
    const shadow = { direction: 90, softness: 0.2, opacity: 0.5 };
    const { report, pixels } = await edit(crate, "white paper, soft light", { shadow });
    expect(report.shadow).toMatchObject(shadow);
    const without = await edit(crate, "white paper, soft light", { shadow: { ...shadow, opacity: 0 } });
    const left = (image: Uint8Array) => image[(126 * 200 + 62) * 3]!;
    expect(left(pixels), "the shadow falls away from the light").toBeLessThan(left(without.pixels) - 10);
  });

  it("paints one background for all products of a set", async () => {
    const cans = [box(80, 60, 120, 138), box(60, 30, 140, 138), box(90, 100, 110, 138)];
    const scene = { productHeight: 0.6, baseline: 138 / 160 };
    const shadow = { opacity: 0 };
    const images = await Promise.all(
      cans.map(
        async (inside) => await edit(drawnCutOut(200, 160, inside), "oak table, morning light", { scene, shadow }),
      ),
    );
    const upper = images.map(({ pixels }) => Buffer.from(pixels.subarray(0, 28 * 200 * 3)));
    expect([upper[1]!.equals(upper[0]!), upper[2]!.equals(upper[0]!)]).toEqual([true, true]);
    const free = await edit(drawnCutOut(200, 160, cans[1]!), "oak table, morning light", { shadow });
    expect(Buffer.from(free.pixels.subarray(0, 28 * 200 * 3)).equals(upper[0]!)).toBe(false);
  });

  it("puts the stand of a set below a product that stands aside, and none below one that is cut off", async () => {
    const parameters = { scene: { productHeight: 0.6, baseline: 130 / 160 }, shadow: { opacity: 0 } };
    const theme = "white podium, dark blue wall";
    /** How much lighter the ground is at one place than at another. */
    const lighter = async (inside: (x: number, y: number) => boolean, at: number, than: number) => {
      const image = await edit(drawnCutOut(200, 160, inside), theme, parameters);
      const [here, there] = [at, than].map((x) => mean(image, x - 4, 131, x + 4, 137)[0]);
      return here! - there!;
    };
    expect(await lighter(box(30, 60, 60, 130), 45, 150)).toBeGreaterThan(30);
    expect(await lighter(box(85, 60, 115, 130), 100, 10)).toBeGreaterThan(30);
    expect(await lighter(box(85, 60, 115, 160), 76, 10)).toBeLessThan(15);
  });

  it("looks down further where the camera is to", async () => {
    const [low, high] = await Promise.all(
      [6, 35].map(async (cameraPitch) => await edit(crate, "desert dunes, noon", { scene: { cameraPitch } })),
    );
    expect(Buffer.from(low!.pixels).equals(high!.pixels)).toBe(false);
    const sky = (image: EditedImage) => {
      const [r, , b] = mean(image, 0, 68, 40, 74);
      return b - r;
    };
    expect(sky(low!), "a low camera sees more of the sky").toBeGreaterThan(sky(high!) + 20);
  });

  it("stands a product in the frame of a set, and lays one that was seen from above in its middle", () => {
    const parameters = { seed: 1, model: "mask", scene: { productHeight: 0.5 } };
    const pose = poseInPhoto(crate, {});
    expect(standOf(pose, parameters)).toEqual({ productHeight: 0.5, baseline: 0.86 });
    expect(standOf(poseInPhoto(crate, { pose: "lying" }), parameters)).toEqual({ productHeight: 0.5 });
    expect(standOf(pose, { seed: 1, model: "mask" })).toBeUndefined();
  });

  describe("with a shadow of the parameters", () => {
    const theme = "white studio";
    it("makes each kind where that kind has it, and says so", async () => {
      const light = { direction: 90, opacity: 1, length: 0.9 };
      const bare = await edit(crate, theme, { shadow: { ...light, kind: "none" } });
      const made = async (kind: ShadowKind) => {
        const image = await edit(crate, theme, { shadow: { ...light, kind } });
        /** How much darker than without a shadow, 0–255. */
        const darkness = (x: number, y: number) =>
          mean(bare, x - 3, y - 3, x + 3, y + 3)[1] - mean(image, x - 3, y - 3, x + 3, y + 3)[1];
        return {
          kind: (image.report.shadow as { kind: string }).kind,
          below: darkness(100, 134),
          aside: darkness(60, 126),
          atWall: darkness(71, 90),
          pool: darkness(100, 140),
        };
      };
      const [auto, cast] = await Promise.all((["auto", "cast"] as const).map(made));
      expect(auto).toEqual(cast);
      expect(cast).toMatchObject({ kind: "cast" });
      expect(cast!.aside).toBeGreaterThan(20);
      expect(cast!.atWall).toBeLessThan(3);
      const [contact, drop, float] = await Promise.all((["contact", "drop", "float"] as const).map(made));
      expect([contact!.kind, drop!.kind, float!.kind]).toEqual(["contact", "drop", "float"]);
      expect(contact!.aside).toBeLessThan(0.5 * cast!.aside);
      expect(contact!.below).toBeGreaterThan(8);
      expect(drop!.atWall).toBeGreaterThan(10);
      expect(float!.pool).toBeGreaterThan(20);
      expect(bare.report).toMatchObject({ shadow: { kind: "none" } });
    });

    it("mirrors the product in any ground where that is asked for", async () => {
      const shadow = { opacity: 0 } as const;
      const [mirrored, dull] = await Promise.all(
        (["reflection", "contact"] as const).map(
          async (kind) => await edit(crate, theme, { shadow: { ...shadow, kind } }),
        ),
      );
      const difference = mean(mirrored!, 80, 131, 120, 137).map(
        (value, c) => value - mean(dull!, 80, 131, 120, 137)[c]!,
      );
      expect(Math.max(...difference.map(Math.abs))).toBeGreaterThan(8);
      expect(mirrored!.report).toMatchObject({ shadow: { kind: "reflection" } });
    });

    it("takes its length and its color", async () => {
      const wide = drawnCutOut(400, 160, box(300, 50, 350, 130));
      const shadowAt = async (length: number, x: number) => {
        const shadow = { kind: "cast", direction: 90, softness: 0, length } as const;
        const [none, shown] = await Promise.all([
          edit(wide, theme, { shadow: { ...shadow, kind: "none" } }),
          edit(wide, theme, { shadow }),
        ]);
        return mean(none, x - 3, 122, x + 3, 128)[1] - mean(shown, x - 3, 122, x + 3, 128)[1];
      };
      expect(await shadowAt(2.6, 130), "80 pixels high, 170 pixels away").toBeGreaterThan(6);
      expect(await shadowAt(0.5, 130)).toBeLessThan(2);
      const blue = await edit(crate, theme, { shadow: { kind: "cast", direction: 90, color: "#0000ff", opacity: 1 } });
      const [r, , b] = mean(blue, 70, 126, 74, 130);
      expect(b).toBeGreaterThan(r + 35);
    });

    it("casts none by itself below what the border cuts, and the one that was asked for", async () => {
      const cut = drawnCutOut(200, 160, box(75, 50, 125, 160));
      expect((await edit(cut, theme, {})).report).toMatchObject({ shadow: { kind: "none" } });
      expect((await edit(cut, theme, { shadow: { kind: "drop" } })).report).toMatchObject({ shadow: { kind: "drop" } });
    });
  });

  it.each(["black marble, dramatic", "tokyo, neon"])(
    "changes no color value of the product by more than 15 %: %j",
    async (theme) => {
      const { pixels, report } = await edit(crate, theme, { harmonize: 1 });
      const factors: number[] = [];
      let changed = 0;
      let opaque = 0;
      for (let i = 0; i < crate.alpha.length; i++) {
        if (crate.alpha[i] !== 255) continue;
        opaque++;
        if ([0, 1, 2].some((c) => pixels[i * 3 + c] !== crate.rgb[i * 3 + c])) changed++;
        for (let c = 0; c < 3; c++)
          if (crate.rgb[i * 3 + c]! > 0) factors.push(pixels[i * 3 + c]! / crate.rgb[i * 3 + c]!);
      }
      const { darkest, brightest } = report.harmonize as { darkest: number; brightest: number };
      expect(Math.min(...factors)).toBeGreaterThanOrEqual(Math.max(0.85, darkest - 0.001));
      expect(Math.max(...factors)).toBeLessThanOrEqual(Math.min(1.15, brightest + 0.001));
      expect(report).toMatchObject({ harmonize: { strength: 1 }, changedOpaqueShare: changed / opaque });
      expect(changed).toBeGreaterThan(0.5 * opaque);
      const none = await edit(crate, theme, { harmonize: 0 });
      expect(Buffer.compare(none.pixels, await bytesOf(theme))).toBe(0);
      expect(none.report).not.toHaveProperty("harmonize");
    },
  );

  it("keeps the source's profile and stops when the job is cancelled", async () => {
    const icc = Buffer.from("profile");
    expect((await editedWithScene({ ...crate, icc }, input(""))).icc).toBe(icc);
    const cancel = new AbortController();
    const stages: string[] = [];
    const onStage = (stage: string) => {
      stages.push(stage);
      if (stage === "scene") cancel.abort();
    };
    await expect(editedWithScene(crate, { ...input("beach", 1, cancel.signal), onStage })).rejects.toThrow(/abort/i);
    expect(stages).toEqual(["plan", "scene"]);
  });
});
