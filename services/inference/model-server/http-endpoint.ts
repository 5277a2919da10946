/** Probes and metrics: `/v2/health/live` and `/v2/health/ready`, with the names of every other process, and `/metrics`. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

export interface HttpEndpoint {
  listen(host: string, port: number): Promise<number>;
  stop(): Promise<void>;
}

export function createHttpEndpoint({
  registry,
  isReady,
}: {
  registry: Registry;
  isReady: () => boolean;
}): HttpEndpoint {
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0];
    if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405, { Allow: "GET, HEAD" }).end();
    else if (path === "/v2/health/live" || path === "/livez") response.writeHead(200).end();
    else if (path === "/v2/health/ready" || path === "/readyz" || path === "/healthz")
      sendReadiness(response, isReady());
    else if (path === "/metrics")
      response.writeHead(200, { "Content-Type": registry.contentType }).end(await registry.metrics());
    else
      response
        .writeHead(404, { "Content-Type": "text/plain" })
        .end("try /v2/health/live, /v2/health/ready, /livez, /readyz or /metrics\n");
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

function sendReadiness(response: ServerResponse, isReady: boolean): void {
  const body = isReady
    ? { status: "ok" }
    : { status: "unavailable", reasons: { models: "a model is being loaded, or the server stops" } };
  response.writeHead(isReady ? 200 : 503, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
