/** Errors in the words of the console: what happened, and what to do. */
import { PackshotError } from "@packshot/sdk";

export interface ErrorWords {
  readonly title: string;
  readonly text: string;
  /** To be tried again after so long; undefined: at any time. */
  readonly waitMs?: number | undefined;
  /** For whoever looks into the server's logs. */
  readonly requestId?: string | undefined;
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Nothing answered, or something that stands before the server. */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof PackshotError)) return false;
  if (error.code === "connection_failed" || error.code === "timed_out") return true;
  return error.code === "invalid_response" && gatewayStatuses.has(error.status ?? 0);
}

export function isKeyRefused(error: unknown): boolean {
  return error instanceof PackshotError && error.code === "unauthenticated";
}

const titles: Readonly<Record<string, string>> = {
  unauthenticated: "This key does not work",
  insufficient_credits: "Credits are used up",
  rate_limit_exceeded: "Too many requests",
  queue_full: "Too many photos wait",
  scope_missing: "This key may not do that",
  tool_not_available: "The plan has no such tool",
  not_found: "It is not there",
  unavailable: "The server is not ready",
  invalid_request: "Something in the request is wrong",
};

export function errorWords(error: unknown): ErrorWords {
  if (isServerAway(error)) {
    return { title: "The server is away", text: "The console goes on by itself when the server is back." };
  }
  if (!(error instanceof PackshotError)) return { title: "Something failed in this page", text: textOf(error) };
  const { code, message, retryAfterMs, requestId } = error;
  return { title: titles[code] ?? "It did not work", text: message, waitMs: retryAfterMs, requestId };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** "4 seconds", "2 minutes". */
export function waitWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 100) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
