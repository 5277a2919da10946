/** Keeps on the webhook's record since when it has been failing, and disables it after three days or a 410. */
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { isFailingTooLong } from "@packshot/domain/webhooks/delivery.ts";
import { eventWrite } from "@packshot/domain/webhooks/event.ts";
import { type Webhook, webhookDisabledEvent, webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { createSingleFlight } from "@packshot/platform/flow/single-flight.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

/** A flapping endpoint's record gets a new `failingSince` this often at most; a success is written at once. */
const markEveryMs = 60_000;
const marksMax = 10_000;

export interface EndpointHealth {
  /** Each takes the webhook as the view has it, and writes only what changes the record. */
  succeeded(webhook: Webhook): Promise<void>;
  failed(webhook: Webhook): Promise<"enabled" | "disabled">;
  gone(webhook: Webhook): Promise<void>;
}

export interface EndpointHealthDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly nowMs: () => number;
  readonly onDisabled: (reason: "gone" | "failing") => void;
}

export function createEndpointHealth({ log, logger, nowMs, onDisabled }: EndpointHealthDeps): EndpointHealth {
  const markedAtMs = new Map<string, number>();
  /** One write per webhook at a time: a hundred failures at once make one change. */
  const writes = createSingleFlight<Webhook | undefined>();

  /** `change` returns undefined to leave the record as it is. */
  function write(webhook: Webhook, change: (found: Webhook) => Webhook | undefined): Promise<Webhook | undefined> {
    const subject = subjects.webhook(webhook.accountId, webhook.id);
    return writes.run(webhook.id, () =>
      log.transact<Webhook | undefined>("webhook-health", async () => {
        const found = await log.read<Webhook>(subject);
        const changed = found.value === undefined ? undefined : change(found.value);
        if (changed === undefined) return { done: found.value };
        return {
          writes: [...webhookWrites(changed, changed, found.sequence), ...told(found.value, changed)],
          result: changed,
        };
      }),
    );
  }

  /** The account's other webhooks are told of one that the service disables. */
  function told(before: Webhook | undefined, changed: Webhook): Write[] {
    const { status } = changed;
    // A test of a disabled one also changes its record.
    if (before?.status.kind !== "enabled") return [];
    if (status.kind !== "disabled" || (status.reason !== "gone" && status.reason !== "failing")) return [];
    return [eventWrite(webhookDisabledEvent(changed, status.reason, { eventId: uuidv7(nowMs()), at: status.at }))];
  }

  async function disable(webhook: Webhook, reason: "gone" | "failing"): Promise<boolean> {
    let isNewlyDisabled = false;
    const after = await write(webhook, (found) => {
      isNewlyDisabled = false;
      if (found.status.kind === "disabled") return undefined;
      if (reason === "failing" && !isFailingTooLong(found.failingSince, nowMs())) return undefined;
      isNewlyDisabled = true;
      return { ...found, status: { kind: "disabled", reason, at: isoTime(nowMs()) } };
    });
    if (isNewlyDisabled) {
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
      const failedAtMs = nowMs();
      if (webhook.failingSince === null) {
        if (failedAtMs - (markedAtMs.get(webhook.id) ?? 0) < markEveryMs) return "enabled";
        if (markedAtMs.size >= marksMax) markedAtMs.clear();
        markedAtMs.set(webhook.id, failedAtMs);
        await write(webhook, (found) =>
          found.failingSince === null ? { ...found, failingSince: isoTime(failedAtMs) } : undefined,
        );
        return "enabled";
      }
      if (!isFailingTooLong(webhook.failingSince, failedAtMs)) return "enabled";
      return (await disable(webhook, "failing")) ? "disabled" : "enabled";
    },

    async gone(webhook) {
      await disable(webhook, "gone");
    },
  };
}
