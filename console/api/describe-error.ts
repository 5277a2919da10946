/** Errors for people: what happened, and what to do. */
import { PackshotError } from "@packshot/sdk";

export interface ErrorDescription {
  readonly title: string;
  readonly text: string;
  /** To be tried again after so long; undefined: at any time. */
  readonly waitMs?: number | undefined;
  /** For whoever looks into the server's logs. */
  readonly requestId?: string | undefined;
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Nothing answered, or something that stands before the server. */
export function isServerUnavailable(error: unknown): boolean {
  if (!(error instanceof PackshotError)) return false;
  if (error.code === "connection_failed" || error.code === "timed_out") return true;
  return error.code === "invalid_response" && gatewayStatuses.has(error.status ?? 0);
}

export function isKeyRefused(error: unknown): boolean {
  return error instanceof PackshotError && error.code === "unauthenticated";
}

const titles: Readonly<Record<string, string>> = {
  unauthenticated: "Authentication failed",
  insufficient_credits: "Out of credits",
  rate_limit_exceeded: "Too many requests",
  queue_full: "Queue full",
  scope_missing: "Permission denied",
  tool_not_available: "Tool not included in the plan",
  not_found: "Not found",
  unavailable: "Service unavailable",
  invalid_request: "Invalid request",
};

export function describeError(error: unknown): ErrorDescription {
  if (isServerUnavailable(error)) {
    return { title: "Server unreachable", text: "The console continues automatically when the server is back." };
  }
  if (!(error instanceof PackshotError)) return { title: "Something went wrong", text: textOf(error) };
  const { code, message, retryAfterMs, requestId } = error;
  return { title: titles[code] ?? "Request failed", text: message, waitMs: retryAfterMs, requestId };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** "4 seconds", "2 minutes". */
export function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 100) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
