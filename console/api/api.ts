/** The API as the pages use it: the SDK, and requests that it has no method for. The key travels in a header only. */
import { Packshot } from "@packshot/sdk";
import { createTransport, type Transport } from "@packshot/sdk/transport.ts";

export interface Api extends Pick<Transport, "json" | "send" | "stream"> {
  readonly packshot: Packshot;
}

const requestTimeoutMs = 30_000;

/** Nothing is tried again here: the pages say what happened, and how long to wait. */
const patience = { timeoutMs: requestTimeoutMs, retriesMax: 0, retryAfterMsMax: 0 } as const;

export function createApi(apiKey: string, baseUrl: string = window.location.origin): Api {
  const request: typeof fetch = (...given) => fetch(...given);
  const { json, send, stream } = createTransport({ baseUrl, apiKey, fetch: request, ...patience });
  return { packshot: new Packshot({ baseUrl, apiKey, ...patience }), json, send, stream };
}

/** All entries of a list that pages go through; for lists that a plan keeps short. */
export async function listAll<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

/**
 * A signed link as the page can read it. Links lead to the service's public address, which may be another name of the
 * server that this page came from; files of its own are read from here then, so that no other origin is involved.
 */
export function linkHere(link: string, { statusUrl }: { readonly statusUrl: string }): string {
  const publicUrl = statusUrl.slice(0, statusUrl.lastIndexOf("/v1/"));
  return link.startsWith(`${publicUrl}/storage/`) ? link.slice(publicUrl.length) : link;
}

/** An id of 128 random bits. Pages that came over plain HTTP from another machine have no `crypto.randomUUID`. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
