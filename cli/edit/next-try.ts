/** Whether a photo is tried again after an error, when, and as what: decisions over plain data. */
import { type ErrorCode, errorCatalog } from "@packshot/domain/errors.ts";

export interface TryError {
  readonly code: string;
  /** Only when a job has ended with this error. */
  readonly jobId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

export type NextTry =
  /** `sameEdit`: with the same idempotency key, so that an edit which was accepted is found again. */
  | { readonly kind: "again"; readonly afterMs: number; readonly sameEdit: boolean }
  | { readonly kind: "give-up" }
  /** No other photo would fare better. */
  | { readonly kind: "stop" };

const firstDelayMs = 1_000;
const delayMsMax = 30_000;

const concernsAll: ReadonlySet<string> = new Set([
  ...["unauthenticated", "insufficient_credits", "api_disabled", "scope_missing", "tool_not_available"],
]);
/** The edit of this key is over, without a result that could be fetched. */
const isOver: ReadonlySet<string> = new Set(["job_expired", "job_deleted", "job_cancelled", "idempotency_key_reused"]);
const connection: ReadonlySet<string> = new Set(["connection_failed", "timed_out"]);

/** @param tries how often the photo was tried, this one counted */
export function nextTry({ code, jobId, retryAfterMs }: TryError, tries: number, retriesMax: number): NextTry {
  if (concernsAll.has(code)) return { kind: "stop" };
  const isLast = tries > retriesMax;
  if (isOver.has(code)) return isLast ? { kind: "give-up" } : { kind: "again", afterMs: 0, sameEdit: false };
  const isGone = connection.has(code);
  // A proxy's page, perhaps of the minute in which the service is started again.
  const isForeign = code === "invalid_response";
  const mayPass =
    isGone || isForeign || (Object.hasOwn(errorCatalog, code) && errorCatalog[code as ErrorCode].retryable);
  if (!mayPass) return { kind: "give-up" };
  if (isLast) return { kind: isGone ? "stop" : "give-up" };
  const afterMs = retryAfterMs ?? Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1));
  return { kind: "again", afterMs, sameEdit: jobId === undefined };
}
