import { expect, test } from "vitest";
import { namesOfResults } from "./s3-catalog.ts";

test.each([
  ["mug.jpg", "mug"],
  ["deep/hat.v2.png", "deep/hat.v2"],
])("%s alone makes %s", (path, name) => {
  expect(namesOfResults([path])).toEqual([name]);
});

test("photos of one name, also by other capitals, are told apart by their types", () => {
  expect(namesOfResults(["mug.jpg", "mug.webp", "deep/mug.jpg", "Hat.png", "hat.jpg"])).toEqual([
    "mug-jpg",
    "mug-webp",
    "deep/mug",
    "Hat-png",
    "hat-jpg",
  ]);
});

test("a name that is another photo's is left to that one", () => {
  expect(namesOfResults(["mug-webp.png", "mug.png", "mug.webp", "a.JPG", "A.jpg"])).toEqual([
    "mug-webp",
    "mug-png",
    "mug.webp",
    "a.JPG",
    "A.jpg",
  ]);
});

test("a further photo changes the name of none but those of its own name, in whatever order they come", () => {
  const before = ["b.jpg", "c.png", "c.webp", "d.jpg"];
  const namesOf = (paths: readonly string[]) => {
    const names = namesOfResults(paths);
    return Object.fromEntries(paths.map((path, index) => [path, names[index]]));
  };
  const after = namesOf(["a.jpg", "c.gif", ...before.toReversed(), "e.jpg"]);
  expect(after).toMatchObject(namesOf(before));
});
