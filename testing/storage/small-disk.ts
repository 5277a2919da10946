/** A disk that fills up: a tmpfs of a few megabytes where the test may mount one, else a storage whose writes fail alike. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";

const run = promisify(execFile);

export interface SmallDisk {
  readonly dir: string;
  /** False where no file system may be mounted: then only `storage` is full. */
  readonly isMounted: boolean;
  readonly storage: Storage;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  empty(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSmallDisk({ megabytes }: { readonly megabytes: number }): Promise<SmallDisk> {
  const dir = await mkdtemp(join(tmpdir(), "packshot-small-disk-"));
  const isMounted = await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "packshot-test", dir]).then(
    () => true,
    () => false,
  );
  const filler = join(dir, "filler");
  const disk = createDiskStorage({ dir });
  let isFull = false;
  const refuseWhenFull = () => {
    if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const pretended: Storage = {
    ...disk,
    async write(key, body, limits) {
      refuseWhenFull();
      return await disk.write(key, body, limits);
    },
  };
  return {
    dir,
    isMounted,
    storage: isMounted ? disk : pretended,
    async fill() {
      isFull = true;
      if (isMounted) await writeFile(filler, Buffer.alloc((megabytes + 1) * 1024 * 1024)).catch(() => {});
    },
    async empty() {
      await rm(filler, { force: true });
      isFull = false;
    },
    async stop() {
      if (isMounted) await run("umount", ["--lazy", dir]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
