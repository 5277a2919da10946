/** Runs one request to its response, whatever happens: a result, an error in the one shape that all errors have. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { ApiResponse } from "./call.ts";
import { errorResponse, toPackshotError } from "./error-response.ts";
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
