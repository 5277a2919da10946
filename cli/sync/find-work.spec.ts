import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openResultFolder } from "../edit/result-folder.ts";
import type { CatalogPhoto, Delivered } from "./catalog.ts";
import { findWork } from "./find-work.ts";
import { openSyncJournal } from "./sync-journal.ts";

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "packshot-find-work-"));
});
afterEach(() => rmSync(path, { recursive: true }));

const known = () => ({
  folder: openResultFolder(path),
  journal: openSyncJournal(join(path, "sync.ndjson")),
  settings: "s",
});

/** Photos of a place that answers a look when the test says so. */
function createPlace(count: number) {
  const asked: PromiseWithResolvers<Delivered | undefined>[] = [];
  let onAsked = () => {};
  async function* photos(): AsyncGenerator<CatalogPhoto, void> {
    for (let number = 0; number < count; number++) {
      yield {
        name: `mug-${number}.jpg`,
        id: `mug-${number}.jpg`,
        version: "1",
        resultName: `mug-${number}`,
        goesTo: "",
        source: { path: "" },
        deliver: async () => ({ kind: "delivered", name: "" }),
        look() {
          const answer = Promise.withResolvers<Delivered | undefined>();
          asked.push(answer);
          onAsked();
          return answer.promise;
        },
      };
    }
  }
  const untilAsked = async (wanted: number) => {
    while (asked.length < wanted) await new Promise<void>((resolve) => (onAsked = resolve));
  };
  return { photos: photos(), asked, untilAsked };
}

const noSignal = new AbortController().signal;

test("a place is asked about sixteen photos at once, and what it says stands in the order of the photos", async () => {
  const { photos, asked, untilAsked } = createPlace(40);
  const found = findWork(photos, known(), noSignal);
  await untilAsked(16);
  asked[3]!.resolve({ kind: "occupied", name: "taken" });
  await untilAsked(17);
  expect(asked).toHaveLength(17);
  for (let number = 0; number < 40; number++) {
    await untilAsked(number + 1);
    asked[number]!.resolve(undefined);
  }
  const works = await found;
  expect(works.map(({ photo }) => photo.name)).toEqual(Array.from({ length: 40 }, (_, n) => `mug-${n}.jpg`));
  expect(works.filter(({ work }) => work === "leave").map(({ there }) => there)).toEqual(["taken"]);
});

test("a stop waits for no answer and asks nothing more", async () => {
  const { photos, asked, untilAsked } = createPlace(40);
  const stop = new AbortController();
  const found = findWork(photos, known(), stop.signal);
  await untilAsked(16);
  stop.abort("SIGINT");
  await expect(found).rejects.toBe("SIGINT");
  for (const answer of asked) answer.resolve(undefined);
  await photos.next();
  expect(asked).toHaveLength(16);
  await expect(findWork(createPlace(1).photos, known(), stop.signal)).rejects.toBe("SIGINT");
});

test("a fault of the place ends it", async () => {
  const { photos, asked, untilAsked } = createPlace(20);
  const found = findWork(photos, known(), noSignal);
  await untilAsked(16);
  asked[5]!.reject(new Error("no answer"));
  await expect(found).rejects.toThrow("no answer");
});
