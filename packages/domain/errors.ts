/**
 * The catalog of error codes: one entry per code with its HTTP status, whether the same request may succeed later, and
 * what it means. `docs/errors.md` is generated from it.
 */

interface ErrorCatalogEntry {
  /** null: the code appears only as a job's `error.code`. */
  readonly httpStatus: number | null;
  /** An error may say otherwise of itself: `isFinal`. */
  readonly retryable: boolean;
  /** The code may be a job's `error.code`. */
  readonly ofJob?: true;
  readonly meaning: string;
}

export const errorCatalog = {
  invalid_request: {
    httpStatus: 400,
    retryable: false,
    meaning: "A field is missing, unknown or out of range; the message names it.",
  },
  unauthenticated: {
    httpStatus: 401,
    retryable: false,
    meaning: "The API key is missing, unknown, revoked or expired.",
  },
  insufficient_credits: {
    httpStatus: 402,
    retryable: false,
    meaning: "The account has fewer credits than the edit costs.",
  },
  api_disabled: {
    httpStatus: 403,
    retryable: false,
    meaning: "The operator has suspended API access for this account.",
  },
  scope_missing: {
    httpStatus: 403,
    retryable: false,
    meaning: "The API key may not do this: `details.missing` names the scopes of which it would need one.",
  },
  tool_not_available: { httpStatus: 403, retryable: false, meaning: "The account's plan does not include this tool." },
  not_found: { httpStatus: 404, retryable: false, meaning: "The resource was not found in this account." },
  method_not_allowed: { httpStatus: 405, retryable: false, meaning: "The path exists; this method on it does not." },
  not_acceptable: {
    httpStatus: 406,
    retryable: false,
    meaning: "The Accept header allows none of the response's media types.",
  },
  request_timeout: { httpStatus: 408, retryable: true, meaning: "The request's body did not arrive in time." },
  job_already_finished: {
    httpStatus: 409,
    retryable: false,
    meaning: "A job that has ended cannot be cancelled, nor can one whose result is on its way to a bucket.",
  },
  not_deliverable: {
    httpStatus: 409,
    retryable: false,
    meaning:
      "The job has no destination, has not completed, or was delivered as often as it may be: the message says which.",
  },
  not_reviewable: {
    httpStatus: 409,
    retryable: false,
    meaning:
      "The job has not completed, or it was rejected and has no result that could be approved: the message says which.",
  },
  delivery_in_progress: { httpStatus: 409, retryable: true, meaning: "The job's result is being delivered already." },
  webhook_disabled: {
    httpStatus: 409,
    retryable: false,
    meaning: "The webhook is disabled, so nothing would be sent: enable it first.",
  },
  batch_status_conflict: {
    httpStatus: 409,
    retryable: false,
    meaning: "The batch's status does not allow this: the message names it.",
  },
  upload_incomplete: {
    httpStatus: 409,
    retryable: true,
    meaning: "The upload session has no bytes yet: PUT them first.",
  },
  limit_reached: {
    httpStatus: 409,
    retryable: false,
    meaning:
      "The plan allows no more keys, webhooks, connections, presets, upload sessions, bytes in sessions, or batches; the message says of what, and what to do.",
  },
  name_taken: { httpStatus: 409, retryable: false, meaning: "The account has one of this name already." },
  already_created: {
    httpStatus: 409,
    retryable: false,
    meaning:
      "The Idempotency-Key has created an API key before, whose secret is not kept: `details.id` names it. Revoke it where nobody has its secret, and send a new Idempotency-Key.",
  },
  upload_expired: { httpStatus: 410, retryable: false, meaning: "The upload session has expired: create another." },
  job_expired: { httpStatus: 410, retryable: false, meaning: "The idempotency key's job has been cleaned up." },
  webhook_deleted: {
    httpStatus: 410,
    retryable: false,
    meaning: "The idempotency key's webhook has been deleted: create another with a new key.",
  },
  length_required: { httpStatus: 411, retryable: false, meaning: "The request needs a Content-Length." },
  precondition_failed: {
    httpStatus: 412,
    retryable: false,
    meaning: "The file is not the one that If-Match names: its ETag is another.",
  },
  file_too_large: {
    httpStatus: 413,
    retryable: false,
    ofJob: true,
    meaning: "The file is larger than the plan allows.",
  },
  image_too_large: {
    httpStatus: 413,
    retryable: false,
    ofJob: true,
    meaning: "The image has more pixels, or more pages or metadata around them, than the service edits.",
  },
  unsupported_media_type: {
    httpStatus: 415,
    retryable: false,
    ofJob: true,
    meaning: "The bytes are not JPEG, PNG, WebP, AVIF, TIFF or GIF, nor HEIC where its decoder is installed.",
  },
  range_not_satisfiable: {
    httpStatus: 416,
    retryable: false,
    meaning: "The range of a file that was asked for begins behind its end; Content-Range tells how long it is.",
  },
  idempotency_key_reused: {
    httpStatus: 422,
    retryable: false,
    meaning: "The Idempotency-Key was used with another request.",
  },
  pipeline_not_available: {
    httpStatus: 422,
    retryable: true,
    meaning:
      "No running worker has the version that the parameter `pipeline` names; the message lists those that there are.",
  },
  engine_not_available: {
    httpStatus: 422,
    retryable: true,
    meaning: "No running worker has an image model, which `engine: generative` needs; `renderer` needs none.",
  },
  image_unreadable: {
    httpStatus: 422,
    retryable: false,
    ofJob: true,
    meaning: "The image is damaged, or of a kind that cannot be decoded; the message says which.",
  },
  rate_limit_exceeded: {
    httpStatus: 429,
    retryable: true,
    meaning:
      "More than an account or a client may ask for in a time or at once: requests, failed authentications, multipart edits, event streams, dry runs, exports, changes. The message says of what, and Retry-After when to come back.",
  },
  queue_full: {
    httpStatus: 429,
    retryable: true,
    meaning:
      "The account has as many waiting jobs as its plan allows, or as many bytes in the photos of unfinished jobs.",
  },
  headers_too_large: {
    httpStatus: 431,
    retryable: false,
    meaning: "The request's headers are larger than the server reads.",
  },
  internal_error: {
    httpStatus: 500,
    retryable: true,
    ofJob: true,
    meaning: "Something failed on our side; it is safe to try again.",
  },
  unavailable: {
    httpStatus: 503,
    retryable: true,
    meaning:
      "A part of the service is not ready, has no room, or has too many multipart edits at once; Retry-After tells when to come back.",
  },
  source_unreachable: {
    httpStatus: null,
    retryable: true,
    ofJob: true,
    meaning:
      "imageUrl did not answer with an image. Where its server has none or refuses it (401, 403, 404, 410), the error's own `retryable` is false.",
  },
  source_forbidden: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "imageUrl leads to an address that may not be fetched.",
  },
  destination_failed: {
    httpStatus: null,
    retryable: true,
    ofJob: true,
    meaning:
      "The bucket of the destination did not take the result; the message says what it answered. It is the code of a completed job's `destination.error`: the result is at `resultUrl`, and `POST /v1/jobs/{id}/deliver` tries again.",
  },
  no_product_found: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "No product stands out in the photo.",
  },
  region_out_of_bounds: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The region of the photo that counts is empty, or leaves the photo.",
  },
  point_out_of_bounds: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The point at which the product is leaves the photo, or the region that counts.",
  },
  canvas_too_large: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The canvas was to grow with the shadow, which takes more pixels than a canvas may have.",
  },
  background_unusable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The background picture cannot be fetched or read.",
  },
  mask_unusable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning:
      "The mask that came with the edit cannot be fetched or read, shows nothing of the photo, or has another aspect ratio than the photo.",
  },
  logo_unusable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The logo cannot be fetched or read.",
  },
  poor_source: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning:
      "The photo does not pass the checks of `report.source`, and `onPoorSource` is `refuse`. The message says what is poor and what to do.",
  },
  max_bytes_unreachable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The result takes more bytes than `output.maxBytes`, whatever the quality; the message says how many.",
  },
  palette_unusable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The picture that the scene was to take its colors from cannot be fetched or read.",
  },
  tone_unusable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning: "The picture whose light the photo was to get cannot be fetched or read.",
  },
  model_unavailable: {
    httpStatus: null,
    retryable: false,
    ofJob: true,
    meaning:
      "No model server has the model asked for, or it cannot be used for edits; while a model loads or is busy, its jobs wait. Only the operator can mend it.",
  },
  image_model_timeout: {
    httpStatus: null,
    retryable: true,
    ofJob: true,
    meaning:
      "The image model painted nothing within the operator's limit (`PACKSHOT_IMAGE_MODEL_TIMEOUT_MS`), or no worker has had one for so long. An edit with `engine: auto` gets the renderer's scene instead.",
  },
  deadline_exceeded: {
    httpStatus: null,
    retryable: true,
    ofJob: true,
    meaning: "The job did not start, or did not finish, within its deadline.",
  },
} as const satisfies Record<string, ErrorCatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;
export type JobErrorCode = {
  [C in ErrorCode]: (typeof errorCatalog)[C] extends { ofJob: true } ? C : never;
}[ErrorCode];

