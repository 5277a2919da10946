/** The probes and `/metrics`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProbeAnswer } from "@packshot/platform/lifecycle/readiness.ts";
import type { Registry } from "prom-client";

export interface HttpEndpoint {
  listen(host: string, port: number): Promise<number>;
  stop(): Promise<void>;
}

export function createHttpEndpoint({
  registry,
  answerProbe,
}: {
  registry: Registry;
  answerProbe: (path: string) => ProbeAnswer | undefined;
}): HttpEndpoint {
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const probed = answerProbe(path);
    if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405, { Allow: "GET, HEAD" }).end();
    else if (probed !== undefined)
      response.writeHead(probed.status, { "Content-Type": "application/json" }).end(JSON.stringify(probed.body));
    else if (path === "/metrics")
      response.writeHead(200, { "Content-Type": registry.contentType }).end(await registry.metrics());
    else
      response
        .writeHead(404, { "Content-Type": "text/plain" })
        .end("try /v2/health/live, /v2/health/ready, /health/live, /health/started, /health/ready or /metrics\n");
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", (error) =>
          reject(new Error(`cannot listen on ${host}:${port}: ${error.message}; choose another port`)),
        );
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
