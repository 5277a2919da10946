/** How many deliveries are due and not taken. Every webhook process asks and reports the same number. */
import { streams } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { readConsumerBacklog } from "@packshot/log/nats/jetstream-request.ts";
import { deliveriesConsumerName } from "@packshot/log/nats/streams.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createSampler } from "@packshot/platform/lifecycle/periodic-check.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { Gauge, type Registry } from "prom-client";

export interface DeliveryWatchDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly registry: Registry;
}

const everyMs = 5_000;

export function createDeliveryWatch({ log, logger, registry }: DeliveryWatchDeps): Component {
  const due = new Gauge({
    name: "packshot_webhook_due_deliveries",
    help: "Deliveries that are due and that no process has taken. Every webhook process reports all of them.",
    registers: [registry],
  });
  return createSampler({
    name: "delivery watch",
    everyMs,
    logger,
    async sample() {
      due.set((await readConsumerBacklog(log.connection, streams.deliveries, deliveriesConsumerName)).pending);
    },
    forget: () => due.remove(),
  });
}
