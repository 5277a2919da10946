import type { IncomingMessage, ServerResponse } from "node:http";
import type { components } from "@packshot/sdk/generated/openapi.ts";
import type { Caller } from "../access/caller.ts";
import type { Operation } from "./contract.ts";

type DeepReadonly<T> = T extends object ? { readonly [Field in keyof T]: DeepReadonly<T[Field]> } : T;

/** The document's schemas, by name, as read-only types. */
export type Schemas = DeepReadonly<components["schemas"]>;

/** A request whose key, rate and parameters have been checked. */
export interface Call {
  readonly operation: Operation;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** A JSON body, parsed and checked; undefined for every other kind of body. */
  readonly body: unknown;
  /** Throws `unauthenticated` on an operation that needs no key. */
  readonly caller: Caller;
  /** Aborted when the client disconnects or this process stops. */
  readonly signal: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON, unless it is a string and `headers` has a Content-Type. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns "sent" when it has written the response itself (a stream). */
export type Handler = (call: Call) => Promise<ApiResponse | "sent">;
export type Handlers = Readonly<Record<string, Handler>>;

/** The absolute URL of a resource: `https://…/v1/jobs/<id>`. */
export function resourceUrl(
  publicUrl: string,
  collection: "jobs" | "uploads" | "webhooks" | "connections" | "batches",
  id: string,
): string {
  return `${publicUrl.replace(/\/$/, "")}/v1/${collection}/${id}`;
}
