import { PackshotError } from "@packshot/domain/errors.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import { storagePath } from "@packshot/platform/storage/disk-links.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Core, Feature } from "../core/core.ts";
import type { Handlers } from "../http/call.ts";
import type { Contract } from "../http/contract.ts";
import { createStorageMount } from "../http/storage-links.ts";
import { consoleMounts } from "./console-files.ts";
import { createReference, type Reference } from "./reference.ts";

export interface ServiceDeps {
  readonly contract: Contract;
  readonly readiness: Pick<Readiness, "reasons">;
  readonly storage: Storage;
  readonly reference: Pick<Reference, "page">;
}

function serviceHandlers({ contract, readiness, storage, reference }: ServiceDeps): Handlers {
  const document = async () => ({ status: 200, body: contract.document });
  return {
    getOpenapi: document,
    getOpenapiAtRoot: document,
    getDocs: () => reference.page(),
    async getHealth() {
      const reasons = Object.values(readiness.reasons());
      if (reasons.length > 0) throw new PackshotError("unavailable", `Not ready: ${reasons.join("; ")}.`);
      // The process stays in service: clients fetch and delete results, which makes room.
      const takesFiles = await storage.assertRoom(0).then(
        () => true,
        () => false,
      );
      return { status: 200, body: { status: "ok", storage: takesFiles ? "ok" : "full" } };
    },
  };
}

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
