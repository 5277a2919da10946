/**
 * Looks up the upload sessions that rows of a dry run name: one that is unknown, has expired or has no bytes is a fault of each row that
 * names it. A look-up takes a read of the log and one of storage, so that thousands take seconds.
 */

import { PackshotError } from "@packshot/domain/errors.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Realm } from "../../../access/caller.ts";
import { type ReadUploadDeps, readUpload } from "../../uploads/upload-actions.ts";
import type { UploadFault, UploadFaults } from "../read/check-row.ts";
import { faultsOfUpload, noBytesYet } from "../rows/copy-upload.ts";

export interface StoredUploadDeps extends ReadUploadDeps {
  readonly storage: Pick<Storage, "stat">;
}

export interface LookedUpUploads {
  readonly faults: UploadFaults;
  /** How many there was time for. */
  readonly lookedUp: number;
}

/** Rejects when the log or storage is at fault, and when `signal` aborts. */
export type LookUpUploads = (
  realm: Realm,
  uploadIds: Iterable<string>,
  signal: AbortSignal,
) => Promise<LookedUpUploads>;

/** Look-ups that run at once in a process; those of one account are half as many, and a request has no more than that waiting. */
const lookUpsMax = 32;
/** A request looks up no more sessions after so long: slow storage must not keep it, and those that wait behind it, for minutes. */
const lookUpsMsDefault = 20_000;

export function createLookUpUploads(deps: StoredUploadDeps, lookUpsMs = lookUpsMsDefault): LookUpUploads {
  const share = createSharedLimiter(lookUpsMax);

  async function faultOf(realm: Realm, uploadId: string): Promise<UploadFault | undefined> {
    try {
      await storedUploadKey(deps, { realm, uploadId });
      return undefined;
    } catch (error) {
      if (!isFaultOfUpload(error)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  return async (realm, uploadIds, signal) => {
    const faults = new Map<string, UploadFault>();
    const failing = new AbortController();
    const left = new Set(uploadIds).values();
    const endsAtMs = performance.now() + lookUpsMs;
    let lookedUp = 0;
    async function lookUpNext(): Promise<void> {
      for (const uploadId of left) {
        if (performance.now() >= endsAtMs) return;
        signal.throwIfAborted();
        failing.signal.throwIfAborted();
        const fault = await share(realm.accountId, async () => {
          // The client may have gone while this one waited.
          signal.throwIfAborted();
          return await faultOf(realm, uploadId);
        });
        lookedUp += 1;
        if (fault !== undefined) faults.set(uploadId, fault);
      }
    }
    const lookUps = Array.from({ length: lookUpsMax / 2 }, lookUpNext);
    await Promise.all(lookUps).catch((error: unknown) => {
      failing.abort(error);
      throw error;
    });
    return { faults: Object.fromEntries(faults), lookedUp };
  };
}

/** Where storage has the session's bytes. Throws `not_found`, `upload_expired`, `upload_incomplete`. */
export async function storedUploadKey(
  deps: StoredUploadDeps,
  { realm, uploadId }: { readonly realm: Realm; readonly uploadId: string },
): Promise<string> {
  const { id } = await readUpload(deps, { realm, uploadId });
  const key = storageKeys.upload(realm.accountId, id);
  if ((await deps.storage.stat(key)) === undefined) throw noBytesYet();
  return key;
}

function isFaultOfUpload(error: unknown): error is PackshotError {
  return error instanceof PackshotError && faultsOfUpload.includes(error.code);
}
