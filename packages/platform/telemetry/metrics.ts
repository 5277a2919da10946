import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Component } from "../lifecycle/run.ts";

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

/** `GET /metrics` for Prometheus and `GET /healthz` for probes, on a port of their own. */
export function serveMetrics(
  { registry }: Metrics,
  { host, port, healthy }: { host: string; port: number; healthy: () => boolean },
): Component & { address(): string } {
  let server: Server | undefined;
  return {
    name: "metrics",
    address() {
      const { port: bound } = server!.address() as AddressInfo;
      return `${host}:${bound}`;
    },
    async start() {
      server = createServer(async (request, response) => {
        if (request.url === "/metrics") {
          response.setHeader("Content-Type", registry.contentType).end(await registry.metrics());
        } else if (request.url === "/healthz") {
          response.writeHead(healthy() ? 200 : 503).end();
        } else {
          response.writeHead(404).end();
        }
      });
      server.listen(port, host);
      await new Promise<void>((resolve, reject) => server!.once("listening", resolve).once("error", reject));
    },
    async stop() {
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    },
  };
}
