/**
 * The model servers behind one setting. Requests are spread by what is in flight at each; a request that a server did not
 * answer goes to another one, which is safe because an inference changes nothing.
 */
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { ModelServerAccess } from "../protocol/model-server-access.ts";
import { openChannelAccess } from "./grpc-channel.ts";
import { InferenceError } from "./inference-stream.ts";
import { type AddressWatchDeps, watchAddresses } from "./server-addresses.ts";
import { leastOutstanding } from "./server-choice.ts";
import { openServerLink, type ServerLink } from "./server-link.ts";

export interface ServerPool {
  /** Whether any server is ready. */
  isReady(): boolean;
  /** Why none is, as the end of a sentence about the server; undefined while one is. */
  problem(): string | undefined;
  /** Returns a function that removes the listener. */
  onReadyChange(listener: (ready: boolean) => void): () => void;
  /**
   * Calls `ask` with one server after another until one answers, each once, and `attemptsMax` at most of those that have the model.
   * Rejects with the last InferenceError of these, and at once with one that another server would answer alike.
   */
  ask<A>(ask: (server: ServerLink) => Promise<A>, signal: AbortSignal): Promise<A>;
  counts(): Readonly<Record<ServerState, number>>;
  close(): void;
}

export type ServerState = "ready" | "not_ready" | "ejected";
/** Why a request went to another server. `failed`: the run failed. `lost`: the connection broke. */
export type RetryReason = "refused" | "failed" | "lost";

export interface ServerPoolDeps extends Omit<AddressWatchDeps, "onAddresses"> {
  /** The servers' token and certificate; open servers when absent. */
  readonly access?: ModelServerAccess | undefined;
  readonly logger?: Logger | undefined;
  readonly onRetry?: (reason: RetryReason) => void;
}

/** A photo that brings servers down must not bring all of them down. */
const attemptsMax = 3;

/**
 * Connects at once, to servers whose names appear later too, and keeps trying. Throws when a certificate cannot be read.
 */
export function createServerPool({ access: allowed, logger, onRetry = () => {}, ...deps }: ServerPoolDeps): ServerPool {
  const links = new Map<string, ServerLink>();
  const listeners = new Set<(ready: boolean) => void>();
  const access = openChannelAccess(deps.target, allowed);
  let wasReady = false;
  let choices = 0;

  const isReady = (): boolean => [...links.values()].some((link) => link.isReady());

  function notifyListeners(): void {
    const ready = isReady();
    if (ready === wasReady) return;
    wasReady = ready;
    for (const listener of listeners) listener(ready);
  }

  function setAddresses(addresses: readonly string[]): void {
    for (const address of addresses) {
      if (links.has(address)) continue;
      links.set(address, openServerLink({ address, access, onReadyChange: notifyListeners }));
      logger?.info({ modelServer: address }, "a model server is there");
    }
    for (const [address, link] of links) {
      if (addresses.includes(address)) continue;
      links.delete(address);
      link.drain();
      logger?.info({ modelServer: address }, "a model server is gone: it gets no further request");
    }
    notifyListeners();
  }

  const watch = watchAddresses({ ...deps, onAddresses: setAddresses });

  function problem(): string | undefined {
    if (isReady()) return undefined;
    const problems = [...links.values()].map((link) => link.problem());
    return watch.problem() ?? problems.find((each) => each !== undefined) ?? "has no address";
  }

  function choose(tried: ReadonlySet<ServerLink>): ServerLink | undefined {
    const candidates = [...links.values()].filter((link) => link.isReady() && !tried.has(link));
    const link = leastOutstanding(candidates);
    choices += 1;
    link?.chosen(choices);
    return link;
  }

  function noteFailure(link: ServerLink, error: InferenceError): void {
    // A refusal says nothing of the server's runs: it is full, or stops, or does not know this worker.
    if (retryReasonOf(error) === "refused") return;
    if (link.failed())
      logger?.warn({ modelServer: link.address, err: error }, "a model server fails: it gets no request for a while");
  }

  async function ask<A>(askServer: (server: ServerLink) => Promise<A>, signal: AbortSignal): Promise<A> {
    const tried = new Set<ServerLink>();
    let last = new InferenceError("UNAVAILABLE", `no model server is ready: it ${problem() ?? "is busy"}`);
    let reason: RetryReason | undefined;
    let attempts = 0;
    while (attempts < attemptsMax) {
      // Who gave up while the model was looked up would not be heard any more.
      if (signal.aborted) throw new InferenceError("CANCELLED", "cancelled");
      const link = choose(tried);
      if (link === undefined) break;
      tried.add(link);
      if (reason !== undefined) onRetry(reason);
      try {
        const answer = await askServer(link);
        link.succeeded();
        return answer;
      } catch (error) {
        if (!(error instanceof InferenceError)) throw error;
        reason = retryReasonOf(error);
        if (reason === undefined || signal.aborted) throw error;
        noteFailure(link, error);
        // Servers of other models say nothing of those that have this one.
        const isOfOthers = error.status === "NOT_FOUND";
        if (!isOfOthers) attempts += 1;
        if (!isOfOthers || attempts === 0) last = error;
      }
    }
    throw last;
  }

  return {
    isReady,
    problem,
    onReadyChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ask,
    counts() {
      const counts = { ready: 0, not_ready: 0, ejected: 0 };
      for (const link of links.values()) {
        counts[link.isReady() ? (link.isEjected ? "ejected" : "ready") : "not_ready"] += 1;
      }
      return counts;
    },
    close() {
      watch.close();
      listeners.clear();
      for (const link of links.values()) link.close();
    },
  };
}

/** undefined: another server would answer alike, or must not be asked. */
function retryReasonOf({ status, wasLost }: InferenceError): RetryReason | undefined {
  if (wasLost) return "lost";
  switch (status) {
    case "UNAVAILABLE":
    case "RESOURCE_EXHAUSTED":
    case "UNAUTHENTICATED":
    case "PERMISSION_DENIED":
    // Not every server has loaded a new model yet.
    case "NOT_FOUND":
      return "refused";
    case "INTERNAL":
    case "UNKNOWN":
      return "failed";
    default:
      return undefined;
  }
}
