/** Requests with the key, retries and timeouts. A response that is no success is thrown as a PackshotError. */
import { PackshotError } from "./packshot-error.ts";

export interface TransportSettings extends RetryLimits {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
}

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /** Limits one try, until the response has been read. */
  readonly timeoutMs?: number | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Call extends Waiting {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the API's address; a link of storage is absolute, and gets no key. */
  readonly path: string;
  readonly query?: Query;
  readonly json?: unknown;
  /** A form, or the bytes of an upload: something that can be sent again. */
  readonly body?: FormData | Blob;
  readonly headers?: Readonly<Record<string, string>>;
  /** The same for all tries, so that they have one effect. */
  readonly idempotencyKey?: string | undefined;
}

export interface Transport {
  json<T>(call: Call): Promise<T>;
  /** Once the response's head is there, only `signal` ends it. */
  stream(call: Call): Promise<Response>;
  /** For responses without a body. */
  send(call: Call): Promise<void>;
}

export function createTransport(settings: TransportSettings): Transport {
  const { baseUrl, apiKey, fetch: request } = settings;

  function init(call: Call, signal: AbortSignal): RequestInit {
    const headers = new Headers(call.headers);
    if (!isLink(call.path)) headers.set("Authorization", `Bearer ${apiKey}`);
    if (call.json !== undefined) headers.set("Content-Type", "application/json");
    if (call.idempotencyKey !== undefined) headers.set("Idempotency-Key", call.idempotencyKey);
    const body = call.json === undefined ? call.body : JSON.stringify(call.json);
    return { method: call.method, headers, signal, ...(body === undefined ? {} : { body }) };
  }

  /** `read` belongs to the try: a response that breaks off is asked for again. */
  async function tryOnce<T>(call: Call, read: (response: Response, stopTimer: () => void) => Promise<T>): Promise<T> {
    call.signal?.throwIfAborted();
    // fetch would put the whole link into its error.
    if (isLink(call.path) && !isPlainAddress(call.path))
      throw new PackshotError("invalid_response", "The service gave a link that is no address.");
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), call.timeoutMs ?? settings.timeoutMs);
    const stopTimer = () => clearTimeout(timer);
    const signal = call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]);
    try {
      const response = await request(addressOf(baseUrl, call), init(call, signal));
      if (!response.ok) throw await errorOf(response);
      return await read(response, stopTimer);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof PackshotError) throw error;
      if (timeout.signal.aborted) throw new PackshotError("timed_out", `${nameOf(call)} took too long.`);
      throw new PackshotError("connection_failed", `${nameOf(call)}: ${messageOf(error)}`, {
        cause: error,
      });
    } finally {
      stopTimer();
    }
  }

  async function perform<T>(call: Call, read: Parameters<typeof tryOnce<T>>[1]): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryOnce(call, read);
      } catch (error) {
        if (!(error instanceof PackshotError)) throw error;
        const delayMs = retryDelayMs(error, tries, isRepeatable(call), settings);
        if (delayMs === undefined) throw error;
        await pause(delayMs, call.signal);
      }
    }
  }

  return {
    json: (call) => perform(call, readJson) as Promise<never>,
    stream: (call) =>
      perform(call, async (response, stopTimer) => {
        stopTimer();
        return response;
      }),
    send: (call) => perform(call, async (response) => void (await response.arrayBuffer())),
  };
}

function isLink(path: string): boolean {
  return !path.startsWith("/");
}

function isPlainAddress(link: string): boolean {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  return url !== undefined && url.username === "" && url.password === "";
}

/** For errors, which are logged: the query of a link is its signature, by which whoever reads the log could fetch the file. */
function nameOf({ method, path }: Call): string {
  return `${method} ${path.replace(/[?#].*$/s, "")}`;
}

function isRepeatable({ method, idempotencyKey }: Call): boolean {
  return idempotencyKey !== undefined || method !== "POST";
}

function addressOf(baseUrl: string, { path, query = {} }: Call): string {
  if (isLink(path)) return path;
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return `${baseUrl}${path}${text === "" ? "" : `?${text}`}`;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PackshotError("invalid_response", "The response is not JSON.", { status: response.status, cause });
  }
}

async function errorOf(response: Response): Promise<PackshotError> {
  const { status, headers } = response;
  const text = await response.text();
  const facts = { status, retryAfterMs: parseRetryAfter(headers.get("Retry-After"), Date.now()) };
  try {
    const { code, message, requestId, details } = JSON.parse(text);
    if (typeof code === "string") return new PackshotError(code, String(message), { ...facts, requestId, details });
  } catch {
    // Not Packshot's own error: said below.
  }
  return new PackshotError("invalid_response", `Status ${status} without an error of Packshot.`, facts);
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** Entries of all pages, each page read when its first entry is asked for. A page may be empty and have a next one. */
export async function* paginate<T>(read: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T, void> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Rejects with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** When a request is tried again, and after how long: decisions over plain data. */

const firstDelayMs = 500;
const delayMsMax = 8_000;

export interface RetryLimits {
  /** Tries after the first. */
  readonly retriesMax: number;
  /** A longer `Retry-After` is not waited for: the error says it. */
  readonly retryAfterMsMax: number;
}

/** The request was refused before any work. */
const tooManyRequests = 429;
/** It may have been done or not. */
const transient: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/**
 * Milliseconds until the next try; undefined: the error is final. A request that is not repeatable (it has no idempotency
 * key and does not name what it changes) is tried again only when the service said that it did nothing.
 */
export function retryDelayMs(
  error: PackshotError,
  tries: number,
  isRepeatable: boolean,
  { retriesMax, retryAfterMsMax }: RetryLimits,
  random: () => number = Math.random,
): number | undefined {
  if (tries > retriesMax) return undefined;
  const { code, status, retryAfterMs } = error;
  const mayRepeat =
    isRepeatable && (code === "connection_failed" || code === "timed_out" || transient.has(status ?? 0));
  if (!mayRepeat && status !== tooManyRequests) return undefined;
  const backoffMs = Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1));
  const jittered = backoffMs * (0.5 + random() / 2);
  if (retryAfterMs === undefined) return jittered;
  // Clients that were refused together must not come back together.
  return retryAfterMs > retryAfterMsMax ? undefined : retryAfterMs + random() * firstDelayMs;
}

/** `Retry-After`: seconds, or a date. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
