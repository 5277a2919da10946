import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { firstHash, formatLedgerFile, ledgerFileBytesMax } from "@packshot/platform/ledger/ledger-archive.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, onTestFinished, test } from "vitest";

const cli = fileURLToPath(new URL("packshot.ts", import.meta.url));

test("ledger verify prints the archive's last hash, and fails with what is wrong", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packshot-ledger-"));
  const verify = () => promisify(execFile)(process.execPath, [cli, "ledger", "verify", "--storage-dir", folder]);
  const header = { v: 1, day: "2026-11-22", firstSequence: 1, previousHash: firstHash } as const;
  const { text, hash } = formatLedgerFile(header, [], 7);
  const key = storageKeys.ledgerFile(header.day, 1);
  const storage = createDiskStorage({ dir: folder });
  expect((await verify()).stdout).toBe("0 files, 0 entries, 0 problems; nothing is archived\n");
  await storage.write(key, Buffer.from(text), { bytesMax: ledgerFileBytesMax });
  expect((await verify()).stdout).toBe(`1 files, 0 entries, 0 problems; up to ${header.day}, entry 7, hash ${hash}\n`);
  await writeFile(join(folder, key), text.slice(0, 50));
  await expect(verify()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("it is cut off") });
  await rm(folder, { recursive: true });
});

test("ledger set-aside moves the files behind an entry away, and the chain is whole without them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packshot-ledger-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ledger = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [cli, "ledger", ...args, "--storage-dir", folder]);
  const storage = createDiskStorage({ dir: folder });
  const day = "2026-11-22";
  const write = async (firstSequence: number, previousHash: string, lastSequence: number) => {
    const { text, hash } = formatLedgerFile({ v: 1, day, firstSequence, previousHash }, [], lastSequence);
    await storage.write(storageKeys.ledgerFile(day, firstSequence), Buffer.from(text), {
      bytesMax: ledgerFileBytesMax,
    });
    return hash;
  };
  const first = await write(1, firstHash, 7);
  await write(8, await write(8, first, 9), 12);
  await write(10, firstHash, 12);
  await expect(ledger("verify")).rejects.toMatchObject({ code: 1 });

  await expect(ledger("set-aside")).rejects.toMatchObject({ stderr: expect.stringContaining("needs --after") });
  expect((await ledger("set-aside", "--after", "7")).stdout).toMatch(/\n2 files set aside\n$/);
  expect((await ledger("verify")).stdout).toBe(
    `1 files, 0 entries, 0 problems; up to ${day}, entry 7, hash ${first}\n`,
  );
  const kept = await Array.fromAsync(storage.list(storageKeys.ledgerAside), ({ key }) => key.slice(-31));
  expect(kept.sort()).toEqual([8, 10].map((sequence) => storageKeys.ledgerFile(day, sequence).slice(-31)));
});
