/** The connection to S3: one client for the service's own calls, with limits on tries and times. */
import { S3Client } from "@aws-sdk/client-s3";
import { StorageFault } from "./storage-fault.ts";

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Absent: Amazon's, by region. */
  readonly endpoint?: string | undefined;
  /** How clients reach the same bucket: links are built on it. Absent: as `endpoint`. */
  readonly publicEndpoint?: string | undefined;
  /** The bucket is in the path and not in the name of the host. */
  readonly forcePathStyle: boolean;
  /** Begins every key; "" or ends with "/". */
  readonly prefix: string;
  /** Absent: the SDK's chain (environment, files, the machine's or pod's role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly times?: Partial<S3Times>;
}

export interface S3Times {
  readonly connectTimeoutMs: number;
  /** Without a byte in either direction. */
  readonly idleTimeoutMs: number;
  /** A request that carries no file, with its repetitions. */
  readonly requestTimeoutMs: number;
  /** One that carries a file or a part of one, with its repetitions. */
  readonly transferTimeoutMs: number;
}

export interface S3Access {
  readonly client: S3Client;
  readonly bucket: string;
  readonly times: S3Times;
  /** The key in the bucket of a key of the storage. */
  toObjectKey(key: string): string;
  /**
   * Throws a `StorageFault` for whatever fails, except errors for which `passes` says true. A `timeoutMs` of 0 sets no
   * limit beyond the idle one.
   */
  call<T>(
    operation: string,
    act: (options: { abortSignal?: AbortSignal }) => Promise<T>,
    options?: { readonly timeoutMs?: number; readonly passes?: (error: unknown) => boolean },
  ): Promise<T>;
}

/** The first try included. Between them the SDK waits, longer after SlowDown and 503. */
const triesMax = 4;
/** More than jobs and uploads have at work; beyond it requests wait for a connection. */
const connectionsMax = 128;

const timesDefault: S3Times = {
  connectTimeoutMs: 3_000,
  idleTimeoutMs: 15_000,
  requestTimeoutMs: 20_000,
  transferTimeoutMs: 60_000,
};

export function createS3Client(settings: S3Settings, endpoint: string | undefined = settings.endpoint): S3Client {
  const times = { ...timesDefault, ...settings.times };
  return new S3Client({
    region: settings.region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: settings.forcePathStyle,
    ...(settings.credentials && { credentials: settings.credentials }),
    maxAttempts: triesMax,
    // Otherwise the checksum of an empty body is signed into links for PUT, and servers other than Amazon's refuse
    // trailing checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: times.connectTimeoutMs,
      socketTimeout: times.idleTimeoutMs,
      httpAgent: { maxSockets: connectionsMax },
      httpsAgent: { maxSockets: connectionsMax },
    },
  });
}

export function createS3Access(settings: S3Settings): S3Access {
  const times = { ...timesDefault, ...settings.times };
  const { bucket, prefix } = settings;
  return {
    client: createS3Client(settings),
    bucket,
    times,
    toObjectKey: (key) => prefix + key,
    async call(operation, act, { timeoutMs = times.requestTimeoutMs, passes } = {}) {
      const abortSignal = timeoutMs === 0 ? undefined : AbortSignal.timeout(timeoutMs);
      try {
        return await act(abortSignal === undefined ? {} : { abortSignal });
      } catch (error) {
        if (passes?.(error) === true) throw error;
        if (abortSignal?.aborted !== true) throw toStorageFault(operation, error);
        const late = Object.assign(new Error(`not done in ${timeoutMs} ms`), { code: "ETIMEDOUT" });
        throw toStorageFault(operation, late);
      }
    },
  };
}

/** What S3 answers when it does not do as asked, as a `StorageFault`. */

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

function toStorageFault(operation: string, error: unknown): StorageFault {
  if (error instanceof StorageFault) return error;
  const { name, message, code = name, $metadata } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  // No status: the network, or no credentials were found.
  if (status === undefined) return new StorageFault(`S3 ${operation}: ${code}: ${message}`, { isCertain: true, code });
  const isCertain = status >= 500 || certainStatuses.has(status) || certainCodes.has(name);
  const isFull = status === insufficientStorage || fullCodes.has(name);
  return new StorageFault(`S3 ${operation}: ${status} ${name}: ${message}`, { isCertain, isFull, code: name });
}
