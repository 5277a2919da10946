/**
 * The postponed deliveries of each endpoint. Each is stored in `PS_DELIVERIES` with a fallback time, so that it is due
 * again whatever happens to this process. The backlog remembers which ones there are, and promotes them (brings them
 * forward) when the endpoint can take more. Those that it does not remember, because of a restart or because there are
 * too many, are due at their fallback time.
 */
import type { DeliveryKey } from "@packshot/domain/webhooks/delivery.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

/** A delivery that nobody promotes comes back within one to two times this. */
const fallbackMs = 2 * 60_000;
/** With a long backlog the fallback is later: most unpromoted deliveries are only postponed again, so at most 20 a second. */
const fallbackMsEach = 50;
/** All endpoints together: a promotion is two writes to the queue that fresh deliveries use too. */
const promoteEveryMs = 20;
const rememberedMax = 200_000;
/** At most this many promotions of one endpoint wait to begin; more would keep other endpoints waiting. */
const promotionsAheadMax = 32;
const never = new AbortController().signal;

export interface Backlog {
  /** When a delivery that is postponed now comes back unless it is promoted. */
  fallbackAtMs(nowMs: number): number;
  /** The delivery is stored with that time. */
  add(delivery: DeliveryKey): void;
  /** The delivery has come, promoted or not. */
  remove(delivery: DeliveryKey): void;
  /** The endpoint gets no more deliveries: none of its backlog is promoted. */
  clear(webhookId: string): void;
  /** Remembered deliveries of this endpoint that no promotion was asked for yet. */
  pending(webhookId: string): number;
  /** Promotions that were asked for and have not begun. */
  asked(webhookId: string): number;
  /** Promotes up to this many, oldest first, within what may be asked for ahead; endpoints take turns in the order of their calls. */
  promote(webhookId: string, count: number, atMs: number): void;
}

export interface BacklogDeps {
  /** Brings the stored delivery forward; false when it is not postponed any more. */
  readonly promote: (delivery: DeliveryKey, atMs: number) => Promise<boolean>;
  readonly logger: Logger;
  readonly random: () => number;
}

interface Endpoint {
  readonly accountId: string;
  readonly eventIds: Set<string>;
  /** Promotions asked for and not begun. */
  promotions: number;
}

export function createBacklog({ promote, logger, random }: BacklogDeps): Backlog {
  const endpoints = new Map<string, Endpoint>();
  const promotions: { readonly webhookId: string; readonly atMs: number }[] = [];
  let remembered = 0;
  let isPromoting = false;

  function takeOldest(webhookId: string): DeliveryKey | undefined {
    const endpoint = endpoints.get(webhookId);
    const eventId = endpoint?.eventIds.values().next().value;
    if (endpoint === undefined || eventId === undefined) return undefined;
    endpoint.eventIds.delete(eventId);
    remembered -= 1;
    return { accountId: endpoint.accountId, webhookId, eventId };
  }

  async function promoteOne(webhookId: string, atMs: number): Promise<void> {
    for (let oldest = takeOldest(webhookId); oldest !== undefined; oldest = takeOldest(webhookId)) {
      if (await promote(oldest, atMs)) return;
    }
  }

  function beginPromotion(webhookId: string): void {
    const endpoint = endpoints.get(webhookId);
    if (endpoint !== undefined) endpoint.promotions -= 1;
  }

  function dropIfEmpty(webhookId: string): void {
    const endpoint = endpoints.get(webhookId);
    if (endpoint?.promotions === 0 && endpoint.eventIds.size === 0) endpoints.delete(webhookId);
  }

  async function promoteAll(): Promise<void> {
    isPromoting = true;
    for (let next = promotions.shift(); next !== undefined; next = promotions.shift()) {
      beginPromotion(next.webhookId);
      try {
        await promoteOne(next.webhookId, next.atMs);
      } catch (error) {
        logger.debug(
          { err: error, webhookId: next.webhookId },
          "delivery not promoted; it is due at its fallback time",
        );
      }
      dropIfEmpty(next.webhookId);
      await pause(promoteEveryMs, never);
    }
    isPromoting = false;
  }

  return {
    fallbackAtMs: (nowMs) => Math.ceil(nowMs + Math.max(fallbackMs, remembered * fallbackMsEach) * (1 + random())),

    add({ accountId, webhookId, eventId }) {
      const endpoint = endpoints.get(webhookId) ?? { accountId, eventIds: new Set<string>(), promotions: 0 };
      // Never more of one endpoint than there is room left: a dead endpoint must not crowd out the others.
      if (endpoint.eventIds.has(eventId) || endpoint.eventIds.size >= rememberedMax - remembered) return;
      endpoints.set(webhookId, endpoint);
      endpoint.eventIds.add(eventId);
      remembered += 1;
    },

    remove({ webhookId, eventId }) {
      if (endpoints.get(webhookId)?.eventIds.delete(eventId)) remembered -= 1;
      dropIfEmpty(webhookId);
    },

    clear(webhookId) {
      const endpoint = endpoints.get(webhookId);
      remembered -= endpoint?.eventIds.size ?? 0;
      endpoint?.eventIds.clear();
      dropIfEmpty(webhookId);
    },

    pending(webhookId) {
      const endpoint = endpoints.get(webhookId);
      return endpoint === undefined ? 0 : Math.max(0, endpoint.eventIds.size - endpoint.promotions);
    },

    asked: (webhookId) => endpoints.get(webhookId)?.promotions ?? 0,

    promote(webhookId, count, atMs) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint === undefined) return;
      const asked = Math.min(count, promotionsAheadMax - endpoint.promotions);
      endpoint.promotions += asked;
      for (let n = 0; n < asked; n++) promotions.push({ webhookId, atMs });
      if (asked > 0 && !isPromoting) void promoteAll();
    },
  };
}
