import fc from "fast-check";
import { expect, test } from "vitest";
import { type NamedPhoto, namesOfResults } from "./result-names.ts";

const namesOf = (...paths: readonly string[]) => namesOfResults(paths.map((below) => ({ below })));

test.each([
  ["mug.jpg", "mug"],
  ["deep/hat.v2.png", "deep/hat.v2"],
])("%s alone makes %s", (path, name) => {
  expect(namesOf(path)).toEqual([name]);
});

test("photos of one name, also by other capitals, are told apart by their types", () => {
  expect(namesOf("mug.jpg", "mug.webp", "deep/mug.jpg", "Hat.png", "hat.jpg")).toEqual([
    "mug-jpg",
    "mug-webp",
    "deep/mug",
    "Hat-png",
    "hat-jpg",
  ]);
});

test("a name that is another photo's is left to that one, and a hash of the path tells the rest apart", () => {
  expect(namesOf("mug-webp.png", "mug.png", "mug.webp", "a.JPG", "A.jpg")).toEqual([
    "mug-webp",
    "mug-png",
    expect.stringMatching(/^mug-webp~[0-9a-f]{8}$/),
    expect.stringMatching(/^a-JPG~[0-9a-f]{8}$/),
    expect.stringMatching(/^A-jpg~[0-9a-f]{8}$/),
  ]);
});

test("photos of several folders are told apart by their whole paths, which lead to no folder above", () => {
  const photos = [
    { path: "photos/bag.jpg", below: "bag.jpg" },
    { path: "photos/bag-jpg.png", below: "bag-jpg.png" },
    { path: "bag.jpg", below: "bag.jpg" },
  ];
  expect(namesOfResults(photos)).toEqual(["photos/bag-jpg", "bag-jpg", expect.stringMatching(/^bag-jpg~[0-9a-f]{8}$/)]);
  const outside = namesOfResults([
    { path: "../a/mug.jpg", below: "mug.jpg" },
    { path: "a/mug.jpg", below: "mug.jpg" },
  ]);
  expect([new Set(outside).size, outside.join()]).toEqual([2, expect.not.stringContaining("..")]);
});

test("a further photo changes the name of none but those of its own name", () => {
  const before = ["b.jpg", "c.png", "c.webp", "d.jpg"];
  const named = (paths: readonly string[]) => {
    const names = namesOf(...paths);
    return Object.fromEntries(paths.map((path, index) => [path, names[index]]));
  };
  expect(named(["a.jpg", "c.gif", ...before.toReversed(), "e.jpg"])).toMatchObject(named(before));
});

/** Few letters, so that names meet; and names that would be results of others. */
const stem = fc.string({ unit: fc.constantFrom("a", "A", "-", ".", "b"), minLength: 1, maxLength: 3 });
const fileName = fc.tuple(stem, fc.constantFrom("jpg", "JPG", "b", "b-jpg")).map((parts) => parts.join("."));
const folder = fc.constantFrom("", "a/", "A/", "b/", "../a/");
const foundPhotos = fc
  .uniqueArray(fc.tuple(folder, fileName), { selector: (parts) => parts.join(""), minLength: 2, maxLength: 20 })
  .map((found) => found.map(([place, below]) => ({ path: place + below, below })));

const unlike = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase())).size === names.length;

test("no two photos have one name, whatever they are called, also where they are called as results of others would be", () => {
  const property = fc.property(foundPhotos, (photos) => {
    const names = namesOfResults(photos);
    expect(unlike(names), names.join()).toBe(true);
    const results = names.map((name) => ({ below: `${name}.png`, path: `results/${name}.png` }));
    const all: readonly NamedPhoto[] = [...photos, ...results];
    expect(unlike(namesOfResults(all))).toBe(true);
  });
  fc.assert(property, { numRuns: 500 });
});

test("a path that two photos have is refused", () => {
  const twice = { below: "mug.jpg", path: "photos/mug.jpg" };
  expect(() => namesOfResults([twice, twice])).toThrow("two photos have the same path");
});

test("names do not follow from the order of the photos", () => {
  const shuffled = foundPhotos.chain((photos) =>
    fc.tuple(
      fc.constant(photos),
      fc.shuffledSubarray(
        photos.map((_, index) => index),
        { minLength: photos.length },
      ),
    ),
  );
  const property = fc.property(shuffled, ([photos, order]) => {
    const names = namesOfResults(photos);
    const ofShuffled = namesOfResults(order.map((index) => photos[index]!));
    expect(ofShuffled).toEqual(order.map((index) => names[index]));
  });
  fc.assert(property, { numRuns: 300 });
});
