import { expect, test } from "vitest";
import { missingContact } from "./missing-contact.ts";

const width = 80;
const height = 60;
const size = { width, height };
const count = width * height;
/** A soft pool below the middle, on a grid as fine as the picture. */
const darkness = Float32Array.from({ length: count }, (_, at) => {
  const far = Math.hypot(((at % width) - 40) / 20, (Math.floor(at / width) - 40) / 5);
  return Math.max(0, 0.8 * (1 - far));
});
const contact = { width, height, stepPx: 1, darkness };
const fill = new Uint8Array(count).fill(255);
const reference = new Uint8Array(3 * count).fill(255);

/** A ground with a grain that is brighter to the right, and so much of the shadow on it. */
function ground(share: number): Uint8Array {
  return Uint8Array.from({ length: 3 * count }, (_, at) => {
    const place = Math.floor(at / 3);
    const grain = ((place * 7_919) % 13) - 6;
    return (90 + (place % width) + grain) * (1 - 0.9 * darkness[place]!) ** share;
  });
}

const left = (picture: Uint8Array, given: object = {}) => {
  const missing = missingContact(contact, { ...size, picture, reference, fill, ...given }, size).darkness;
  return missing.reduce((sum, value) => sum + value, 0) / darkness.reduce((sum, value) => sum + value, 0);
};

test.each([
  { has: 0, lacks: 1 },
  { has: 0.5, lacks: 0.5 },
  { has: 1, lacks: 0 },
  { has: 1.6, lacks: 0 },
])("a picture that has $has of the shadow lacks $lacks of it", ({ has, lacks }) => {
  expect(Math.abs(left(ground(has)) - lacks)).toBeLessThan(0.08);
});

test("a pixel that is the rendered scene's lacks nothing, whatever the others have", () => {
  const picture = ground(0);
  const half = reference.slice();
  half.set(picture.subarray(0, 3 * 40 * width));
  expect(left(picture, { reference: half }), "the lower half is another picture").toBeGreaterThan(0.3);
  expect(left(picture, { reference: half }), "the upper half is the same").toBeLessThan(0.7);
  expect(left(picture, { reference: picture })).toBe(0);
});

test("what was not painted says nothing of what was", () => {
  expect(left(ground(1), { fill: new Uint8Array(count) })).toBe(1);
});
