import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { files, subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/upload.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Caller } from "../access/caller.ts";
import type { ApiResponse, Handlers } from "../http/call.ts";
import type { components } from "../generated/openapi.ts";
import {
  assertSameRequest,
  idempotencyKeyOf,
  type SingleFlight,
  replayedHeader,
} from "../idempotency/idempotency-key.ts";
import { readUpload } from "../use-cases/edits/store-source.ts";

type NewUpload = components["schemas"]["NewUpload"];

export interface UploadRouteDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly once: SingleFlight;
  readonly nowMs: () => number;
  readonly publicUrl: string;
}

export function uploadHandlers(parts: UploadRouteDeps): Handlers {
  const { log, storage, nowMs } = parts;
  const who = ({ account, key }: Caller) => ({ accountId: account.accountId, live: key.live });

  return {
    async createUpload({ caller, body, headers }) {
      const order = body as NewUpload;
      const { maxFileSizeBytes } = caller.account.limits;
      if (order.sizeBytes > maxFileSizeBytes) {
        throw new PackshotError("file_too_large", `The plan allows files of ${maxFileSizeBytes} bytes.`);
      }
      const claim = idempotencyKeyOf(who(caller), headers["idempotency-key"], { operation: "createUpload", ...order });
      return await parts.once.run(
        claim,
        () => createUpload(parts, who(caller), order, claim),
        async (record) => replay(parts.publicUrl, record),
      );
    },

    async getUpload({ caller, path }) {
      const upload = await readUpload(log, who(caller), path.id!, nowMs());
      const found = await storage.stat(files.upload(upload.accountId, upload.id));
      return { status: 200, body: uploadBody(upload, found !== undefined) };
    },

    async deleteUpload({ caller, path }) {
      const { accountId, id } = await readUpload(log, who(caller), path.id!, nowMs());
      await log.transact("delete-upload", async () => {
        const { value, sequence } = await log.read<Upload>(subjects.upload(accountId, id));
        if (value === undefined) return { done: undefined };
        const subject = subjects.upload(accountId, id);
        const tombstone = { subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.seenTombstone };
        return { writes: [tombstone], answer: undefined };
      });
      await storage.deletePrefix(`${files.uploads(accountId)}${id}/`);
      return { status: 204 };
    },
  };
}

async function createUpload(
  { log, storage, nowMs, publicUrl }: UploadRouteDeps,
  who: { accountId: string; live: boolean },
  order: NewUpload,
  claim: ReturnType<typeof idempotencyKeyOf>,
): Promise<ApiResponse> {
  const now = nowMs();
  const upload: Upload = {
    v: 1,
    id: uuidv7(now),
    ...who,
    contentType: order.contentType.toLowerCase(),
    filename: order.filename,
    sizeBytes: order.sizeBytes,
    createdAt: isoTime(now),
    expiresAt: isoTime(now + ttlSeconds.upload * 1000),
  };
  const { url, method, headers } = await storage.signPut(files.upload(who.accountId, upload.id), {
    expiresAtMs: Date.parse(upload.expiresAt),
    contentType: upload.contentType,
    sizeBytes: upload.sizeBytes,
  });
  const body = { ...uploadBody(upload, false), uploadUrl: url, method, headers };
  const record: IdempotencyRecord | undefined =
    claim === undefined ? undefined : { v: 1, fingerprint: claim.fingerprint, status: 201, body, subjectId: upload.id };
  return await log.transact<ApiResponse>("create-upload", async (attempt) => {
    if (attempt > 1) {
      if ((await log.read(subjects.upload(who.accountId, upload.id))).sequence > 0) return { done: created() };
      const first = claim === undefined ? undefined : (await log.read<IdempotencyRecord>(claim.subject)).value;
      if (first !== undefined) {
        assertSameRequest(first, claim!);
        return { done: replay(publicUrl, first) };
      }
    }
    const writes: Write[] = [
      { subject: subjects.upload(who.accountId, upload.id), value: upload, expected: 0, ttlSeconds: ttlSeconds.upload },
    ];
    if (claim !== undefined) {
      writes.push({ subject: claim.subject, value: record!, expected: 0, ttlSeconds: ttlSeconds.idempotency });
    }
    return { writes, answer: created() };
  });

  function created(): ApiResponse {
    return { status: 201, body, headers: { Location: addressOf(publicUrl, upload.id) } };
  }
}

function addressOf(publicUrl: string, uploadId: string): string {
  return `${publicUrl.replace(/\/$/, "")}/v1/uploads/${uploadId}`;
}

function replay(publicUrl: string, { status, body, subjectId }: IdempotencyRecord): ApiResponse {
  return { status, body, headers: { Location: addressOf(publicUrl, subjectId), ...replayedHeader } };
}

function uploadBody(upload: Upload, isComplete: boolean) {
  const { id, contentType, filename, sizeBytes, createdAt, expiresAt } = upload;
  const status = isComplete ? "complete" : "pending";
  return { uploadSessionId: id, status, contentType, filename, sizeBytes, createdAt, expiresAt };
}
