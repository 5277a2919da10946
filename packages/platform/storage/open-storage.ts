/** The storage that the settings name, with what a process needs beside it. */

import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { Settings } from "../config/settings.ts";
import type { PeriodicCheck } from "../lifecycle/periodic-check.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createDiskCheck } from "./disk-folder.ts";
import { createDiskLinks, type DiskLinks } from "./disk-links.ts";
import { createDiskStorage } from "./disk-storage.ts";
import type { S3Access, S3Settings } from "./s3-client.ts";
import type { Storage } from "./storage.ts";

export type StorageSettings = Pick<
  Settings,
  | "PACKSHOT_STORAGE"
  | "PACKSHOT_STORAGE_DIR"
  | "PACKSHOT_STORAGE_FREE_BYTES_MIN"
  | "PACKSHOT_S3_BUCKET"
  | "PACKSHOT_S3_REGION"
  | "PACKSHOT_S3_ENDPOINT"
  | "PACKSHOT_S3_PUBLIC_ENDPOINT"
  | "PACKSHOT_S3_FORCE_PATH_STYLE"
  | "PACKSHOT_S3_PREFIX"
  | "PACKSHOT_PUBLIC_URL"
  | "PACKSHOT_LINK_KEY"
>;

export interface OpenStorageOptions {
  readonly settings: StorageSettings;
  readonly logger: Logger;
  /** Absent: no metrics of the disk. */
  readonly registry?: Registry;
  /**
   * The worker signs no links, so it needs no key for them on disk, and is of no use on a full storage. The others are,
   * because their clients make room there.
   */
  readonly forWorker: boolean;
}

export interface OpenStorage {
  readonly storage: Storage;
  /** Serves the links of the disk storage; undefined for S3, which serves its own. */
  readonly links: DiskLinks | undefined;
  readonly check: PeriodicCheck;
}

export async function openStorage(options: OpenStorageOptions): Promise<OpenStorage> {
  const { settings, logger, forWorker } = options;
  if (settings.PACKSHOT_STORAGE === "disk") return openDisk(options);
  const { storage, access } = await openS3(settings);
  const { createS3Check } = await import("./s3-check.ts");
  return { storage, links: undefined, check: createS3Check({ access, mayBeFull: !forWorker, logger }) };
}

/** For a tool, which signs no links and serves no probes. */
export async function openBareStorage(settings: StorageSettings): Promise<Storage> {
  if (settings.PACKSHOT_STORAGE === "s3") return (await openS3(settings)).storage;
  return createDiskStorage({ dir: settings.PACKSHOT_STORAGE_DIR });
}

/** The SDK takes 0.4 seconds and 35 MB to load: only where there is a bucket. */
async function openS3(settings: StorageSettings): Promise<{ storage: Storage; access: S3Access }> {
  const { createS3Access } = await import("./s3-client.ts");
  const { createS3Storage } = await import("./s3-storage.ts");
  const s3 = readS3Settings(settings);
  const access = createS3Access(s3);
  return { storage: createS3Storage(s3, access), access };
}

export function readS3Settings(settings: StorageSettings): S3Settings {
  return {
    bucket: settings.PACKSHOT_S3_BUCKET!,
    region: settings.PACKSHOT_S3_REGION,
    endpoint: settings.PACKSHOT_S3_ENDPOINT,
    publicEndpoint: settings.PACKSHOT_S3_PUBLIC_ENDPOINT,
    forcePathStyle: settings.PACKSHOT_S3_FORCE_PATH_STYLE,
    prefix: settings.PACKSHOT_S3_PREFIX,
  };
}

function openDisk({ settings, logger, registry, forWorker }: OpenStorageOptions): OpenStorage {
  const { PACKSHOT_STORAGE_DIR: dir, PACKSHOT_STORAGE_FREE_BYTES_MIN: freeBytesMin } = settings;
  const links = forWorker
    ? undefined
    : { publicUrl: settings.PACKSHOT_PUBLIC_URL, linkKeys: settings.PACKSHOT_LINK_KEY! };
  if (registry !== undefined) registerStorageMetrics(registry, { dir, freeBytesMin });
  return {
    storage: createDiskStorage({ dir, freeBytesMin, ...(links && { links }) }),
    links: links && createDiskLinks(links),
    check: createDiskCheck({ dir, mayBeFull: !forWorker, logger }),
  };
}

/** Reports the file system on which the disk storage lies. A folder that cannot be read reports nothing. */
function registerStorageMetrics(
  registry: Registry,
  { dir, freeBytesMin }: { readonly dir: string; readonly freeBytesMin: number },
): void {
  const registers = [registry];
  const size = new Gauge({
    name: "packshot_storage_size_bytes",
    help: "Size of the file system that holds sources and results.",
    registers,
  });
  new Gauge({
    name: "packshot_storage_free_bytes",
    help: "Free space of the file system that holds sources and results.",
    registers,
    async collect() {
      const found = await statfs(dir).catch(() => undefined);
      if (found === undefined) return;
      this.set(found.bavail * found.bsize);
      size.set(found.blocks * found.bsize);
    },
  });
  new Gauge({
    name: "packshot_storage_floor_bytes",
    help: "Free space below which no uploads are taken, so that the results of jobs find room.",
    registers,
  }).set(freeBytesMin);
}
