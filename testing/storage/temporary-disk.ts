import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { onTestFinished } from "vitest";

/** An empty storage on disk, which goes with the test that opens it. It signs no links. */
export async function openTemporaryDisk(): Promise<Storage> {
  const dir = await mkdtemp(join(tmpdir(), "packshot-disk-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return createDiskStorage({ dir });
}
