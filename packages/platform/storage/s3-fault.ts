/** What S3 answers when it does not do as asked, as a `StorageFault`. */
import { StorageFault } from "./storage-fault.ts";

/** What the SDK's errors have, and those of Node's sockets. */
interface S3Error extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const fullCodes = new Set([
  "InsufficientStorage",
  "QuotaExceeded",
  "XMinioAdminBucketQuotaExceeded",
  "XMinioStorageFull",
]);
/** With a status of 400 or 404, and true of every file. */
const certainCodes = new Set([
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
  "InvalidToken",
  "NoSuchBucket",
  "RequestTimeout",
  "TokenRefreshRequired",
]);
const tooManyRequests = 429;
const insufficientStorage = 507;
/** A redirect names another region: no file is there. */
const certainStatuses = new Set([301, 307, 401, 403, tooManyRequests]);

/** HEAD responses have no body, so that the code is then the status in words. */
export function isNoSuchKey(error: unknown): boolean {
  const { name, $metadata } = error as S3Error;
  return name === "NoSuchKey" || (name === "NotFound" && $metadata?.httpStatusCode === 404);
}

export function isNoSuchUpload(error: unknown): boolean {
  return (error as S3Error).name === "NoSuchUpload";
}

export function toStorageFault(operation: string, error: unknown): StorageFault {
  if (error instanceof StorageFault) return error;
  const { name, message, code = name, $metadata } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  // No status: the network, or no credentials were found.
  if (status === undefined) return new StorageFault(`S3 ${operation}: ${code}: ${message}`, { isCertain: true, code });
  const isCertain = status >= 500 || certainStatuses.has(status) || certainCodes.has(name);
  const isFull = status === insufficientStorage || fullCodes.has(name);
  return new StorageFault(`S3 ${operation}: ${status} ${name}: ${message}`, { isCertain, isFull, code: name });
}
