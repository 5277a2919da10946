/** What is of no account: the documents, the health check, the console and the disk storage's links. */
import { storagePath } from "@packshot/platform/storage/disk-links.ts";
import type { Core, Feature } from "../core/core.ts";
import { createStorageMount } from "../http/storage-links.ts";
import { consoleMounts } from "./console-mounts.ts";
import { createReference } from "./reference.ts";
import { serviceHandlers } from "./service.ts";

export function createService(core: Core): Feature {
  const reference = createReference();
  return {
    handlers: serviceHandlers({ ...core, reference }),
    mounts: { ...storageMounts(core), ...reference.mounts, ...consoleMounts({ ...core, links: core.diskLinks }) },
  };
}

/** None with a storage that serves its own links. */
function storageMounts(core: Core): Feature["mounts"] {
  const { diskLinks } = core;
  if (diskLinks === undefined) return {};
  return { [storagePath.replace(/\/$/, "")]: createStorageMount({ ...core, links: diskLinks }) };
}
