import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { assertEditableType, type Upload, uploadBytesMax, uploadTypeOf } from "@packshot/domain/uploads/upload.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { ApiResponse, Handlers } from "../../http/call.ts";
import { resourceUrl } from "../../http/call.ts";
import { replayedHeader } from "../../http/headers.ts";
import type { RunOnce } from "../../http/idempotency.ts";
import { idempotencyKeyOf } from "../../http/idempotency.ts";
import {
  type CreateUploadDeps,
  createUpload,
  deleteUpload,
  type NewUpload,
  readUpload,
  signUploadAgain,
} from "./upload-actions.ts";

export function createUploads(core: Core): Feature {
  // Turns of its own: an edit need not wait for an account's uploads.
  return { handlers: uploadHandlers({ ...core, runExclusive: createKeyedMutex().runExclusive }) };
}

interface UploadHandlerDeps extends CreateUploadDeps {
  readonly runOnce: RunOnce;
  readonly publicUrl: string;
}

function uploadHandlers(deps: UploadHandlerDeps): Handlers {
  const { runOnce, storage, publicUrl } = deps;
  const locationOf = (uploadId: string) => ({ Location: resourceUrl(publicUrl, "uploads", uploadId) });

  async function replay(
    { status, body, subjectId: uploadId }: IdempotencyRecord,
    { accountId, contentType }: { readonly accountId: string; readonly contentType: string },
  ): Promise<ApiResponse> {
    const put = await signUploadAgain(deps, { accountId, uploadId, contentType });
    const link = put && { uploadUrl: put.url, headers: put.headers };
    const headers = { ...locationOf(uploadId), ...replayedHeader };
    return { status, body: { ...(body as object), ...link }, headers };
  }

  return {
    async createUpload({ caller, body, headers }) {
      const newUpload = body as NewUpload;
      const { limits } = caller.account;
      const mediaType = uploadTypeOf(newUpload.contentType);
      assertEditableType(mediaType);
      const bytesMax = uploadBytesMax(mediaType, limits);
      if (newUpload.sizeBytes > bytesMax) {
        throw new PackshotError("file_too_large", `The plan allows files of this type of up to ${bytesMax} bytes.`);
      }
      const realm = realmOf(caller);
      const request = { operation: "createUpload", ...newUpload };
      const idempotencyKey = idempotencyKeyOf(realm, headers["idempotency-key"], request);
      const asked = { accountId: realm.accountId, contentType: newUpload.contentType };
      return await runOnce(
        idempotencyKey,
        async () => {
          const outcome = await createUpload(deps, {
            realm,
            limits,
            newUpload,
            idempotencyKey,
            responseBody: (upload, { url, method, headers }) => ({
              ...uploadBody(upload, { isComplete: false }),
              uploadUrl: url,
              method,
              headers,
            }),
          });
          if (outcome.kind === "replayed") return await replay(outcome.record, asked);
          return { status: 201, body: outcome.body, headers: locationOf(outcome.upload.id) };
        },
        async (record) => await replay(record, asked),
      );
    },

    async getUpload({ caller, path }) {
      const upload = await readUpload(deps, { realm: realmOf(caller), uploadId: path.id! });
      const file = await storage.stat(storageKeys.upload(upload.accountId, upload.id));
      return { status: 200, body: uploadBody(upload, { isComplete: file !== undefined }) };
    },

    async deleteUpload({ caller, path }) {
      await deleteUpload(deps, { realm: realmOf(caller), uploadId: path.id! });
      return { status: 204 };
    },
  };
}

function uploadBody(upload: Upload, { isComplete }: { isComplete: boolean }) {
  const { id, contentType, filename, sizeBytes, createdAt, expiresAt } = upload;
  const status = isComplete ? "complete" : "pending";
  return { uploadSessionId: id, status, contentType, filename, sizeBytes, createdAt, expiresAt };
}
