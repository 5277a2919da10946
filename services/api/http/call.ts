import type { IncomingMessage, ServerResponse } from "node:http";
import type { Account } from "@packshot/domain/account.ts";
import type { ApiKey } from "@packshot/domain/api-key.ts";
import type { Operation } from "./contract.ts";

/** Who calls: the key and, as far as a cache may know it, its account. */
export interface Caller {
  readonly key: ApiKey;
  readonly account: Account;
}

/** One request after its key, its rate and its parameters have been checked. */
export interface Call {
  readonly operation: Operation;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of a JSON body; undefined otherwise. */
  readonly body: unknown;
  /** Throws `unauthenticated` on an operation that needs no key. */
  readonly caller: Caller;
  /** Aborted when the client has gone, or this process must: whoever waits stops waiting. */
  readonly signal: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON, unless it is text with a Content-Type of its own. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** "sent": the handler wrote the response itself (a stream). */
export type Handler = (call: Call) => Promise<ApiResponse | "sent">;
export type Handlers = Readonly<Record<string, Handler>>;
