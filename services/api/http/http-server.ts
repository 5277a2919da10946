/** The HTTP server: every operation of the contract goes through the same steps, and every error has one shape. */

import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { isTracing, runInSpan, startTrace } from "@packshot/platform/telemetry/tracing.ts";
import express from "express";
import type { ApiResponse, Handlers } from "./call.ts";
import type { Contract, Operation } from "./contract.ts";
import { accessOf, type CrossOrigin, createCrossOrigin } from "./cross-origin.ts";
import { handleOperation, type OperationDeps, type RoutedRequest } from "./handle-operation.ts";
import type { OpenapiDocument } from "./openapi-document.ts";
import { errorResponse, type RespondDeps, respond } from "./respond.ts";

const headerBytesMax = 16 * 1024;
/** For a large file over a slow connection; JSON bodies and forms have shorter timeouts. */
const requestTimeoutMs = 900_000;
const closeIdleEveryMs = 100;

interface HttpServerDeps extends OperationDeps, RespondDeps {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Proxies in front: so many addresses at the end of X-Forwarded-For are believed. */
  readonly trustedProxies: number;
  /** This process will stop: each response asks its client to connect anew, which leads it to another process. */
  readonly isStopping?: () => boolean;
  /** How long requests may take to end after `stop`. */
  readonly finishTimeoutMs: number;
  readonly contract: Contract;
  readonly handlers: Handlers;
  /** Origins allowed by CORS; absent: none. Mounts have rules of their own. */
  readonly allowedOrigins?: readonly string[];
  /** By path: they are not part of the contract and have methods and responses of their own. */
  readonly mounts?: Readonly<Record<string, Mount>>;
  /** What pages may send to mounts and read of them beside what they may of the contract, by these documents' paths. */
  readonly mountDocuments?: readonly OpenapiDocument[];
}

/** Signed storage links, for example. `stopping` aborts when this process stops. */
export type Mount = (
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
) => Promise<ApiResponse | "sent">;

export interface HttpServer extends Component {
  /** `http://host:port`, after the start. */
  url(): string;
}

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { contract, handlers, logger } = deps;
  /** Aborts when this process stops: clients that wait for a job get its current state. */
  const stopping = new AbortController();
  const app = express();
  app.disable("x-powered-by").disable("etag").set("trust proxy", deps.trustedProxies).set("query parser", false);
  app.set("case sensitive routing", true);

  app.use((request, response, next) => {
    if (deps.isStopping?.()) response.setHeader("Connection", "close");
    // Files come from clients: no browser may take one for a page or a script, whatever its bytes look like.
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (request.headers.host !== undefined || request.httpVersion !== "1.1") return next();
    return respond(deps, "none", request, response, async () => {
      throw new PackshotError("invalid_request", "An HTTP/1.1 request needs a Host header.");
    });
  });
  const { allowedOrigins = [], mounts = {}, mountDocuments = [] } = deps;
  if (allowedOrigins.length > 0) {
    const ofContract = createCrossOrigin(allowedOrigins, accessOf(contract.document));
    const ofMounts = new Map<string, CrossOrigin>();
    for (const document of mountDocuments) {
      const access = createCrossOrigin(allowedOrigins, accessOf(contract.document, document));
      for (const path of Object.keys(document.paths)) ofMounts.set(path, access);
    }
    const isMounted = (path: string) => Object.keys(mounts).some((mount) => path.startsWith(`${mount}/`));
    app.use((request, response, next) => {
      const crossOrigin = ofMounts.get(request.path) ?? ofContract;
      if (isMounted(request.path) || !crossOrigin.allow(request, response)) return next();
      return respond(deps, "none", request, response, async () => ({ status: 204 }));
    });
  }
  for (const operation of contract.operations) {
    const handler = handlers[operation.id];
    if (handler === undefined) throw new Error(`no handler for the operation ${operation.id}`);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app[operation.method](path, (request, response) =>
      withRequestSpan(operation.path, request, response, () =>
        respond(deps, operation.id, request, response, () =>
          handleOperation(deps, operation, handler, request as RoutedRequest, response, stopping.signal),
        ),
      ),
    );
  }
  for (const [path, allowed] of methodsByPath(contract.operations)) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), (request, response) =>
      respond(deps, "none", request, response, async () => {
        response.setHeader("Allow", allowed);
        throw new PackshotError(
          "method_not_allowed",
          `${request.method} is not allowed on this path; allowed are ${allowed}.`,
        );
      }),
    );
  }
  for (const [path, mount] of Object.entries(mounts)) {
    // All but the root's has what is below its path too.
    app[path === "/" ? "all" : "use"](path, (request, response) =>
      withRequestSpan(path, request, response, () =>
        respond(deps, path, request, response, () => mount(request, response, stopping.signal)),
      ),
    );
  }
  app.use((request, response) =>
    respond(deps, "none", request, response, async () => {
      throw new PackshotError("not_found", "Path not found; /docs describes the API.");
    }),
  );
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) =>
    respond(deps, "none", request, response, async () => {
      throw error;
    }),
  );

  let server: Server | undefined;
  return {
    name: deps.name,
    url() {
      const { port } = server!.address() as AddressInfo;
      return `http://${deps.host.includes(":") ? `[${deps.host}]` : deps.host}:${port}`;
    },
    async start() {
      // Node's own responses to a missing Host and to an unknown Expect have neither body nor Request-Id.
      server = createServer(
        { maxHeaderSize: headerBytesMax, requestTimeout: requestTimeoutMs, requireHostHeader: false },
        app,
      );
      server.on("checkExpectation", app);
      server.keepAliveTimeout = 75_000;
      server.on("clientError", respondToParserError);
      server.listen(deps.port, deps.host);
      await new Promise<void>((resolve, reject) => server!.once("listening", resolve).once("error", reject));
      logger.info({ url: this.url() }, `${deps.name} listening`);
    },
    async stop() {
      if (server === undefined) return;
      stopping.abort();
      const closed = new Promise<void>((resolve) => server!.close(() => resolve()));
      // A response that began before the stop announced keep-alive, and leaves its connection idle when it ends.
      const idle = setInterval(() => server!.closeIdleConnections(), closeIdleEveryMs);
      const forced = setTimeout(() => server!.closeAllConnections(), deps.finishTimeoutMs);
      await closed;
      clearInterval(idle);
      clearTimeout(forced);
    },
  };
}

