/**
 * Several API processes that accept jobs of one account only make each other's compare-and-set fail, and with it every
 * batch that the account shares. So each account has one owner among the live processes, chosen by rendezvous hashing,
 * and the other processes forward its accepts to the owner by a NATS request. Correctness does not depend on the owner:
 * the compare-and-set stays the fence, and when the response to a forwarded accept is lost, the sender looks for the job
 * in the log before it accepts it itself.
 */
import { hash } from "node:crypto";
import { RequestError, type Subscription } from "@nats-io/transport-node";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { jobIdAttribute, traced, traceField } from "@packshot/platform/telemetry/tracing.ts";
import type { Accept, AcceptOutcome, AcceptRequest } from "./accept-request.ts";

const heartbeatSubject = "ps-api.alive";
const acceptSubject = (processId: string) => `ps-api.accept.${processId}`;
const heartbeatIntervalMs = 500;
/** A process without a heartbeat for so long owns no account. */
const heartbeatTimeoutMs = 2_000;
const forwardTimeoutMs = 4_000;

interface ForwardedAccept {
  readonly accountId: string;
  readonly request: AcceptRequest;
  /** W3C trace context of the sender. */
  readonly traceparent?: string;
}

type ForwardedOutcome =
  | { readonly outcome: AcceptOutcome }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details?: Record<string, unknown>;
      };
    };

export interface AcceptForwarder extends Component {
  /** Accepts in this process, or in the one that owns the account. */
  readonly accept: Accept;
}

export interface AcceptForwarderDeps {
  readonly log: Log;
  readonly acceptHere: Accept;
  readonly nowMs: () => number;
  readonly onForward?: () => void;
}

export function createAcceptForwarder(deps: AcceptForwarderDeps): AcceptForwarder {
  const { log, acceptHere, nowMs, onForward } = deps;
  const { connection } = log;
  const processId = uuidv7();
  /** When each of the other processes was last heard of. */
  const lastHeartbeatsMs = new Map<string, number>();
  let subscriptions: Subscription[] = [];
  let timer: NodeJS.Timeout | undefined;

  function liveProcesses(): string[] {
    const oldestMs = nowMs() - heartbeatTimeoutMs;
    return [processId, ...[...lastHeartbeatsMs].filter(([, atMs]) => atMs > oldestMs).map(([id]) => id)];
  }

  async function acceptForwarded({ accountId, request, traceparent }: ForwardedAccept): Promise<ForwardedOutcome> {
    try {
      const outcome = await traced("accept forwarded", { kind: "server", parent: traceparent }, (span) => {
        span?.setAttribute(jobIdAttribute, request.job.id);
        return acceptHere(accountId, request);
      });
      return { outcome };
    } catch (error) {
      if (!(error instanceof PackshotError)) throw error;
      const { code, message, details } = error;
      return { error: { code, message, details } };
    }
  }

  async function forward(owner: string, forwarded: ForwardedAccept): Promise<AcceptOutcome> {
    onForward?.();
    let response: ForwardedOutcome;
    try {
      const options = { timeout: forwardTimeoutMs };
      response = await traced("accept forward", { kind: "client" }, async () => {
        const request = JSON.stringify({ ...forwarded, ...traceField() });
        return (await connection.request(acceptSubject(owner), request, options)).json();
      });
    } catch (error) {
      if (error instanceof RequestError && error.isNoResponders()) lastHeartbeatsMs.delete(owner);
      // The owner is gone or slow. If it has accepted the job, the log shows it.
      return await acceptHere(forwarded.accountId, forwarded.request, { mayBeCommitted: true });
    }
    if ("outcome" in response) return response.outcome;
    const { code, message, details } = response.error;
    throw new PackshotError(code, message, details === undefined ? {} : { details });
  }

  function sendHeartbeat(): void {
    connection.publish(heartbeatSubject, processId);
  }

  function receiveHeartbeat(id: string): void {
    if (id === processId) return;
    if (!lastHeartbeatsMs.has(id)) {
      // A new process learns of this one at once, so that it does not accept for accounts that this one owns.
      sendHeartbeat();
      const oldestMs = nowMs() - heartbeatTimeoutMs;
      for (const [other, atMs] of lastHeartbeatsMs) if (atMs < oldestMs) lastHeartbeatsMs.delete(other);
    }
    lastHeartbeatsMs.set(id, nowMs());
  }

  return {
    name: "accept forwarder",
    async start() {
      subscriptions = [
        connection.subscribe(heartbeatSubject, {
          callback: (error, message) => {
            if (error === null) receiveHeartbeat(message.string());
          },
        }),
        connection.subscribe(acceptSubject(processId), {
          callback: (error, message) => {
            if (error !== null) return;
            // Without a response, the sender looks into the log and accepts by itself.
            acceptForwarded(message.json()).then(
              (response) => message.respond(JSON.stringify(response)),
              () => {},
            );
          },
        }),
      ];
      sendHeartbeat();
      timer = setInterval(sendHeartbeat, heartbeatIntervalMs);
    },

    async stop() {
      clearInterval(timer);
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      subscriptions = [];
    },

    async accept(accountId, request) {
      const owner = rendezvousOwner(liveProcesses(), accountId);
      if (owner === processId) return await acceptHere(accountId, request);
      return await forward(owner, { accountId, request });
    },
  };
}

/** The same for everyone who sees the same processes; a process that comes or goes moves only its own accounts. */
export function rendezvousOwner(processIds: readonly string[], accountId: string): string {
  const weight = (id: string) => hash("sha256", `${id} ${accountId}`);
  return processIds.reduce((best, id) => (weight(id) > weight(best) ? id : best));
}
