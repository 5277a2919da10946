import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDiskStorage } from "../storage/disk-storage.ts";
import {
  type ArchivedEntry,
  firstHash,
  formatLedgerFile,
  ledgerFileBytesMax,
  readLedgerArchive,
} from "./ledger-archive.ts";

const days = ["2026-11-20", "2026-11-21", "2026-11-22"];
let folder: string;

/** Three days with two entries each. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-ledger-"));
  const storage = createDiskStorage({ dir: folder });
  let previousHash = firstHash;
  for (const [index, day] of days.entries()) {
    const firstSequence = 1 + 2 * index;
    const lines = [firstSequence, firstSequence + 1].map((sequence) => JSON.stringify(entryOf(sequence, day)));
    const file = formatLedgerFile({ v: 1, day, firstSequence, previousHash }, lines, firstSequence + 1);
    previousHash = file.hash;
    const key = storageKeys.ledgerFile(day, firstSequence);
    await storage.write(key, Buffer.from(file.text), { bytesMax: ledgerFileBytesMax });
  }
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function entryOf(sequence: number, day: string): ArchivedEntry {
  const at = `${day}T12:00:00.000Z`;
  const entry = { v: 1, kind: "grant", accountId: "a", period: 1, entryId: String(sequence), at } as const;
  const source = { stream: "PS_STATE", sequence };
  return { sequence, storedAt: at, source, entry: { ...entry, amount: 5, balanceAfter: 5 * sequence } };
}

const pathOf = (index: number) => join(folder, storageKeys.ledgerFile(days[index]!, 1 + 2 * index));

async function problems(): Promise<string[]> {
  const found = await Array.fromAsync(readLedgerArchive(createDiskStorage({ dir: folder })));
  return found.flatMap((file) => file.problems);
}

test("an unbroken archive has no problems, also without its oldest files", async () => {
  expect(await problems()).toEqual([]);
  await rm(pathOf(0));
  expect(await problems()).toEqual([]);
});

test("a changed entry is found by the file's hash", async () => {
  const text = await readFile(pathOf(1), "utf8");
  await writeFile(pathOf(1), text.replace('"amount":5', '"amount":6'));
  expect(await problems()).toContainEqual(expect.stringMatching(/2026-11-21.*: it does not have its hash/));
});

test("a file that was written anew, with a hash that fits, breaks the chain at the next one", async () => {
  const lines = [3, 4].map((sequence) => JSON.stringify({ ...entryOf(sequence, days[1]!), storedAt: "changed" }));
  const [, previous] = /"previousHash":"(\w+)"/.exec(await readFile(pathOf(1), "utf8"))!;
  const header = { v: 1, day: days[1]!, firstSequence: 3, previousHash: previous! } as const;
  await writeFile(pathOf(1), formatLedgerFile(header, lines, 4).text);
  expect(await problems()).toEqual([expect.stringMatching(/2026-11-22.*: the chain is broken/)]);
});

test("a file that was removed in between, or cut off, is found", async () => {
  await rm(pathOf(1));
  expect(await problems()).toEqual([
    expect.stringMatching(/2026-11-22.*: it begins at 5, the file before ends at 2/),
    expect.stringMatching(/2026-11-22.*: entries of a over 10 credits are missing before entry 5/),
  ]);
  const text = await readFile(pathOf(2), "utf8");
  await writeFile(pathOf(2), text.slice(0, -20));
  expect(await problems()).toEqual([expect.stringMatching(/2026-11-22.*: it is cut off/)]);
});
