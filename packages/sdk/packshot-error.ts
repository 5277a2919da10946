import type { KnownErrorCode } from "./schemas.ts";

/** What goes wrong on this side of the connection, or with a job that did not fail. */
export type ClientErrorCode =
  /** No response came, however often it was tried. */
  | "connection_failed"
  /** `timeoutMs` passed. */
  | "timed_out"
  | "job_cancelled"
  | "job_deleted"
  | "job_not_finished"
  /** Its shadow was to be downloaded, and it has none. */
  | "no_shadow"
  /** A webhook's signature is wrong, or older than five minutes. */
  | "signature_invalid"
  /** Something answered that is not Packshot, such as a proxy. */
  | "invalid_response";

/** A later version of the service may have further codes. */
export type ErrorCode = KnownErrorCode | ClientErrorCode | (string & {});

interface ErrorFacts {
  /** HTTP status; absent when there was no response, and for a job's error. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** After so long the service wants to be asked again. */
  readonly retryAfterMs?: number | undefined;
  readonly jobId?: string | undefined;
  /** Only of a job's error: whether the same edit may succeed later. */
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** Every failure but an abort, which rejects with the signal's reason. Branch on `code`. */
export class PackshotError extends Error {
  override readonly name = "PackshotError";
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number | undefined;
  readonly jobId: string | undefined;
  readonly retryable: boolean | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.details;
    this.retryAfterMs = facts.retryAfterMs;
    this.jobId = facts.jobId;
    this.retryable = facts.retryable;
  }
}
