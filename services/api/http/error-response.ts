/** The one place where an error becomes a response: `{code, message, requestId, details?}` with the catalog's status. */
import { type ErrorCode, errorCatalog, PackshotError } from "@packshot/domain/errors.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import type { ApiResponse } from "./call.ts";

interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly requestId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Names of the errors that the log's client throws while no server responds, or none that accepts writes. */
const unreachableErrors = new Set([
  "LogUnreachable",
  "TimeoutError",
  "NoRespondersError",
  "RequestError",
  "ConnectionError",
  "ClosedConnectionError",
  "DrainingConnectionError",
  "LogOutcomeUnknown",
  "LogRefused",
]);

/** Anything that is not a PackshotError is an error on our side: the client learns nothing of its internals. */
export function toPackshotError(error: unknown): PackshotError {
  if (error instanceof PackshotError) return error;
  if (error instanceof URIError) return new PackshotError("invalid_request", "The path is not valid percent-encoding.");
  if (error instanceof Error && unreachableErrors.has(error.name)) {
    return new PackshotError("unavailable", "The service cannot reach its log; try again.", { cause: error });
  }
  const part = toInfrastructureFault(error)?.part;
  if (part === "storage" || part === "memory") {
    return new PackshotError("unavailable", "The service cannot store the image right now; try again.", {
      cause: error,
    });
  }
  return new PackshotError("internal_error", "An error occurred on our side; it is safe to try again.", {
    cause: error,
  });
}

export function errorResponse(error: PackshotError, requestId: string): ApiResponse {
  const body: ErrorBody = {
    code: error.code,
    message: error.message,
    requestId,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
  return { status: errorCatalog[error.code].httpStatus ?? 500, body, headers: headersOf(error) };
}

function headersOf(error: PackshotError): Record<string, string> {
  if (error.code === "unauthenticated") return { "WWW-Authenticate": 'Bearer realm="packshot"' };
  if (error.retryAfterSeconds !== undefined) return { "Retry-After": String(error.retryAfterSeconds) };
  if (error.code === "unavailable" || error.code === "queue_full") return { "Retry-After": "5" };
  return {};
}
