import type { Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { Counter, Gauge, Histogram } from "prom-client";
import type { DeliveryObserver } from "./deliver.ts";

export interface DeliveryMetrics extends DeliveryObserver {
  disabled(reason: "gone" | "failing"): void;
}

export function createDeliveryMetrics(
  { registry }: Metrics,
  now: { readonly inHand: () => number; readonly openCircuits: () => number },
): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: "packshot_webhook_attempts_total",
    help: "Delivery attempts by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "packshot_webhook_attempt_seconds",
    help: "From the start of an attempt to the header of its answer, or to giving up.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const postponed = new Counter({
    name: "packshot_webhook_postponed_total",
    help: "Deliveries put off without an attempt, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const disabled = new Counter({
    name: "packshot_webhook_disabled_total",
    help: "Webhooks disabled by the service, by reason.",
    labelNames: ["reason"],
    registers,
  });
  new Gauge({
    name: "packshot_webhook_in_hand",
    help: "Deliveries taken and not yet settled.",
    registers,
    collect() {
      this.set(now.inHand());
    },
  });
  new Gauge({
    name: "packshot_webhook_open_circuits",
    help: "Endpoints that are not called for now because they do not answer.",
    registers,
    collect() {
      this.set(now.openCircuits());
    },
  });
  return {
    attempted(outcome, durationMs) {
      attempts.inc({ outcome });
      seconds.observe(durationMs / 1000);
    },
    postponed: (reason) => postponed.inc({ reason }),
    disabled: (reason) => disabled.inc({ reason }),
  };
}
