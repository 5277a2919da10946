/** A receiver of webhooks on loopback that records its requests. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Certificate } from "../servers/certificates.ts";

export interface Received {
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** `webhook-id`. */
  readonly id: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The path of each request, as they came. */
  readonly paths: () => readonly string[];
  /** Number of connections that were opened so far. */
  readonly connections: () => number;
  /** Resolves when `condition` holds; it is checked after each request. */
  until(condition: (received: readonly Received[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Answers a request, or fails to in some way. */
export type Respond = (request: IncomingMessage, response: ServerResponse, received: Received, count: number) => void;

export const respond204: Respond = (_request, response) => void response.writeHead(204).end();

/** With a certificate it speaks TLS, as `localhost`. */
export async function startReceiver(respond: Respond = respond204, certificate?: Certificate): Promise<Receiver> {
  const received: Received[] = [];
  const paths: string[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  let look = () => {};
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const atMs = Date.now();
    const chunks: Buffer[] = [];
    request.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", () => {});
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const entry = { atMs, headers: request.headers, body, id: String(request.headers["webhook-id"]) };
      received.push(entry);
      paths.push(request.url!);
      respond(request, response, entry, received.length);
      look();
    });
  };
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: certificate === undefined ? `http://127.0.0.1:${port}/hook` : `https://localhost:${port}/hook`,
    received,
    paths: () => paths,
    connections: () => opened,
    until(condition) {
      return new Promise((resolve) => {
        const before = look;
        look = () => {
          before();
          if (condition(received)) resolve();
        };
        look();
      });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
