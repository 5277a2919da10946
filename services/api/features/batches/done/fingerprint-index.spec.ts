import { createHash } from "node:crypto";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeOnStorages, startStorages } from "../../../../../testing/storage/test-storages.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import type { FingerprintEntry } from "./fingerprint-file.ts";
import { chooseFiles, createFingerprintIndex } from "./fingerprint-index.ts";
import { fingerprintOf } from "./skip-done-rows.ts";

const storages = suiteFixture(startStorages);
const lifetimeMs = 86_400_000;
const nowMs = Date.parse("2026-11-22T10:00:00.000Z");
const id = uuidv7();
const digest = (text: string | number) => createHash("sha256").update(String(text)).digest("hex");
const entry = (text: string | number, row: number, ageMs = 0): FingerprintEntry => ({
  fingerprint: digest(text),
  id,
  row,
  at: isoTime(nowMs - ageMs),
});
const indexOn = (storage: Storage, now = nowMs) => createFingerprintIndex({ storage, nowMs: () => now, lifetimeMs });
const filesOf = (storage: Storage, prefix: string) => Array.fromAsync(storage.list(prefix), ({ key }) => key);

async function rowsOf(index: ReturnType<typeof indexOn>, prefix: string, texts: readonly (string | number)[]) {
  const found = await index.find(prefix, texts.map(digest));
  return texts.map((text) => found.get(digest(text))?.row);
}

describeOnStorages("fingerprints on %s", (adapter) => {
  test("are found with what was made of them; the newest entry holds, and old ones are forgotten", async () => {
    const prefix = "batches/a/fingerprints/";
    const storage = storages[adapter];
    const index = indexOn(storage);
    expect(await rowsOf(index, prefix, ["a"])).toEqual([undefined]);
    await index.add(prefix, "1-3", [entry("a", 1, 3_000), entry("b", 2), entry("a", 7, 2_000)]);
    await index.add(prefix, "4-6", [entry("a", 3, 1_000), entry("c", 4, lifetimeMs)]);
    await index.add(prefix, "1-3", [entry("a", 1, 3_000), entry("b", 2), entry("a", 7, 2_000)]);
    await index.add(prefix, "7-9", []);
    expect(await rowsOf(index, prefix, ["a", "b", "c", "d"])).toEqual([3, 2, undefined, undefined]);
    expect((await index.find(prefix, [digest("a")])).get(digest("a"))).toEqual(entry("a", 3, 1_000));
    expect(await rowsOf(indexOn(storage, nowMs + lifetimeMs), prefix, ["a", "b"])).toEqual([undefined, undefined]);
    expect(await rowsOf(index, "batches/b/fingerprints/", ["a"])).toEqual([undefined]);
  });

  test("stay found while several processes merge their files", async () => {
    const prefix = "batches/c/fingerprints/";
    const storage = storages[adapter];
    const processes = [indexOn(storage), indexOn(storage), indexOn(storage)];
    const wanted = Array.from({ length: 120 }, (_, i) => i);
    for (let file = 0; file < 12; file++) {
      const rows = wanted.slice(file * 10, file * 10 + 10);
      await processes[file % 3]!.add(
        prefix,
        `add-${file}`,
        rows.map((row) => entry(row, row)),
      );
    }
    const merging = Promise.all(processes.map((index) => index.merge(prefix)));
    for (const index of processes) expect(await rowsOf(index, prefix, wanted)).toEqual(wanted);
    await merging;
    for (const index of [...processes, indexOn(storage)]) expect(await rowsOf(index, prefix, wanted)).toEqual(wanted);
    expect((await filesOf(storage, prefix)).length).toBeLessThan(8);
  });

  test("are found in files too large to be held", async () => {
    const prefix = "batches/d/fingerprints/";
    const storage = storages[adapter];
    const index = indexOn(storage);
    const entries = Array.from({ length: 40_000 }, (_, i) => entry(i, i));
    for (let file = 0; file < 8; file++) {
      await index.add(prefix, `${file}`, entries.slice(file * 5_000, file * 5_000 + 5_000));
    }
    await index.merge(prefix);
    expect((await filesOf(storage, prefix)).map((key) => key.split(".")[1])).toEqual(["40000"]);
    const sorted = entries.map(({ fingerprint, row }) => [fingerprint, row] as const).sort();
    const texts = [0, 1, 2, 19_999, 20_000, 39_998, 39_999].map((place) => sorted[place]![1]);
    expect(await rowsOf(index, prefix, [...texts, -1, -2, -3])).toEqual([...texts, undefined, undefined, undefined]);
  });
});

