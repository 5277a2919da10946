/** Runs one request to its response, whatever happens: a result, an error in the one shape that all errors have. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorCode, errorCatalog, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import type { ApiResponse } from "./call.ts";
import { drainBody } from "./request-body.ts";

export interface RespondDeps {
  readonly onResponse?: (operationId: string, status: number, durationMs: number) => void;
  readonly logger: Logger;
}

/** `handle` returns "sent" when it wrote the response itself. */
export async function respond(
  { logger, onResponse }: RespondDeps,
  operationId: string,
  request: IncomingMessage,
  response: ServerResponse,
  handle: () => Promise<ApiResponse | "sent">,
): Promise<void> {
  const startedAtMs = performance.now();
  const requestId = requestIdOf(response);
  try {
    const result = await handle();
    if (result !== "sent") send(response, result);
  } catch (thrown) {
    const error = toPackshotError(thrown);
    if (error.code === "internal_error" || error.code === "unavailable") {
      logger.error({ err: error.cause ?? error, requestId, operationId }, error.code);
    }
    if (response.headersSent) response.destroy();
    else send(response, errorResponse(error, requestId));
  }
  drainBody(request);
  onResponse?.(operationId, response.statusCode, performance.now() - startedAtMs);
}

/** Creates the id and its header when the request is first asked for it. */
export function requestIdOf(response: ServerResponse): string {
  const given = response.getHeader("Request-Id");
  if (typeof given === "string") return given;
  const requestId = uuidv7();
  response.setHeader("Request-Id", requestId);
  return requestId;
}

function send(response: ServerResponse, { status, body, headers }: ApiResponse): void {
  if (response.destroyed) return;
  response.statusCode = status;
  response.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (body === undefined) {
    if (status !== 204) response.setHeader("Content-Length", "0");
    response.end();
    return;
  }
  const isText = typeof body === "string" && response.hasHeader("Content-Type");
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  if (!isText) response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", String(bytes.length));
  response.end(bytes);
}

/** The one place where an error becomes a response: `{code, message, requestId, details?}` with the catalog's status. */
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
    details: error.details,
  };
  return { status: errorCatalog[error.code].httpStatus ?? 500, body, headers: headersOf(error) };
}

function headersOf(error: PackshotError): Record<string, string> {
  if (error.code === "unauthenticated") return { "WWW-Authenticate": 'Bearer realm="packshot"' };
  if (error.retryAfterSeconds !== undefined) return { "Retry-After": String(error.retryAfterSeconds) };
  if (error.code === "unavailable" || error.code === "queue_full") return { "Retry-After": "5" };
  return {};
}
