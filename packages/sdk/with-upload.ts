/** Files that go to storage by an upload session before the request that needs them. */
import { PackshotError } from "./packshot-error.ts";
import type { ReadSource } from "./photo-source.ts";
import type { CreatedUpload } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

/** For a request that carries a photo. */
export const uploadTimeoutMs = 900_000;

type File = Extract<ReadSource, { kind: "file" }>;

interface UploadOptions extends Waiting {
  readonly idempotencyKey?: string | undefined;
}

/** Opens a session and sends the bytes. */
export async function uploadFile(transport: Transport, file: File, options: UploadOptions): Promise<CreatedUpload> {
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
