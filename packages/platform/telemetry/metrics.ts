import { collectDefaultMetrics, Registry } from "prom-client";

export interface Metrics {
  readonly registry: Registry;
}

/**
 * How often the event loop's lag is sampled; the lag that is shown contains it. prom-client's own 10 ms woke every idle
 * process 95 times a second, each time in the way of a network that runs on the same cores.
 */
const lagSampleMs = 100;

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagSampleMs });
  return { registry };
}
