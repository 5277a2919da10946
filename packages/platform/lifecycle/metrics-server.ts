import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Component } from "./component.ts";

export interface MetricsServerSettings {
  readonly host: string;
  readonly port: number;
  /** A process that is not healthy should be restarted. */
  readonly healthy: () => boolean;
  /** A healthy process that is not ready does no work at present; the default: a healthy process is ready. */
  readonly ready?: () => boolean;
}

/** `GET /metrics` for Prometheus, and `GET /healthz` and `GET /readyz` for probes, on a port of their own. */
export function createMetricsServer(
  { registry }: Metrics,
  { host, port, healthy, ready = () => true }: MetricsServerSettings,
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
        } else if (request.url === "/readyz") {
          response.writeHead(healthy() && ready() ? 200 : 503).end();
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
