import { expect, it } from "vitest";
import { readReference, type SmallPicture } from "./read-reference.ts";

type Rgb = readonly [number, number, number];

/** A picture of a wall, a ground, and a thing in the middle; `light` multiplies a pixel, by its place from 0 to 1. */
function drawn(wall: Rgb, ground: Rgb, thing: Rgb, light: (x: number, y: number) => number = () => 1): SmallPicture {
  const width = 64;
  const height = 48;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isThing = Math.abs(x - 32) < 8 && y > 14 && y < 40;
      const color = isThing ? thing : y < 30 ? wall : ground;
      const factor = isThing ? 1 : light(x / width, y / height);
      for (let c = 0; c < 3; c++) rgb[(y * width + x) * 3 + c] = Math.min(255, color[c]! * factor);
    }
  }
  return { width, height, rgb };
}

const wall: Rgb = [176, 196, 188];
const ground: Rgb = [150, 110, 76];
const thing: Rgb = [200, 40, 50];
const hex = (color: Rgb) => `#${Buffer.from(color).toString("hex")}`;
const channels = (color: string) => [...Buffer.from(color.slice(1), "hex")];

it("takes the colors of the wall and of the ground, and then those of things", () => {
  const { palette } = readReference(drawn(wall, ground, thing));
  expect(palette.slice(0, 3)).toEqual([hex(wall), hex(ground), hex(thing)]);
});

it("tells a wall from a ground of the same color, and takes few colors of a plain picture", () => {
  const { palette, direction } = readReference(drawn(wall, wall, wall));
  expect(palette).toEqual([hex(wall), hex(wall)]);
  expect(direction).toBeUndefined();
});

it.each([
  ["the right", (x: number) => 0.7 + 0.5 * x, 90],
  ["the left", (x: number) => 1.2 - 0.5 * x, 270],
  ["behind", (_: number, y: number) => (y > 0.6 ? 1.3 - 1.6 * (y - 0.6) : 1), 0],
  ["the front", (_: number, y: number) => (y > 0.6 ? 0.5 + 1.6 * (y - 0.6) : 1), 180],
])("finds light from %s", (_name, light, degrees) => {
  const { direction, palette } = readReference(drawn(wall, ground, thing, light));
  expect(Math.cos(((direction! - degrees) * Math.PI) / 180)).toBeGreaterThan(0.8);
  for (const [c, value] of channels(palette[1]).entries()) expect(Math.abs(value - ground[c]!)).toBeLessThan(45);
});

it("takes no light from a bright thing at one side of an evenly lit picture", () => {
  const picture = drawn(wall, ground, thing);
  for (let y = 10; y < 24; y++) picture.rgb.fill(255, (y * 64 + 48) * 3, (y * 64 + 62) * 3);
  expect(readReference(picture).direction).toBeUndefined();
});

it("reads a picture of one pixel, and a very wide one, whose ground is as its wall", () => {
  const wide = readReference({ width: 100, height: 1, rgb: new Uint8Array(300).fill(180) });
  expect(wide.palette).toEqual(["#b4b4b4", "#b4b4b4"]);
  const one = readReference({ width: 1, height: 1, rgb: Uint8Array.from([10, 20, 30]) });
  expect(one.palette).toEqual([expect.stringMatching(/^#/), expect.stringMatching(/^#/)]);
});