export interface JobError {
  readonly code: JobErrorCode;
  readonly message: string;
  readonly retryable: boolean;
}

interface PackshotErrorOptions {
  readonly details?: Record<string, unknown>;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** The same request will not succeed later, although most errors of the code pass. */
  readonly isFinal?: boolean;
}

/** The error that crosses module boundaries. Clients see `details`, and never `cause`. */
export class PackshotError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** When the same request may succeed, as far as it is known. */
  readonly retryAfterSeconds: number | undefined;
  readonly isFinal: boolean;

  constructor(code: ErrorCode, message: string, options?: PackshotErrorOptions) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PackshotError";
    this.code = code;
    this.details = options?.details;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.isFinal = options?.isFinal ?? false;
  }
}

/** The same error, naming the field of the request that it is about. What names one already, or is no fault of the request, stays. */
export function ofField(error: unknown, field: string): unknown {
  if (!(error instanceof PackshotError) || error.details?.field !== undefined) return error;
  const { code, message, details } = error;
  const { httpStatus } = errorCatalog[code];
  if (httpStatus === null || httpStatus >= 429) return error;
  return new PackshotError(code, `"${field}": ${message}`, { cause: error, details: { ...details, field } });
}

export function isJobErrorCode(code: ErrorCode): code is JobErrorCode {
  return "ofJob" in errorCatalog[code];
}

/** The error of a failed edit, as stored on its job. An unexpected error shows the client no internals. */
export function toJobError(error: unknown): JobError {
  if (error instanceof PackshotError && isJobErrorCode(error.code)) {
    const { code, message, isFinal } = error;
    return { code, message, retryable: errorCatalog[code].retryable && !isFinal };
  }
  return { code: "internal_error", message: "The edit failed on our side; it is safe to try again.", retryable: true };
}

const nameCharactersMax = 100;

/** What a client named, for a message: a name may be as long as the body, and messages are kept and counted in thousands. */
export function clipName(name: string): string {
  return clipText(name, nameCharactersMax);
}

export function clipText(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax).toWellFormed()}…`;
}
