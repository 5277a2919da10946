/** The gRPC listener: TCP, and a Unix socket where worker and server share a pod. */

import { hash, timingSafeEqual } from "node:crypto";
import type { Http2Server, ServerHttp2Session } from "node:http2";
import {
  experimental,
  ResponderBuilder,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type CertificateFiles, watchCertificateFiles } from "../protocol/certificate-files.ts";
import type { ModelRegistry } from "./model-registry.ts";

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

/**
 * For calls and streams of a connection that has reached its age. Workers change to another connection at once; a stream of
 * another client is cut off after this.
 */
const connectionAgeGraceMs = 60_000;

export interface GrpcEndpoint {
  listen(host: string, port: number): Promise<number>;
  listenUnix(path: string): Promise<void>;
  /** Lets running calls finish for `graceMs` at most. */
  stop(graceMs: number): Promise<void>;
}

export interface GrpcEndpointDeps {
  readonly services: readonly { readonly service: ServiceClientConstructor["service"]; readonly handlers: object }[];
  readonly interceptors: readonly ServerInterceptor[];
  /** undefined: no TLS. With a CA, each client must show a certificate of it. */
  readonly certificates: CertificateFiles | undefined;
  /** After so long, give or take a tenth, a connection takes no further call; 0: never. */
  readonly connectionAgeMs: number;
  readonly logger: Logger;
}

export function createGrpcEndpoint(deps: GrpcEndpointDeps): GrpcEndpoint {
  const { services, interceptors, certificates, connectionAgeMs, logger } = deps;
  const server = new Server({
    interceptors: [...interceptors],
    "grpc.max_receive_message_length": messageBytesMax,
    "grpc.max_send_message_length": -1,
    "grpc.max_concurrent_streams": callsMax,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.keepalive_time_ms": keepaliveMs,
    "grpc.keepalive_timeout_ms": keepaliveTimeoutMs,
    ...(connectionAgeMs > 0 && {
      "grpc.max_connection_age_ms": connectionAgeMs,
      "grpc.max_connection_age_grace_ms": connectionAgeGraceMs,
    }),
  });
  for (const { service, handlers } of services) server.addService(service, handlers as never);

  function bind(address: string, credentials: ServerCredentials): Promise<number> {
    return new Promise((resolve, reject) => {
      server.bindAsync(address, credentials, (error, port) => {
        if (error)
          return reject(new Error(`cannot listen on ${address}: ${error.message}; choose another address or port`));
        widenWindows(server);
        resolve(port);
      });
    });
  }

  return {
    listen: (host, port) =>
      bind(`${host.includes(":") ? `[${host}]` : host}:${port}`, serverCredentials(certificates, logger)),
    async listenUnix(path) {
      // What passes through it stays on this machine.
      await bind(`unix:${path}`, ServerCredentials.createInsecure());
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

function serverCredentials(certificates: CertificateFiles | undefined, logger: Logger): ServerCredentials {
  if (certificates === undefined) return ServerCredentials.createInsecure();
  if (certificates.certFile === undefined)
    throw new Error("a model server with TLS needs PACKSHOT_MODEL_SERVER_TLS_CERT_FILE and its key");
  const provider = watchCertificateFiles(certificates, (problem) =>
    logger.error({ problem }, "the certificates stay as they were"),
  );
  const asksClients = certificates.caFile !== undefined;
  // grpc-js 1.14 takes the own certificate first, though its types call that one the CA.
  return experimental.createCertificateProviderServerCredentials(provider, asksClients ? provider : null, asksClients);
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

/** `grpc.health.v1`: the empty service name means the server; a model's name means that model. */
interface Request {
  readonly service: string;
}
type ServingStatus = "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";
interface Response {
  readonly status: ServingStatus;
}

const ownServices = ["", "inference.GRPCInferenceService"];

export function createHealthService(registry: ModelRegistry) {
  function statusOf(service: string): ServingStatus {
    if (ownServices.includes(service)) return registry.isReady() ? "SERVING" : "NOT_SERVING";
    if (!registry.index().some(({ name }) => name === service)) return "SERVICE_UNKNOWN";
    return registry.serves(service) ? "SERVING" : "NOT_SERVING";
  }

  const watchers = new Map<ServerWritableStream<Request, Response>, () => void>();
  registry.onChange(() => {
    for (const notify of watchers.values()) notify();
  });

  const handlers = {
    Check(call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void {
      const found = statusOf(call.request.service);
      if (found === "SERVICE_UNKNOWN")
        callback({ code: status.NOT_FOUND, details: `unknown service '${call.request.service}'` });
      else callback(null, { status: found });
    },
    Watch(call: ServerWritableStream<Request, Response>): void {
      let last: ServingStatus | null = null;
      const notify = (): void => {
        const now = statusOf(call.request.service);
        if (now !== last) call.write({ status: now });
        last = now;
      };
      const end = (): void => void watchers.delete(call);
      watchers.set(call, notify);
      call.on("cancelled", end);
      call.on("error", end);
      call.on("close", end);
      notify();
    },
  };
  return {
    handlers,
    endStreams() {
      for (const call of watchers.keys()) call.end();
    },
  };
}

/** Refuses calls without one of the server's bearer tokens. Probes need none: whether a server lives is no secret. */

/** Kubernetes and load balancers ask them. */
const openMethods = [
  "/grpc.health.v1.Health/",
  "/inference.GRPCInferenceService/ServerLive",
  "/inference.GRPCInferenceService/ServerReady",
];

/** @param tokens asked at each call; none: every call is accepted */
export function requireToken(tokens: () => readonly string[]): ServerInterceptor {
  return ({ path }, call) => {
    if (openMethods.some((open) => path.startsWith(open))) return new ServerInterceptingCall(call);
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const refusal = refusalOf(metadata.get("authorization")[0], tokens());
        // Not passed on: nothing of the request is read.
        if (refusal !== undefined) call.sendStatus({ code: status.UNAUTHENTICATED, details: refusal });
        else next(metadata);
      })
      .build();
    const responder = new ResponderBuilder().withStart((next) => next(listener)).build();
    return new ServerInterceptingCall(call, responder);
  };
}

function refusalOf(header: string | Buffer | undefined, tokens: readonly string[]): string | undefined {
  if (tokens.length === 0) return undefined;
  const given = /^Bearer +(\S+)$/i.exec(String(header ?? ""))?.[1];
  if (given === undefined)
    return 'this model server wants a token: send the metadata "authorization: Bearer …" (PACKSHOT_MODEL_SERVER_TOKEN)';
  // All are compared, each in constant time, so that the time tells nothing of any.
  const isKnown = tokens.map((token) => isEqual(given, token)).includes(true);
  return isKnown ? undefined : "the token is none of this model server's (PACKSHOT_MODEL_SERVER_TOKEN)";
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}
