/** The HTTP shell: every operation of the contract goes through the same steps, every fault through one answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import express from "express";
import type { Caller } from "../access/caller.ts";
import { accepts } from "./accept-header.ts";
import { drainBody, hasBody, mediaTypeOf, readJson } from "./request-body.ts";
import type { ApiResponse, Handler, Handlers } from "./call.ts";
import type { Contract, Operation } from "./contract.ts";
import { toPackshotError, errorResponse } from "./error-response.ts";
import { validationError } from "./validation-messages.ts";
import type { RateLimit } from "./rate-limit.ts";

const headerBytesMax = 16 * 1024;
/** A large file over a slow line; JSON bodies and forms have shorter bounds of their own. */
const requestTimeoutMs = 900_000;
const stopTimeoutMs = 20_000;
const closeIdleEveryMs = 100;

export interface HttpServerDeps {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly contract: Contract;
  readonly handlers: Handlers;
  readonly authenticate: (authorization: string | undefined) => Promise<Caller | undefined>;
  readonly rateLimit?: RateLimit;
  /** Signed storage links: outside the contract, with a method and an answer of their own. */
  readonly mounts?: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<ApiResponse | "sent">>
  >;
  readonly onResponse?: (operationId: string, status: number, durationMs: number) => void;
  readonly logger: Logger;
}

type RoutedRequest = IncomingMessage & { readonly params: Record<string, string>; readonly url: string };

export interface HttpServer extends Component {
  /** `http://host:port`, after the start. */
  url(): string;
}