function methodsByPath(operations: readonly Operation[]): Map<string, string> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of operations) {
    const methods = byPath.get(path) ?? [];
    methods.push(method.toUpperCase());
    if (method === "get") methods.push("HEAD");
    byPath.set(path, methods);
  }
  return new Map([...byPath].map(([path, methods]) => [path, methods.join(", ")]));
}

/** What Node's own parser refuses never reaches a handler; the response has the same shape nevertheless. */
function respondToParserError(cause: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || cause.code === "ECONNRESET") return void socket.destroy();
  const error =
    cause.code === "HPE_HEADER_OVERFLOW"
      ? new PackshotError("headers_too_large", `The headers may have ${headerBytesMax} bytes.`)
      : cause.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? new PackshotError("request_timeout", "The request did not arrive in time.")
        : new PackshotError("invalid_request", "The request is not valid HTTP.");
  const requestId = uuidv7();
  const { status, body } = errorResponse(error, requestId);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Probes would be most of the traces. */
const untracedRoutes = ["/healthz"];

/** The server's span of a request, by the semantic conventions. `route` is the template of its path. */
async function withRequestSpan(
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
  handle: () => Promise<void>,
): Promise<void> {
  if (!isTracing() || untracedRoutes.includes(route)) return await handle();
  const { method = "GET", httpVersion, headers } = request;
  const { traceparent } = headers;
  const span = startTrace(`${method} ${route}`, {
    kind: "server",
    parent: typeof traceparent === "string" ? traceparent : undefined,
  });
  if (span === undefined) return await runInSpan(undefined, handle);
  span.setAttributes({
    "http.request.method": method,
    "http.route": route,
    "url.scheme": "http",
    "network.protocol.version": httpVersion,
    "user_agent.original": headers["user-agent"],
  });
  try {
    await runInSpan(span, handle);
  } finally {
    span.setAttribute("http.response.status_code", response.statusCode);
    if (response.statusCode >= 500) span.setAttribute("error.type", String(response.statusCode)).setStatus({ code: 2 });
    span.end();
  }
}
