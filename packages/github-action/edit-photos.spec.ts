import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { editPhotos, nameResults } from "./edit-photos.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-action-photos-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("an error that concerns all photos begins no further one, and what was under way is kept", async () => {
  const photos = ["a.jpg", "b.jpg", "c.jpg"].map((name) => join(folder, name));
  for (const path of photos) writeFileSync(path, path);
  const edited = {
    job: { id: "job_1", creditsCharged: 1 },
    download: async () => ({ stream: new Blob(["made"]).stream(), contentType: "image/png" }),
  };
  const second = Promise.withResolvers<typeof edited>();
  const sent: string[] = [];
  const client = {
    async edit(_tool: string, _source: Blob, { metadata }: { metadata: { photo: string } }) {
      sent.push(metadata.photo);
      if (sent.length === 2) return await second.promise;
      if (sent.length === 1) {
        setImmediate(() => second.resolve(edited));
        throw new PackshotError("insufficient_credits", "No credits are left.");
      }
      return edited;
    },
  };
  const out = join(folder, "out");
  const request = { photos, out, tool: "mask", parameters: {}, parallel: 2 } as const;
  const { results, error } = await editPhotos(client as unknown as Packshot, request);
  expect(error).toMatchObject({ code: "insufficient_credits" });
  expect(sent).toHaveLength(2);
  expect(results).toMatchObject([{ jobId: "job_1", credits: 1 }]);
});

const namesOf = (...paths: readonly (readonly [path: string, below: string])[]) => {
  const named = nameResults(paths.map(([path, below]) => ({ path, below })));
  return named.map(({ resultName }) => resultName);
};

test("a photo alone of its name has it, and photos of one name are told apart by type, folder, or else a hash", () => {
  expect(
    namesOf(
      ["photos/hat.jpg", "hat.jpg"],
      ["photos/mug.jpg", "mug.jpg"],
      ["photos/mug.webp", "mug.webp"],
      ["photos/bag.jpg", "bag.jpg"],
      ["bag.jpg", "bag.jpg"],
      ["photos/bag-jpg.png", "bag-jpg.png"],
    ),
  ).toEqual([
    "hat",
    "mug-jpg",
    "mug-webp",
    "photos/bag-jpg",
    expect.stringMatching(/^bag-jpg-[0-9a-f]{8}$/),
    "bag-jpg",
  ]);
  const outside = namesOf(["../a/mug.jpg", "mug.jpg"], ["a/mug.jpg", "mug.jpg"]);
  expect([new Set(outside).size, outside.join()]).toEqual([2, expect.not.stringContaining("..")]);
});

test("a further photo changes no name but of photos of its own name, in whatever order they come", () => {
  const photos = [
    ["a/mug.jpg", "mug.jpg"],
    ["a/mug.webp", "mug.webp"],
    ["a/hat.png", "hat.png"],
    ["b/bag.jpg", "bag.jpg"],
    ["c/bag.jpg", "bag.jpg"],
  ] as const;
  const more = [
    ["a/aaa.jpg", "aaa.jpg"],
    ["a/mug.gif", "mug.gif"],
    ["d/bag.jpg", "bag.jpg"],
    ...photos.toReversed(),
  ] as const;
  const after = namesOf(...more);
  expect(after.slice(3).toReversed()).toEqual(namesOf(...photos));
});
