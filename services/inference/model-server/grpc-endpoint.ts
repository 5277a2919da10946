/** The gRPC listener: TCP, and a Unix socket where worker and server share a pod. */
import type { Http2Server, ServerHttp2Session } from "node:http2";
import { Server, ServerCredentials, type ServiceClientConstructor } from "@grpc/grpc-js";

/** A 1024² image is 3 MiB, which takes 48 window updates with HTTP/2's 64 KiB. Measured: +55 % images/s at 1024². */
const streamWindowBytes = 8 * 1024 * 1024;
const sessionWindowBytes = 16 * 1024 * 1024;

/** 16 images of 2048² with four channels. grpc-js's default of 4 MiB would refuse two images of 1024². */
const messageBytesMax = 256 * 1024 * 1024;

/** Calls of one connection at once; further calls wait in the client. */
const callsMax = 1_024;
/** A peer whose machine is gone never closes its connection, so a connection without a reply to a ping is dropped. */
const keepaliveMs = 30_000;
const keepaliveTimeoutMs = 10_000;

export interface GrpcEndpoint {
  listen(host: string, port: number): Promise<number>;
  listenUnix(path: string): Promise<void>;
  /** Lets running calls finish for `graceMs` at most. */
  stop(graceMs: number): Promise<void>;
}

export function createGrpcEndpoint(
  services: readonly { service: ServiceClientConstructor["service"]; handlers: object }[],
): GrpcEndpoint {
  const server = new Server({
    "grpc.max_receive_message_length": messageBytesMax,
    "grpc.max_send_message_length": -1,
    "grpc.max_concurrent_streams": callsMax,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.keepalive_time_ms": keepaliveMs,
    "grpc.keepalive_timeout_ms": keepaliveTimeoutMs,
  });
  for (const { service, handlers } of services) server.addService(service, handlers as never);

  function bind(address: string): Promise<number> {
    return new Promise((resolve, reject) => {
      server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
        if (error)
          return reject(new Error(`cannot listen on ${address}: ${error.message}; choose another address or port`));
        widenWindows(server);
        resolve(port);
      });
    });
  }

  return {
    listen: (host, port) => bind(`${host.includes(":") ? `[${host}]` : host}:${port}`),
    async listenUnix(path) {
      await bind(`unix:${path}`);
    },
    stop: (graceMs) =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.forceShutdown(), graceMs);
        server.tryShutdown(() => {
          clearTimeout(force);
          resolve();
        });
      }),
  };
}

const widened = new WeakSet<object>();

/**
 * grpc-js has an option for its clients' windows but none for its server's, so this sets them on its HTTP/2 servers.
 */
function widenWindows(server: Server): void {
  const { http2Servers } = server as unknown as { http2Servers?: Map<Http2Server, unknown> };
  for (const http2Server of http2Servers?.keys() ?? []) {
    if (widened.has(http2Server)) continue;
    widened.add(http2Server);
    http2Server.on("session", (session: ServerHttp2Session) => {
      session.settings({ initialWindowSize: streamWindowBytes });
      session.setLocalWindowSize(sessionWindowBytes);
    });
  }
}
