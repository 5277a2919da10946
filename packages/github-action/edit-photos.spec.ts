import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { editPhotos } from "./edit-photos.ts";

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

test("a folder that is given twice, in two spellings, is edited once", async () => {
  writeFileSync(join(folder, "a.jpg"), "a");
  const sent: string[] = [];
  const client = {
    async edit(_tool: string, _source: Blob, { metadata }: { metadata: { photo: string } }) {
      sent.push(metadata.photo);
      const download = async () => ({ stream: new Blob(["made"]).stream(), contentType: "image/png" });
      return { job: { id: "job_1", creditsCharged: 1 }, download };
    },
  };
  const photos = [folder, relative(".", folder)];
  const request = { photos, out: join(folder, "out"), tool: "mask", parameters: {}, parallel: 2 } as const;
  const { results } = await editPhotos(client as unknown as Packshot, request);
  expect([sent.length, results.length]).toEqual([1, 1]);
});
