/** Keeps on the webhook's record how long it has been failing, and disables it after three days or a 410. */

import { isoTime } from "@packshot/domain/ids.ts";
import { isFailingTooLong } from "@packshot/domain/retry-schedule.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

/** A flapping endpoint's record is marked this often at most; a success is written whenever it changes the record. */
const markEveryMs = 60_000;
const marksMax = 10_000;

export interface EndpointHealth {
  /** `webhook` as the view has it. */
  succeeded(webhook: Webhook): Promise<void>;
  failed(webhook: Webhook): Promise<"enabled" | "disabled">;
  gone(webhook: Webhook): Promise<void>;
}

export interface EndpointHealthOptions {
  readonly log: Log;
  readonly logger: Logger;
  readonly clock: () => number;
  readonly onDisabled: (reason: "gone" | "failing") => void;
}

export function createEndpointHealth({ log, logger, clock, onDisabled }: EndpointHealthOptions): EndpointHealth {
  const markedAtMs = new Map<string, number>();
  /** One write per webhook at a time: a hundred failures at once are one change. */
  const writing = new Map<string, Promise<Webhook | undefined>>();

  /** `change` answers undefined to leave the record as the leader has it. */
  function write(webhook: Webhook, change: (found: Webhook) => Webhook | undefined): Promise<Webhook | undefined> {
    const busy = writing.get(webhook.id);
    if (busy !== undefined) return busy;
    const subject = subjects.webhook(webhook.accountId, webhook.id);
    const work = log
      .transact<Webhook | undefined>("webhook-health", async () => {
        const found = await log.read<Webhook>(subject);
        const changed = found.value === undefined ? undefined : change(found.value);
        if (changed === undefined) return { done: found.value };
        return { writes: [{ subject, value: changed, expected: found.sequence }], answer: changed };
      })
      .finally(() => writing.delete(webhook.id));
    writing.set(webhook.id, work);
    return work;
  }

  async function disable(webhook: Webhook, reason: "gone" | "failing"): Promise<boolean> {
    let disabledNow = false;
    const after = await write(webhook, (found) => {
      disabledNow = false;
      if (found.status.kind === "disabled") return undefined;
      if (reason === "failing" && !isFailingTooLong(found.failingSince, clock())) return undefined;
      disabledNow = true;
      return { ...found, status: { kind: "disabled", reason, at: isoTime(clock()) } };
    });
    if (disabledNow) {
      onDisabled(reason);
      logger.warn({ webhookId: webhook.id, accountId: webhook.accountId, reason }, "webhook disabled");
    }
    return after?.status.kind !== "enabled";
  }

  return {
    async succeeded(webhook) {
      if (webhook.failingSince === null) return;
      markedAtMs.delete(webhook.id);
      await write(webhook, (found) => (found.failingSince === null ? undefined : { ...found, failingSince: null }));
    },

    async failed(webhook) {
      const nowMs = clock();
      if (webhook.failingSince === null) {
        if (nowMs - (markedAtMs.get(webhook.id) ?? 0) < markEveryMs) return "enabled";
        if (markedAtMs.size >= marksMax) markedAtMs.clear();
        markedAtMs.set(webhook.id, nowMs);
        await write(webhook, (found) =>
          found.failingSince === null ? { ...found, failingSince: isoTime(nowMs) } : undefined,
        );
        return "enabled";
      }
      if (!isFailingTooLong(webhook.failingSince, nowMs)) return "enabled";
      return (await disable(webhook, "failing")) ? "disabled" : "enabled";
    },

    async gone(webhook) {
      await disable(webhook, "gone");
    },
  };
}
