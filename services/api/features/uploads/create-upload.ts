import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { PlanLimits } from "@packshot/domain/plan.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { uploadTypeOf, type Upload } from "@packshot/domain/upload.ts";
import { openUpload } from "@packshot/domain/upload-tally.ts";
import type { SignedPut, Storage } from "@packshot/platform/storage/storage.ts";
import type { Realm } from "../../access/caller.ts";
import { findReplay, type IdempotencyKey, idempotencyWrites } from "../../idempotency/idempotency-key.ts";
import { assertAccountStays } from "../../records/commit-account.ts";
import { changeUploads, type UploadTallyDeps } from "./change-uploads.ts";

export interface CreateUploadDeps extends UploadTallyDeps {
  readonly storage: Storage;
  readonly nowMs: () => number;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
}

export interface NewUpload {
  readonly contentType: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

export interface CreateUploadInput {
  readonly realm: Realm;
  readonly limits: PlanLimits;
  readonly newUpload: NewUpload;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** The body of the response, which the idempotency record keeps. */
  readonly responseBody: (upload: Upload, put: SignedPut) => unknown;
}

export type CreatedUpload =
  | { readonly kind: "created"; readonly upload: Upload; readonly body: unknown }
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

/** Throws `idempotency_key_reused`, `limit_reached`, `not_found` for an account that is being erased, and `unavailable` when storage has no room for the file. */
export async function createUpload(
  deps: CreateUploadDeps,
  { realm, limits, newUpload, idempotencyKey, responseBody }: CreateUploadInput,
): Promise<CreatedUpload> {
  const { log, storage, nowMs, assertAccepting } = deps;
  assertAccepting();
  await storage.assertRoom(newUpload.sizeBytes);
  const now = nowMs();
  const upload: Upload = {
    v: 1,
    id: uuidv7(now),
    ...realm,
    contentType: uploadTypeOf(newUpload.contentType),
    filename: newUpload.filename,
    sizeBytes: newUpload.sizeBytes,
    createdAt: isoTime(now),
    expiresAt: isoTime(now + ttlSeconds.upload * 1000),
  };
  const put = await storage.signPut(storageKeys.upload(realm.accountId, upload.id), {
    expiresAtMs: Date.parse(upload.expiresAt),
    // A bucket compares with what is signed, so an alias stays as the client spells it.
    contentType: newUpload.contentType.split(";")[0]!.trim().toLowerCase(),
    sizeBytes: upload.sizeBytes,
  });
  const subject = subjects.upload(realm.accountId, upload.id);
  const body = responseBody(upload, put);
  const created: CreatedUpload = { kind: "created", upload, body };
  return await changeUploads<CreatedUpload>(deps, realm.accountId, "create-upload", async (tally, attempt) => {
    await assertAccountStays(log, realm.accountId);
    if (attempt > 1) {
      if ((await log.read(subject)).sequence > 0) return { done: created };
      const replay = await findReplay(log, idempotencyKey);
      if (replay !== undefined) return { done: replay };
    }
    return {
      tally: openUpload(tally, upload, limits),
      writes: [
        { subject, value: upload, expected: 0, ttlSeconds: ttlSeconds.upload },
        ...idempotencyWrites(idempotencyKey, () => ({ status: 201, body, subjectId: upload.id })),
      ],
      result: created,
    };
  });
}
