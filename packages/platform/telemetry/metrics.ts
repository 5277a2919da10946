import { collectDefaultMetrics, Registry } from "prom-client";

export interface Metrics {
  readonly registry: Registry;
}

/**
 * How often the event loop's lag is sampled; the reported lag includes it. prom-client's default of 10 ms woke every
 * idle process 95 times a second, which slowed down inference on the same cores.
 */
const lagSampleMs = 100;

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagSampleMs });
  return { registry };
}
