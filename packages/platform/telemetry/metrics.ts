import { collectDefaultMetrics, Registry } from "prom-client";

export interface Metrics {
  readonly registry: Registry;
}

/**
 * How often the event loop's lag is sampled; the reported lag includes it. prom-client's default of 10 ms woke every
 * idle process 95 times a second, which slowed down inference on the same cores.
 */
const lagSampleMs = 100;
/** Gauges that prom-client names like counters. Each is also the sum of another one by type. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagSampleMs });
  for (const name of misnamed) registry.removeSingleMetric(name);
  return { registry };
}
