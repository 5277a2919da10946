/** Both adapters of the storage port, on a folder and on an S3 server of their own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createS3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { startS3 } from "../servers/versitygw.ts";

export const storageAdapters = ["disk", "s3"] as const;

export type TestStorages = Readonly<Record<(typeof storageAdapters)[number], Storage>> & { stop(): Promise<void> };

const linkKeys = [Buffer.alloc(32, 7)];

export async function startStorages(): Promise<TestStorages> {
  const dir = await mkdtemp(join(tmpdir(), "packshot-storages-"));
  const server = await startS3();
  const access = createS3Access(server.settings);
  return {
    disk: createDiskStorage({ dir, links: { publicUrl: "https://packshot.example", linkKeys } }),
    s3: createS3Storage(server.settings, access),
    async stop() {
      access.client.destroy();
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
