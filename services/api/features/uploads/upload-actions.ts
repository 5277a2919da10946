/** Upload sessions: create, read and delete. Their number and bytes are counted in a tally of the account. */

import type { PlanLimits } from "@packshot/domain/accounts/plan.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { safeFilename, type Upload, uploadTypeOf } from "@packshot/domain/uploads/upload.ts";
import {
  closeUpload,
  openUpload,
  type UploadTally,
  uploadTallyTtlSeconds,
} from "@packshot/domain/uploads/upload-tally.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import type { RunExclusive } from "@packshot/platform/flow/keyed-mutex.ts";
import type { SignedPut, Storage } from "@packshot/platform/storage/storage.ts";
import type { Realm } from "../../access/caller.ts";
import { findReplay, type IdempotencyKey, idempotencyWrites } from "../../http/idempotency.ts";
import { assertAccountStays } from "../../records/commit-account.ts";

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
    filename: safeFilename(newUpload.filename),
    sizeBytes: newUpload.sizeBytes,
    createdAt: isoTime(now),
    expiresAt: isoTime(now + ttlSeconds.upload * 1000),
  };
  const put = await signUpload(storage, upload, newUpload.contentType);
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

async function signUpload(storage: Storage, upload: Upload, contentType: string): Promise<SignedPut> {
  return await storage.signPut(storageKeys.upload(upload.accountId, upload.id), {
    expiresAtMs: Date.parse(upload.expiresAt),
    // A bucket compares with what is signed, so an alias stays as the client spells it.
    contentType: contentType.split(";")[0]!.trim().toLowerCase(),
    sizeBytes: upload.sizeBytes,
  });
}

/**
 * A link for a session that is there already, since the key that signed its first one may have been replaced; undefined:
 * the session is gone.
 *
 * @param contentType as the client spells it
 */
export async function signUploadAgain(
  { log, storage }: Pick<CreateUploadDeps, "log" | "storage">,
  {
    accountId,
    uploadId,
    contentType,
  }: { readonly accountId: string; readonly uploadId: string; readonly contentType: string },
): Promise<SignedPut | undefined> {
  const { value: upload } = await log.read<Upload>(subjects.upload(accountId, uploadId));
  return upload && (await signUpload(storage, upload, contentType));
}

/**
 * A batch that opens or closes upload sessions of an account writes its tally, too. The tally is a record of its own and
 * not a part of the account's, so that uploads and accepts do not make each other's compare-and-set fail.
 */
export interface UploadTallyDeps {
  readonly log: Log;
  /** One change of an account's sessions at a time in this process. */
  readonly runExclusive: RunExclusive;
}

/** `done`: nothing is to be written. Without a `tally`, the tally stays as it is. */
export type UploadsDecision<T> =
  | { readonly done: T }
  | { readonly tally: UploadTally | undefined; readonly writes: readonly Write[]; readonly result: T };

/** `decide` gets the tally as the leader has it, and is called again after a conflict. */
async function changeUploads<T>(
  { log, runExclusive }: UploadTallyDeps,
  accountId: string,
  transition: string,
  decide: (tally: UploadTally | undefined, attempt: number) => Promise<UploadsDecision<T>>,
): Promise<T> {
  const subject = subjects.index(accountId, "uploads");
  return await runExclusive(accountId, () =>
    log.transact<T>(transition, async (attempt) => {
      const { value, sequence } = await log.read<UploadTally>(subject);
      const decision = await decide(value, attempt);
      if ("done" in decision) return decision;
      const { tally, writes, result } = decision;
      if (tally === undefined) return { writes, result };
      const tallyWrite = { subject, value: tally, expected: sequence, ttlSeconds: uploadTallyTtlSeconds };
      // First: by the first record that it compares, a commit is known when others contend for it, and then shares no
      // group with those of other accounts.
      return { writes: [tallyWrite, ...writes], result };
    }),
  );
}

export interface ReadUploadDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

export interface UploadRef {
  readonly realm: Realm;
  readonly uploadId: string;
}

/** Throws `not_found`, `upload_expired`. */
export async function readUpload({ log, nowMs }: ReadUploadDeps, { realm, uploadId }: UploadRef): Promise<Upload> {
  const unknown = () => new PackshotError("not_found", "Upload session not found.");
  if (!isUuid(uploadId)) throw unknown();
  const now = nowMs();
  const { value: upload, sequence } = await log.read<Upload>(subjects.upload(realm.accountId, uploadId));
  if (upload === undefined) {
    // The log has removed the record: a version 7 id still tells when the session was created.
    const ageMs = now - uuidv7TimeMs(uploadId);
    if (sequence === 0 && uploadId[14] === "7" && ageMs > ttlSeconds.upload * 1000) throw expired();
    throw unknown();
  }
  if (upload.live !== realm.live) throw unknown();
  if (Date.parse(upload.expiresAt) <= now) throw expired();
  return upload;
}

function expired(): PackshotError {
  return new PackshotError("upload_expired", "The upload session has expired: create another.");
}

export interface DeleteUploadDeps extends ReadUploadDeps, UploadTallyDeps {
  readonly storage: Storage;
}

/** Throws `not_found`, `upload_expired`. */
export async function deleteUpload(deps: DeleteUploadDeps, ref: UploadRef): Promise<void> {
  const { log, storage, nowMs } = deps;
  const { accountId, id } = await readUpload(deps, ref);
  const subject = subjects.upload(accountId, id);
  await changeUploads<void>(deps, accountId, "delete-upload", async (tally) => {
    const { value, sequence } = await log.read<Upload>(subject);
    if (value === undefined) return { done: undefined };
    const tombstone = { subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.followedTombstone };
    const closed = closeUpload(tally, value, nowMs());
    return { tally: closed, writes: [tombstone], result: undefined };
  });
  await storage.deletePrefix(`${storageKeys.uploads(accountId)}${id}/`);
}
