import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Component } from "./component.ts";
import type { Readiness } from "./readiness.ts";
import { answerProbe } from "./readiness.ts";

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

/** `GET /metrics` for Prometheus, and the probes, on a port of their own. */
export function createMetricsServer(
  { registry }: Metrics,
  { host, port, readiness }: MetricsServerSettings,
): MetricsServer {
  let server: Server | undefined;

  async function respond(path: string, response: ServerResponse): Promise<void> {
    if (path === "/metrics") {
      response.setHeader("Content-Type", registry.contentType).end(await registry.metrics());
      return;
    }
    const answer = answerProbe(path, readiness);
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(answer.status, { "Content-Type": "application/json" }).end(JSON.stringify(answer.body));
  }

  return {
    name: "metrics",
    address() {
      const { port: bound } = server!.address() as AddressInfo;
      return `${host}:${bound}`;
    },
    async start() {
      if (server !== undefined) return;
      server = createServer((request, response) => void respond(request.url ?? "", response));
      server.listen(port, host);
      await new Promise<void>((resolve, reject) => server!.once("listening", resolve).once("error", reject));
    },
    async stop() {
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    },
  };
}
