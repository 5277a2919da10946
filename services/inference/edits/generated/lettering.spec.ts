import sharp from "sharp";
import { expect, test } from "vitest";
import { longestLine } from "./lettering.ts";

const size = { width: 400, height: 300 };
const bare = new Uint8Array(size.width * size.height);
/** Strokes in boxes of 10 × 16: no font is needed. */
const letters = ["M9 0H0V16H9M0 8H7", "M0 0V16H9", "M0 0H10M5 0V16", "M0 0V16M9 0V16M0 8H9", "M1 1H9V15H1Z"];

interface Drawn {
  readonly shapes: readonly string[];
  readonly count?: number;
  readonly scale?: number;
  readonly color?: string;
  readonly ground?: string;
  /** How far each shape is below the one before, in pixels. */
  readonly drop?: number;
}

async function line(drawn: Drawn, alpha = bare): Promise<number> {
  const { shapes, count = 7, scale = 1.2, color = "#333333", ground = "#c8b9a6", drop = 0 } = drawn;
  const paths = Array.from({ length: count }, (_, at) => {
    const place = `translate(${40 + at * 15 * scale} ${60 + at * drop}) scale(${scale})`;
    return `<path d="${shapes[at % shapes.length]}" transform="${place}"/>`;
  });
  const svg = `<svg width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${ground}"/>
    <g fill="none" stroke="${color}" stroke-width="2.5">${paths.join("")}</g></svg>`;
  const rgb = new Uint8Array(await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer());
  return longestLine({ ...size, rgb }, alpha);
}

test.each([
  { what: "dark letters", drawn: {} },
  { what: "light letters", drawn: { color: "#ffffff", ground: "#6a5a4a" } },
  { what: "small letters", drawn: { scale: 0.8 } },
  { what: "large letters", drawn: { scale: 2.4 } },
])("$what in a line are counted", async ({ drawn }) => {
  expect(await line({ shapes: letters, ...drawn })).toBe(7);
});

test.each([
  { what: "a plain ground", drawn: { shapes: letters, count: 0 } },
  { what: "a row of equal tiles", drawn: { shapes: ["M1 1H9V15H1Z"] } },
  { what: "marks that do not stand in a line", drawn: { shapes: letters, drop: 9 } },
  { what: "letters that hardly differ from their ground", drawn: { shapes: letters, color: "#c0b1a0" } },
])("$what has no letters", async ({ drawn }) => {
  expect(await line(drawn)).toBeLessThan(5);
});

test("letters of the product are its own", async () => {
  expect(await line({ shapes: letters }, bare.slice().fill(255))).toBe(0);
});
