/** Both adapters of the storage port, on a folder and on an S3 server of their own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createS3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { describe } from "vitest";
import { isMissing } from "../programs.ts";
import { startS3 } from "../servers/versitygw.ts";

type Adapter = "disk" | "s3";

/** `s3` is the folder's, too, where there is no S3 server: then the tests of `describeOnStorages` on it are skipped. */
export type TestStorages = Readonly<Record<Adapter, Storage>> & { stop(): Promise<void> };

const linkKeys = [Buffer.alloc(32, 7)];

/** The same tests for each adapter, whose name replaces `%s` in the title. */
export function describeOnStorages(title: string, tests: (adapter: Adapter) => void): void {
  describe(title.replace("%s", "disk"), () => tests("disk"));
  describe(title.replace("%s", "s3"), { tags: ["versitygw"] }, () => tests("s3"));
}

export async function startStorages(): Promise<TestStorages> {
  const dir = await mkdtemp(join(tmpdir(), "packshot-storages-"));
  const disk = createDiskStorage({ dir, links: { publicUrl: "https://packshot.example", linkKeys } });
  const removeFolder = () => rm(dir, { recursive: true, force: true });
  if (isMissing("versitygw")) return { disk, s3: disk, stop: removeFolder };
  const server = await startS3();
  const access = createS3Access(server.settings);
  return {
    disk,
    s3: createS3Storage(server.settings, access),
    async stop() {
      access.client.destroy();
      await server.stop();
      await removeFolder();
    },
  };
}
