import sharp from "sharp";
import { expect, it } from "vitest";
import { decodePhoto } from "../codec/decode.ts";
import { measureOverlay } from "./overlay.ts";

const size = 1_000;
const box = { left: 350, top: 250, width: 300, height: 500 };

interface Word {
  readonly left: number;
  readonly top: number;
  readonly letters: number;
  readonly color?: string;
  readonly opacity?: number;
  readonly angle?: number;
}

/** Letters like E, as strokes: no font is needed. */
function word({ left, top, letters, color = "#808080", opacity = 0.4, angle = 0 }: Word): string {
  const strokes = Array.from({ length: letters }, (_, n) => {
    const x = left + 26 * n;
    return `M${x + 18} ${top}H${x}V${top + 30}H${x + 18}M${x} ${top + 15}H${x + 13}`;
  });
  return `<path d="${strokes.join("")}" fill="none" stroke="${color}" stroke-width="5" stroke-opacity="${opacity}" transform="rotate(${angle} ${left} ${top})"/>`;
}

async function overlayOf(over: string, ground = `<rect width="100%" height="100%" fill="#efece6"/>`) {
  const product = `<rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" fill="#8a3324"/>`;
  const svg = `<svg width="${size}" height="${size}">${ground}${product}${over}</svg>`;
  const photo = await decodePhoto(await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer(), { maxPixels: 2e7 });
  return { photo, overlay: (alpha: Uint8Array) => measureOverlay(photo, alpha) };
}

function matte(...boxes: readonly { left: number; top: number; width: number; height: number }[]): Uint8Array {
  const alpha = new Uint8Array(size * size);
  for (const { left, top, width, height } of boxes) {
    for (let y = top; y < top + height; y++) alpha.fill(255, y * size + left, y * size + left + width);
  }
  return alpha;
}

const cutOut = matte(box);
const shareOf = async (over: string, ground?: string) => (await overlayOf(over, ground)).overlay(cutOut);

it("is nothing on a plain ground, and with a few specks", async () => {
  expect(await shareOf("")).toBe(0);
  const specks = [40, 230, 700, 900].map((x) => `<circle cx="${x}" cy="${60 + (x % 170)}" r="9" fill="#777777"/>`);
  expect(await shareOf(specks.join(""))).toBe(0);
});

it.each([
  ["a word in a corner", word({ left: 740, top: 930, letters: 9 })],
  [
    "white words over a gray ground, aslant",
    word({ left: 40, top: 700, letters: 9, color: "#ffffff", opacity: 0.6, angle: -35 }),
  ],
  ["faint words", word({ left: 60, top: 100, letters: 12, color: "#000000", opacity: 0.12 })],
])("is known by %s", async (_what, over) => {
  const ground = `<rect width="100%" height="100%" fill="#b8b6b0"/>`;
  expect(await shareOf(over, ground)).toBeGreaterThan(0.8);
});

it("is known also where the cut-out has taken the words for a part of the product", async () => {
  const { overlay } = await overlayOf(word({ left: 740, top: 930, letters: 9 }));
  expect(overlay(matte(box, { left: 735, top: 925, width: 240, height: 42 }))).toBeGreaterThan(0.8);
});

it("does not count the product's own lettering, nor four letters", async () => {
  expect(await shareOf(word({ left: 370, top: 400, letters: 9, color: "#ffffff", opacity: 1 }))).toBe(0);
  expect(await shareOf(word({ left: 60, top: 100, letters: 4 }))).toBe(0);
});

it("is not known where the ground is a pattern, or nearly all is product", async () => {
  const tiles = Array.from({ length: 400 }, (_, n) => {
    return `<rect x="${50 * (n % 20)}" y="${50 * Math.floor(n / 20)}" width="26" height="44" fill="#505050"/>`;
  });
  expect(await shareOf(word({ left: 60, top: 100, letters: 9 }), tiles.join(""))).toBeUndefined();
  const { overlay } = await overlayOf("");
  expect(overlay(matte({ left: 5, top: 5, width: 990, height: 990 }))).toBeUndefined();
});
