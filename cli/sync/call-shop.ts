/** Requests to a shop: its rate limits are waited for, and what may pass is tried again. */
import { parseRetryAfter } from "@packshot/domain/webhooks/delivery.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { CatalogError, type RemotePhoto } from "./catalog.ts";

const triesMaxDefault = 6;
const firstPauseMs = 1_000;
const pauseMsMax = 60_000;
/** A shop that asks for a longer pause is left alone: the next run goes on. */
const askedPauseMsMax = 10 * 60_000;
const timeoutMs = 120_000;

export interface ShopRequest extends RequestInit {
  /** Repeated, it does the same: also a request whose answer was lost is tried again. */
  readonly isRepeatable: boolean;
  /** Default 6. */
  readonly triesMax?: number;
}

/** An answer of 2xx. Throws a CatalogError that names neither keys nor what the shop said. */
export async function callShop(
  url: string,
  { isRepeatable, triesMax = triesMaxDefault, ...init }: ShopRequest,
  signal: AbortSignal,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, {
      redirect: "error",
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((error: Error) => error);
    signal.throwIfAborted();
    if (answer instanceof Response && answer.ok) return answer;
    const problem = answer instanceof Response ? `answered ${answer.status}` : "does not answer";
    const mayPass = answer instanceof Response ? mayPassLater(answer.status, isRepeatable) : isRepeatable;
    const askedMs = answer instanceof Response ? askedPauseMs(answer) : 0;
    if (answer instanceof Response) await answer.body?.cancel();
    if (!mayPass || tries === triesMax || askedMs > askedPauseMsMax) {
      throw new CatalogError(`${new URL(url).host} ${problem}.`);
    }
    const backoffMs = jitteredBackoffMs(tries, { firstMs: firstPauseMs, maxMs: pauseMsMax });
    await pause(askedMs || backoffMs, signal);
  }
}

function mayPassLater(status: number, isRepeatable: boolean): boolean {
  return status === 429 || status === 503 || (isRepeatable && status >= 500);
}

function askedPauseMs({ headers }: Response): number {
  return parseRetryAfter(headers.get("retry-after") ?? undefined, Date.now()) ?? 0;
}

/** Throws a CatalogError for what is no JSON, as a page of a proxy. */
export async function readJson<T>(answer: Response): Promise<T> {
  try {
    return (await answer.json()) as T;
  } catch {
    throw new CatalogError(`${new URL(answer.url).host} answered what is no JSON.`);
  }
}

/** Keys go over TLS, and in the clear only to this machine. */
export function shopAddress(given: string): string {
  const url = URL.parse(/^https?:\/\//.test(given) ? given : `https://${given}`);
  if (url === null || url.username !== "" || url.search !== "")
    throw new CommandError(`"${given}" is no address of a shop.`);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !isHere) throw new CommandError(`the shop's address must begin with https://.`);
  return url.href.replace(/\/+$/, "");
}

export function shopSecret(name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new CommandError(`the shop's key is missing: set ${name} in the environment.`);
}

/** A photo that the shop shows to everybody: no key goes with it. */
export function shopPhoto(url: string): RemotePhoto {
  const ask = (method: string, signal: AbortSignal) =>
    callShop(url, { method, isRepeatable: true, redirect: "follow" }, signal);
  return {
    async open(signal) {
      const { body: stream, headers } = await ask("GET", signal);
      if (stream === null) throw new CatalogError("The shop's photo is empty.");
      return { stream, etag: headers.get("etag") ?? undefined };
    },
    async readEtag(signal) {
      const answer = await ask("HEAD", signal).catch((error: unknown) => {
        // Not every host answers HEAD: the photo is fetched, then.
        if (error instanceof CatalogError) return undefined;
        throw error;
      });
      return answer?.headers.get("etag") ?? undefined;
    },
  };
}

/** Shopify takes 512 letters, the mark among them. */
const altLettersMax = 400;

/** Beside the words of a result, so that a later run knows its own without the journal. */
export function marked(words: string, edition: string): string {
  return `${words.slice(0, altLettersMax)} [packshot ${edition}]`;
}

/** Undefined: the image is the shop's own. */
export function editionOf(words: string | null | undefined): string | undefined {
  return /\[packshot ([0-9a-f]{16})\]$/.exec(words ?? "")?.[1];
}