test("a merge that is killed loses nothing, wherever that is", async () => {
  const storage = storages.disk;
  for (let survived = 0; survived < 10; survived++) {
    const prefix = `batches/e/${survived}/`;
    const index = indexOn(storage);
    for (let row = 0; row < 8; row++) await index.add(prefix, `${row}`, [entry(row, row), entry("both", row, 8 - row)]);
    let steps = 0;
    const step = () => (steps++ < survived ? Promise.resolve() : Promise.reject(new Error("killed")));
    const dying = indexOn({
      ...storage,
      write: async (...args) => {
        const written = await storage.write(...args);
        await step();
        return written;
      },
      deletePrefix: async (key) => {
        await step();
        await storage.deletePrefix(key);
      },
    });
    await dying.merge(prefix).catch((error: Error) => expect(error.message).toBe("killed"));
    const texts = [0, 1, 2, 3, 4, 5, 6, 7, "both"];
    expect(await rowsOf(indexOn(storage), prefix, texts)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 7]);
    await index.merge(prefix);
    expect(await rowsOf(index, prefix, texts)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 7]);
  }
});

test("entries that are too old leave with a merge, and files without others, too", async () => {
  const storage = storages.disk;
  const prefix = "batches/f/fingerprints/";
  const index = indexOn(storage);
  for (let row = 0; row < 16; row++) await index.add(prefix, `${row}`, [entry(row, row, row < 15 ? lifetimeMs : 0)]);
  await index.merge(prefix);
  expect((await filesOf(storage, prefix)).map((key) => key.split(".")[1])).toEqual(["1"]);
  expect(await rowsOf(index, prefix, [3, 15])).toEqual([undefined, 15]);
});

test("files stay few, and a large one is seldom written again", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 50, maxLength: 800 }), (additions) => {
      let files: { key: string; linesCount: number }[] = [];
      let written = 0;
      for (const [index, linesCount] of additions.entries()) {
        files.push({ key: `${index}`, linesCount });
        const chosen = chooseFiles(files);
        if (chosen.length === 0) continue;
        const lines = chosen.reduce((sum, file) => sum + file.linesCount, 0);
        written += lines;
        files = [...files.filter((file) => !chosen.includes(file)), { key: `m${index}`, linesCount: lines }];
      }
      const total = additions.reduce((sum, lines) => sum + lines, 0);
      expect(files.length).toBeLessThan(8 * Math.ceil(Math.log2(total)));
      expect(written).toBeLessThan(total * Math.ceil(Math.log2(additions.length)));
    }),
    { numRuns: 30 },
  );
});

test("a fingerprint is that of bytes, tool, parameters, model and kind of key", () => {
  const edit = {
    live: true,
    source: "00",
    tool: "mask",
    parameters: { output: { width: 1, height: 2 } },
    model: "a@1",
  } as const;
  const same = { ...edit, parameters: { output: { height: 2, width: 1 } } };
  expect(fingerprintOf(same)).toBe(fingerprintOf(edit));
  const others = [
    { ...edit, live: false },
    { ...edit, source: "01" },
    { ...edit, tool: "ai-bg" as const },
    { ...edit, parameters: {} },
    { ...edit, model: "a@2" },
  ];
  expect(new Set([edit, ...others].map(fingerprintOf)).size).toBe(6);
});
