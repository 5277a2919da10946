import type { Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { Counter, Gauge, Histogram } from "prom-client";
import type { DeliveryObserver } from "./delivery-queue.ts";

export interface DeliveryMetrics extends DeliveryObserver {
  disabled(reason: "gone" | "failing"): void;
}

export function createDeliveryMetrics(
  { registry }: Metrics,
  current: { readonly inFlight: () => number; readonly circuits: () => Readonly<Record<"open" | "half-open", number>> },
): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: "packshot_webhook_attempts_total",
    help: "Delivery attempts, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "packshot_webhook_attempt_duration_seconds",
    help: "Time from the start of an attempt to the header of the answer, or to the timeout.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const postponed = new Counter({
    name: "packshot_webhook_postponed_total",
    help: "Deliveries postponed without an attempt, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const disabled = new Counter({
    name: "packshot_webhook_disabled_total",
    help: "Webhooks that the service disabled, by reason.",
    labelNames: ["reason"],
    registers,
  });
  new Gauge({
    name: "packshot_webhook_deliveries_in_flight",
    help: "Deliveries taken from the queue and not finished yet.",
    registers,
    collect() {
      this.set(current.inFlight());
    },
  });
  new Gauge({
    name: "packshot_webhook_circuits",
    help: "Endpoints whose circuit is open (nothing is sent to them) or half-open (one probe is).",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, count] of Object.entries(current.circuits())) this.set({ state }, count);
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
