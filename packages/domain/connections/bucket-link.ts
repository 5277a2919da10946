/**
 * What a worker asks an API process for, and is answered: a link to a file in a customer's bucket. Only the API opens the
 * credentials of connections, and it signs when the bytes are about to move: so no link stands in the log.
 */
import type { JobErrorCode } from "../errors.ts";

export type BucketLinkRequest =
  /** To get the source of a job that has not ended. */
  | { readonly kind: "source"; readonly accountId: string; readonly jobId: string }
  /** To get the picture behind its product. */
  | { readonly kind: "background"; readonly accountId: string; readonly jobId: string }
  /** To put the result of the attempt that runs. */
  | {
      readonly kind: "result";
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
