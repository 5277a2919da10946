import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { firstHash, formatLedgerFile, ledgerFileBytesMax } from "@packshot/platform/ledger/ledger-archive.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, test } from "vitest";

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
