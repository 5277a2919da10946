/**
 * Deliveries that wait for their endpoint, not for their time. Each lies in `PS_DELIVERIES` with a late time of its own,
 * so nobody holds it and it comes back whatever happens here; this remembers which there are, and brings them forward
 * when the endpoint has room. What it forgets (a restart, too many) comes at that late time.
 */
import type { DeliveryKey } from "@packshot/domain/delivery.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

/** One that nobody calls comes back within one to two times this. */
const returnMs = 2 * 60_000;
/** A long backlog comes back later: what comes uncalled mostly comes in vain, and no more than 20/s may. */
const returnMsEach = 50;
/** All endpoints together: a call is two writes to the queue, which fresh deliveries go through too. */
const callEveryMs = 20;
const rememberedMax = 200_000;
const never = new AbortController().signal;

export interface Backlog {
  /** When a delivery that is postponed now comes back uncalled. */
  returnAtMs(nowMs: number): number;
  /** It is stored with that time. */
  add(delivery: DeliveryKey): void;
  /** It has come, called or not. */
  remove(delivery: DeliveryKey): void;
  /** Of an endpoint that gets nothing any more, nothing need be called. */
  forget(webhookId: string): void;
  /** Remembered of this endpoint, and not called yet. */
  waiting(webhookId: string): number;
  /** Calls so many, in the order in which they were added, endpoints in the order of their calls. */
  call(webhookId: string, count: number, atMs: number): void;
}

export interface BacklogOptions {
  /** Brings the stored delivery forward; false when it does not wait any more. */
  readonly call: (delivery: DeliveryKey, atMs: number) => Promise<boolean>;
  readonly logger: Logger;
  readonly random: () => number;
}

interface Endpoint {
  readonly accountId: string;
  readonly eventIds: Set<string>;
  called: number;
}

export function createBacklog({ call, logger, random }: BacklogOptions): Backlog {
  const endpoints = new Map<string, Endpoint>();
  const calls: { readonly webhookId: string; readonly atMs: number }[] = [];
  let remembered = 0;
  let isCalling = false;

  function takeFirst(webhookId: string): DeliveryKey | undefined {
    const endpoint = endpoints.get(webhookId);
    const eventId = endpoint?.eventIds.values().next().value;
    if (endpoint === undefined || eventId === undefined) return undefined;
    endpoint.eventIds.delete(eventId);
    remembered -= 1;
    return { accountId: endpoint.accountId, webhookId, eventId };
  }

  async function callOne(webhookId: string, atMs: number): Promise<void> {
    for (let found = takeFirst(webhookId); found !== undefined; found = takeFirst(webhookId)) {
      if (await call(found, atMs)) return;
    }
  }

  function beginCall(webhookId: string): void {
    const endpoint = endpoints.get(webhookId);
    if (endpoint !== undefined) endpoint.called -= 1;
  }

  function forgetIdle(webhookId: string): void {
    const endpoint = endpoints.get(webhookId);
    if (endpoint?.called === 0 && endpoint.eventIds.size === 0) endpoints.delete(webhookId);
  }

  async function callAll(): Promise<void> {
    isCalling = true;
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) {
      beginCall(next.webhookId);
      try {
        await callOne(next.webhookId, next.atMs);
      } catch (error) {
        logger.debug({ err: error, webhookId: next.webhookId }, "not called; it comes by itself");
      }
      forgetIdle(next.webhookId);
      await pause(callEveryMs, never);
    }
    isCalling = false;
  }

  return {
    returnAtMs: (nowMs) => Math.ceil(nowMs + Math.max(returnMs, remembered * returnMsEach) * (1 + random())),

    add({ accountId, webhookId, eventId }) {
      const endpoint = endpoints.get(webhookId) ?? { accountId, eventIds: new Set<string>(), called: 0 };
      // No more of one endpoint than would still find room: a dead one must not crowd out the others.
      if (endpoint.eventIds.has(eventId) || endpoint.eventIds.size >= rememberedMax - remembered) return;
      endpoints.set(webhookId, endpoint);
      endpoint.eventIds.add(eventId);
      remembered += 1;
    },

    remove({ webhookId, eventId }) {
      if (endpoints.get(webhookId)?.eventIds.delete(eventId)) remembered -= 1;
      forgetIdle(webhookId);
    },

    forget(webhookId) {
      const endpoint = endpoints.get(webhookId);
      remembered -= endpoint?.eventIds.size ?? 0;
      endpoint?.eventIds.clear();
      forgetIdle(webhookId);
    },

    waiting(webhookId) {
      const endpoint = endpoints.get(webhookId);
      return endpoint === undefined ? 0 : Math.max(0, endpoint.eventIds.size - endpoint.called);
    },

    call(webhookId, count, atMs) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint === undefined) return;
      endpoint.called += count;
      for (let n = 0; n < count; n++) calls.push({ webhookId, atMs });
      if (count > 0 && !isCalling) void callAll();
    },
  };
}