export function createHttpServer(settings: HttpServerDeps): HttpServer {
  const { contract, handlers, logger } = settings;
  /** Those who wait for a job are answered with what is, when this process must go. */
  const stopping = new AbortController();
  const app = express();
  app.disable("x-powered-by").disable("etag").set("trust proxy", false).set("query parser", false);
  app.set("case sensitive routing", true);

  app.use((request, response, next) => {
    if (request.headers.host !== undefined || request.httpVersion !== "1.1") return next();
    return serve(settings, "none", request, response, async () => {
      throw new PackshotError("invalid_request", "An HTTP/1.1 request names its Host.");
    });
  });
  for (const operation of contract.operations) {
    const handler = handlers[operation.id];
    if (handler === undefined) throw new Error(`no handler for the operation ${operation.id}`);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app[operation.method](path, (request, response) =>
      serve(settings, operation.id, request, response, () =>
        handleOperation(settings, operation, handler, request as RoutedRequest, response, stopping.signal),
      ),
    );
  }
  for (const [path, allowed] of methodsByPath(contract.operations)) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), (request, response) =>
      serve(settings, "none", request, response, async () => {
        response.setHeader("Allow", allowed);
        throw new PackshotError("method_not_allowed", `${request.method} is not a method of this path: ${allowed}.`);
      }),
    );
  }
  for (const [path, mount] of Object.entries(settings.mounts ?? {})) {
    app.use(path, (request, response) => serve(settings, path, request, response, () => mount(request, response)));
  }
  app.use((request, response) =>
    serve(settings, "none", request, response, async () => {
      throw new PackshotError("not_found", "There is nothing at this path; the interface is described at /docs.");
    }),
  );
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) =>
    serve(settings, "none", request, response, async () => {
      throw error;
    }),
  );

  let server: Server | undefined;
  return {
    name: settings.name,
    url() {
      const { port } = server!.address() as AddressInfo;
      return `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
    },
    async start() {
      // Node's own answers to a missing Host and to an odd Expect have neither body nor Request-Id.
      server = createServer(
        { maxHeaderSize: headerBytesMax, requestTimeout: requestTimeoutMs, requireHostHeader: false },
        app,
      );
      server.on("checkExpectation", app);
      server.keepAliveTimeout = 75_000;
      server.on("clientError", respondToParserError);
      server.listen(settings.port, settings.host);
      await new Promise<void>((resolve, reject) => server!.once("listening", resolve).once("error", reject));
      logger.info({ url: this.url() }, `${settings.name} listening`);
    },
    async stop() {
      if (server === undefined) return;
      stopping.abort();
      const closed = new Promise<void>((resolve) => server!.close(() => resolve()));
      // An answer that had begun before the stop has promised to keep its connection, and leaves it idle when it ends.
      const idle = setInterval(() => server!.closeIdleConnections(), closeIdleEveryMs);
      const forced = setTimeout(() => server!.closeAllConnections(), stopTimeoutMs);
      await closed;
      clearInterval(idle);
      clearTimeout(forced);
    },
  };
}

/** Runs one request to its answer, whatever happens. */
async function serve(
  { logger, onResponse }: HttpServerDeps,
  operationId: string,
  request: IncomingMessage,
  response: ServerResponse,
  act: () => Promise<ApiResponse | "sent">,
): Promise<void> {
  const startedAtMs = performance.now();
  const requestId = requestIdOf(response);
  try {
    const answer = await act();
    if (answer !== "sent") send(response, answer);
  } catch (thrown) {
    const error = toPackshotError(thrown);
    if (error.code === "internal_error" || error.code === "unavailable") {
      logger.error({ err: error.cause ?? error, requestId, operationId }, error.code);
    }
    if (response.headersSent) response.destroy();
    else send(response, errorResponse(error, requestId));
  }
  drainBody(request);
  onResponse?.(operationId, response.statusCode, performance.now() - startedAtMs);
}

function requestIdOf(response: ServerResponse): string {
  const given = response.getHeader("Request-Id");
  if (typeof given === "string") return given;
  const requestId = uuidv7();
  response.setHeader("Request-Id", requestId);
  return requestId;
}

async function handleOperation(
  settings: HttpServerDeps,
  operation: Operation,
  handler: Handler,
  request: RoutedRequest,
  response: ServerResponse,
  stopping: AbortSignal,
): Promise<ApiResponse | "sent"> {
  // Before anything is awaited: a response that has closed does not say so again.
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (!accepts(request.headers.accept, operation.produces.length === 0 ? [] : [...operation.produces])) {
    throw new PackshotError("not_acceptable", `This answers with ${operation.produces.join(" or ")}.`);
  }
  const caller = operation.needsKey ? await settings.authenticate(request.headers.authorization) : undefined;
  if (caller !== undefined && settings.rateLimit !== undefined) {
    const rate = await settings.rateLimit(caller.account, operation.countsAs);
    for (const [name, value] of Object.entries(rate.headers)) response.setHeader(name, value);
    if (rate.refused !== undefined) throw rate.refused;
  }
  const path = { ...request.params };
  // An id that cannot exist is answered like one that does not.
  if (!operation.validatePath(path)) throw new PackshotError("not_found", "There is no such resource in this account.");
  const query = queryOf(request.url);
  if (!operation.validateQuery(query)) throw validationError(operation.validateQuery.errors, "query parameter");
  const headers = { ...request.headers } as Record<string, string | undefined>;
  if (!operation.validateHeaders(headers)) throw validationError(operation.validateHeaders.errors, "header");

  return await handler({
    operation,
    request,
    response,
    requestId: requestIdOf(response),
    path,
    query,
    headers,
    body: await bodyOf(operation, request),
    get caller() {
      if (caller === undefined) throw new PackshotError("unauthenticated", "Send your API key.");
      return caller;
    },
    signal: AbortSignal.any([gone.signal, stopping]),
  });
}

/** A JSON body, checked; other kinds are read by their handler. */
async function bodyOf(operation: Operation, request: IncomingMessage): Promise<unknown> {
  if (operation.consumes.length === 0) return undefined;
  const type = mediaTypeOf(request);
  if (type === "" && !hasBody(request)) {
    const { validateBody } = operation;
    if (validateBody !== undefined && !validateBody({})) throw validationError(validateBody.errors, "field");
    return {};
  }
  if (!operation.consumes.includes(type)) {
    throw new PackshotError(
      "unsupported_media_type",
      `Content-Type ${type === "" ? "is missing" : `${type} is not read here`}: send ${operation.consumes.join(" or ")}.`,
    );
  }
  if (type !== "application/json") return undefined;
  const body = await readJson(request);
  if (operation.validateBody !== undefined && !operation.validateBody(body)) {
    throw validationError(operation.validateBody.errors, "field");
  }
  return body;
}

function queryOf(url: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const text = url.indexOf("?") === -1 ? "" : url.slice(url.indexOf("?") + 1);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in query) throw new PackshotError("invalid_request", `"${name}" is given twice.`);
    query[name] = value;
  }
  return query;
}

function send(response: ServerResponse, { status, body, headers }: ApiResponse): void {
  if (response.destroyed) return;
  response.statusCode = status;
  response.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (body === undefined) {
    if (status !== 204) response.setHeader("Content-Length", "0");
    response.end();
    return;
  }
  const isText = typeof body === "string" && response.hasHeader("Content-Type");
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  if (!isText) response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", String(bytes.length));
  response.end(bytes);
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

/** What Node's own parser refuses never reaches a handler; it gets the same shape all the same. */
function respondToParserError(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || fault.code === "ECONNRESET") return void socket.destroy();
  const error =
    fault.code === "HPE_HEADER_OVERFLOW"
      ? new PackshotError("headers_too_large", `The headers may have ${headerBytesMax} bytes.`)
      : fault.code === "ERR_HTTP_REQUEST_TIMEOUT"
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
