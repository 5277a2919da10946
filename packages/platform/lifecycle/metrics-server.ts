import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Component } from "./component.ts";
import type { Readiness } from "./readiness.ts";

export interface MetricsServerSettings {
  readonly host: string;
  readonly port: number;
  readonly readiness: Readiness;
}

export interface MetricsServer extends Component {
  /** Idempotent: a process starts it before it connects to the log, so that it answers while the log is away. */
  start(): Promise<void>;
  /** `host:port` */
  address(): string;
}

/**
 * `GET /metrics` for Prometheus, and probes, on a port of their own. `/livez`, and `/healthz` as its older name, answer as
 * long as the event loop runs. `/readyz` answers 503, with the reasons, while the process should get no work.
 */
export function createMetricsServer(
  { registry }: Metrics,
  { host, port, readiness }: MetricsServerSettings,
): MetricsServer {
  let server: Server | undefined;

  async function respond(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === "/metrics") {
      response.setHeader("Content-Type", registry.contentType).end(await registry.metrics());
    } else if (path === "/livez" || path === "/healthz") {
      sendJson(response, 200, { status: "ok" });
    } else if (path === "/readyz") {
      const reasons = readiness.reasons();
      if (Object.keys(reasons).length === 0) sendJson(response, 200, { status: "ok" });
      else sendJson(response, 503, { status: "unavailable", reasons });
    } else {
      response.writeHead(404).end();
    }
  }

  return {
    name: "metrics",
    address() {
      const { port: bound } = server!.address() as AddressInfo;
      return `${host}:${bound}`;
    },
    async start() {
      if (server !== undefined) return;
      server = createServer((request, response) => void respond(request.url, response));
      server.listen(port, host);
      await new Promise<void>((resolve, reject) => server!.once("listening", resolve).once("error", reject));
    },
    async stop() {
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
