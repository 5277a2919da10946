import type { PicturePart } from "../edits/pictures.ts";
import type { JobErrorCode } from "../errors.ts";
import { subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";

/** An account's access to a bucket of its own. The credentials are encrypted (AES-256-GCM under the master key). */
export interface BucketConnection {
  readonly v: 1;
  /** Follows from account, mode and name, so that a name is found in one read and exists once. */
  readonly id: string;
  readonly accountId: string;
  /** Made with a live key it serves live jobs, with a test key test jobs. */
  readonly live: boolean;
  /** As in `s3://<name>/<key>`. */
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Begins every key; "" or ends with "/". */
  readonly prefix: string;
  /** The bucket is in the path and not in the name of the host. */
  readonly forcePathStyle: boolean;
  /** JSON of `BucketCredentials`, sealed. */
  readonly sealedCredentials: string;
  /** The end of the access key's id, so that its owner knows which one it is; "" of a short one. */
  readonly accessKeyIdEnd: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const idEndLength = 4;

export function accessKeyIdEndOf({ accessKeyId }: BucketCredentials): string {
  return accessKeyId.length < 3 * idEndLength ? "" : accessKeyId.slice(-idEndLength);
}

/** Stores a connection, or ends it. */
export function connectionWrite(
  { accountId, id }: Pick<BucketConnection, "accountId" | "id">,
  value: BucketConnection | null,
  expected: number,
): Write {
  const subject = subjects.connection(accountId, id);
  if (value !== null) return { subject, value, expected };
  return { subject, value, expected, ttlSeconds: ttlSeconds.credentialTombstone };
}

/**
 * What a worker asks an API process for, and is answered: a link to a file in a customer's bucket. Only the API opens the
 * credentials of connections, and it signs when the bytes are about to move: so no link stands in the log.
 */
export type BucketLinkRequest =
  /** To get the source of a job that has not ended. */
  | { readonly kind: "source"; readonly accountId: string; readonly jobId: string }
  /** To get a picture that came with the edit. */
  | { readonly kind: PicturePart; readonly accountId: string; readonly jobId: string }
  /** To put the result of the attempt that runs. */
  | {
      readonly kind: "result";
      readonly accountId: string;
      readonly jobId: string;
      readonly attemptId: string;
      readonly contentType: string;
      readonly bytes: number;
    }
  /** To put one of its results beside the first, or a layer. A kind of its own: who does not know it would give the first one's place. */
  | {
      readonly kind: "further-result";
      readonly name: string;
      readonly accountId: string;
      readonly jobId: string;
      readonly attemptId: string;
      readonly contentType: string;
      readonly bytes: number;
    };

export interface BucketLink {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly url: string;
  /** Signed as well: to be sent as they are. */
  readonly headers: Readonly<Record<string, string>>;
}

export type BucketLinkAnswer =
  | { readonly link: BucketLink }
  /** `unavailable`: ask again. */
  | { readonly error: { readonly code: JobErrorCode | "unavailable"; readonly message: string } };
