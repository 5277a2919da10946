import { PackshotError } from "./packshot-error.ts";
import { type PhotoSource, type ReadSource, readSource } from "./photo-source.ts";
import type { CreatedUpload, NewUpload, Upload } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

interface Creation extends Waiting {
  readonly idempotencyKey?: string;
}

export function createUploads(transport: Transport) {
  const path = (id: string) => `/v1/uploads/${encodeURIComponent(id)}`;
  return {
    /**
     * Opens a session and sends the bytes, for a photo that several edits use. Delete it when none needs it any more.
     *
     * @returns the session with its bytes: its status is `complete`
     */
    async send(file: Exclude<PhotoSource, string | URL>, options: Creation = {}): Promise<CreatedUpload> {
      const read = await readSource(file, options.signal);
      if (read.kind === "reference") throw new TypeError("Only a file, bytes or a stream can be uploaded.");
      const session = await uploadFile(transport, read, options);
      return { ...session, status: "complete" };
    },
    /** Opens a session only: its bytes are PUT to `uploadUrl` by whoever has them. */
    create: (upload: NewUpload, { idempotencyKey = crypto.randomUUID(), ...waiting }: Creation = {}) =>
      transport.json<CreatedUpload>({ method: "POST", path: "/v1/uploads", json: upload, idempotencyKey, ...waiting }),
    get: (id: string, waiting: Waiting = {}): Promise<Upload> =>
      transport.json({ method: "GET", path: path(id), ...waiting }),
    delete: (id: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(id), ...waiting }),
  };
}

export type Uploads = ReturnType<typeof createUploads>;

/** Files that go to storage by an upload session before the request that needs them. */

/** For a request that carries a photo. */
export const uploadTimeoutMs = 900_000;

type File = Extract<ReadSource, { kind: "file" }>;

interface UploadOptions extends Waiting {
  readonly idempotencyKey?: string | undefined;
}

/** Opens a session and sends the bytes. */
async function uploadFile(transport: Transport, file: File, options: UploadOptions): Promise<CreatedUpload> {
  const session = await openSession(transport, file, options);
  await sendBytes(transport, file, session, options);
  return session;
}

/**
 * Uploads a file, makes a request with its session, and deletes the session. A program that is started again with the key
 * of its first run gets that run's session, whose name the request must have to be known as the same. It may be gone: then
 * the request either was made, and is answered as before, or was not, and is made with a new session.
 */
export async function withUpload<T>(
  transport: Transport,
  file: File,
  options: UploadOptions & { readonly idempotencyKey: string },
  use: (uploadSessionId: string) => Promise<T>,
): Promise<T> {
  let session = await openSession(transport, file, { ...options, idempotencyKey: `${options.idempotencyKey}-file` });
  const isGone = (error: unknown) => error instanceof PackshotError && error.code === "upload_expired";
  await sendBytes(transport, file, session, options).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
  let used: T;
  try {
    used = await use(session.uploadSessionId);
  } catch (error) {
    if (!isGone(error)) throw error;
    session = await uploadFile(transport, file, { ...options, idempotencyKey: crypto.randomUUID() });
    used = await use(session.uploadSessionId);
  }
  // What was made has its own copy, and an open session counts against the plan. It expires by itself too.
  const path = `/v1/uploads/${session.uploadSessionId}`;
  await transport.send({ method: "DELETE", path }).catch(() => {});
  return used;
}

async function openSession(
  transport: Transport,
  { file, filename, contentType }: File,
  { signal, idempotencyKey = crypto.randomUUID() }: UploadOptions,
): Promise<CreatedUpload> {
  const json = { contentType, filename, sizeBytes: file.size };
  return await transport.json({ method: "POST", path: "/v1/uploads", json, signal, idempotencyKey });
}

async function sendBytes(
  transport: Transport,
  { file }: File,
  { method, uploadUrl, headers }: CreatedUpload,
  { signal, timeoutMs = uploadTimeoutMs }: UploadOptions,
): Promise<void> {
  await transport.send({ method, path: uploadUrl, headers, body: file, signal, timeoutMs });
}
