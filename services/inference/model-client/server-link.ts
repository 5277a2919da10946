/**
 * The link to one address: a connection that is replaced before it ends. A server with an age limit for connections
 * announces the end of one; what is in flight there is still answered, and its stream still takes requests, until the next
 * connection is ready.
 */
import type { InferRequest, InferResponse } from "./inference-stream.ts";
import { afterFailure, type FailureRecord, noFailures, type ServerLoad } from "./server-choice.ts";
import {
  type CallOptions,
  connectServer,
  type ServerConnection,
  type ServerConnectionDeps,
} from "./server-connection.ts";

export interface ServerLink extends ServerLoad {
  readonly address: string;
  isReady(): boolean;
  problem(): string | undefined;
  readonly inferMethod: ServerConnection["inferMethod"];
  infer(message: InferRequest, options: CallOptions): Promise<InferResponse>;
  call<A>(method: string, message: object, deadlineAtMs: number): Promise<A>;
  /** `order` is the number of the choice. */
  chosen(order: number): void;
  succeeded(): void;
  /** Returns whether the failure has ejected the server. */
  failed(): boolean;
  /** Closes once what is in flight has its answers. */
  drain(): void;
  close(): void;
}

export type ServerLinkDeps = Omit<ServerConnectionDeps, "onLeft">;

export function openServerLink({ onReadyChange, ...deps }: ServerLinkDeps): ServerLink {
  let current = connect();
  let next: ServerConnection | undefined;
  let failures: FailureRecord = noFailures;
  let inFlight = 0;
  let chosenAt = 0;

  function connect(): ServerConnection {
    const connection: ServerConnection = connectServer({
      ...deps,
      onReadyChange: () => {
        takeNext();
        onReadyChange();
      },
      onLeft: () => {
        // One that breaks before it is ready connects again by itself, with growing waits.
        if (connection === current && next === undefined && current.isReady()) next = connect();
      },
    });
    return connection;
  }

  function takeNext(): void {
    if (next === undefined || (current.isReady() && !next.isReady())) return;
    const left = current;
    current = next;
    next = undefined;
    left.retire();
  }

  return {
    address: deps.address,
    get inFlight() {
      return inFlight;
    },
    get chosenAt() {
      return chosenAt;
    },
    get isEjected() {
      return Date.now() < failures.ejectedUntilMs;
    },
    get inferMethod() {
      return current.inferMethod;
    },
    isReady: () => current.isReady(),
    problem: () => current.problem(),
    async infer(message, options) {
      inFlight += 1;
      try {
        return await current.infer(message, options);
      } finally {
        inFlight -= 1;
      }
    },
    call: (method, message, deadlineAtMs) => current.call(method, message, deadlineAtMs),
    chosen(order) {
      chosenAt = order;
    },
    succeeded() {
      failures = noFailures;
    },
    failed() {
      const { ejections } = failures;
      failures = afterFailure(failures, Date.now());
      return failures.ejections > ejections;
    },
    drain() {
      next?.close();
      current.retire();
    },
    close() {
      next?.close();
      current.close();
    },
  };
}
