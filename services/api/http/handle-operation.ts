import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { assertScope } from "@packshot/domain/accounts/api-key.ts";
import type { AuditPool } from "@packshot/domain/accounts/audit.ts";
import { clipName, PackshotError } from "@packshot/domain/errors.ts";
import accepts from "accepts";
import type { Credentials } from "../access/caller.ts";
import { type Caller, realmOf } from "../access/caller.ts";
import type { ActionResult, Audited, AuditedAction } from "../audit/audited.ts";
import type { ApiResponse, Call, Handler } from "./call.ts";
import type { Operation } from "./contract.ts";
import { findRefusal, type RateLimit } from "./rate-limit.ts";
import { hasBody, isLargeBody, mediaTypeOf, readJson } from "./request-body.ts";
import { requestIdOf } from "./respond.ts";
import type { FormSlots } from "./slots.ts";
import { unknownPath, validationError } from "./validation-messages.ts";

export interface OperationDeps {
  readonly authenticate: (credentials: Credentials) => Promise<Caller | undefined>;
  readonly rateLimit?: RateLimit;
  /** Counts the requests that have an Idempotency-Key. */
  readonly idempotencyKeyRate?: RateLimit;
  /** Counts, by key, the requests that protect an account whose other rates are used up. */
  readonly protectionRate?: RateLimit;
  readonly audited?: Audited;
  /** For large JSON bodies: they are in memory. */
  readonly bodySlots?: FormSlots;
}

export type RoutedRequest = IncomingMessage & {
  readonly params: Record<string, string>;
  readonly url: string;
  /** The client's address, as express finds it behind trusted proxies; undefined when the client has gone. */
  readonly ip?: string | undefined;
};

/** The steps that every operation shares: Accept, key, rate, scope, parameters, body, audit log, handler. */
export async function handleOperation(
  deps: OperationDeps,
  operation: Operation,
  handler: Handler,
  request: RoutedRequest,
  response: ServerResponse,
  stopping: AbortSignal,
): Promise<ApiResponse | "sent"> {
  // It listens before the first await: a response that has closed does not emit the event again.
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  if (!isAcceptable(request.headers.accept, operation.produces)) {
    throw new PackshotError("not_acceptable", `This operation responds with ${operation.produces.join(" or ")}.`);
  }
  const caller = operation.needsKey ? await deps.authenticate(credentialsOf(request)) : undefined;
  let refused: PackshotError | undefined;
  if (caller !== undefined) {
    refused = await findRefusalOf(caller, deps, operation, request, response);
    assertScope(caller.key, operation.scopes);
  }
  const path = { ...request.params };
  // An id that cannot exist gets the same response as one that does not.
  if (!operation.validatePath(path)) {
    // A PUT names what it creates.
    if (operation.method === "put") throw validationError(operation.validatePath.errors, "path parameter");
    throw unknownPath(operation.validatePath.errors);
  }
  const query = parseQuery(request.url);
  if (!operation.validateQuery(query)) throw validationError(operation.validateQuery.errors, "query parameter");
  const headers = { ...request.headers } as Record<string, string | undefined>;
  if (!operation.validateHeaders(headers)) throw validationError(operation.validateHeaders.errors, "header");

  const release = acquireBody(deps, operation, request, caller);
  if (disconnected.signal.aborted) release();
  disconnected.signal.addEventListener("abort", release, { once: true });
  const call: Call = {
    operation,
    request,
    response,
    requestId: requestIdOf(response),
    path,
    query,
    headers,
    body: await readBody(operation, request),
    get caller() {
      if (caller === undefined) throw new PackshotError("unauthenticated", "Send your API key.");
      return caller;
    },
    signal: AbortSignal.any([disconnected.signal, stopping]),
  };
  // Which body protects is known only now.
  if (refused !== undefined && !isProtecting(operation, call.body)) throw refused;
  if (refused !== undefined) response.removeHeader("Retry-After");
  if (!operation.isAudited || deps.audited === undefined) return await handler(call);
  return await deps.audited(
    describeAction(call, caller, credentialsOf(request).address),
    () => handler(call),
    resultOf,
  );
}

const fieldsMax = 20;
const targetLengthMax = 200;
const addressLengthMax = 100;

/** Held until the response has been sent. */
function acquireBody(
  { bodySlots }: OperationDeps,
  { jsonBytesMax }: Operation,
  request: IncomingMessage,
  caller: Caller | undefined,
): () => void {
  if (bodySlots === undefined || caller === undefined || !isLargeBody(request, jsonBytesMax)) return () => {};
  return bodySlots.acquire(realmOf(caller), jsonBytesMax);
}

/** A request without a key that is authenticated is the operator's. */
function describeAction(
  { operation, path, body, requestId }: Call,
  caller: Caller | undefined,
  address: string,
): AuditedAction {
  const { id, ...others } = path;
  const rest = Object.values(others);
  const targets = caller === undefined ? rest : [id, ...rest];
  const target = targets.filter((name) => name !== undefined).join(" ");
  return {
    actor: caller === undefined ? { kind: "operator" } : { kind: "key", keyId: caller.key.id, live: caller.key.live },
    accountId: caller === undefined ? (id?.slice(0, targetLengthMax) ?? null) : caller.account.accountId,
    pool: poolOf(operation, caller, body),
    address: address.slice(0, addressLengthMax),
    requestId,
    operation: operation.id,
    target: target.slice(0, targetLengthMax) || null,
    // A name that the schema does not know is the client's text, of any length.
    fields:
      typeof body === "object" && body !== null
        ? [...operation.bodyFields].filter((name) => Object.hasOwn(body, name)).slice(0, fieldsMax)
        : [],
  };
}

function poolOf(operation: Operation, caller: Caller | undefined, body: unknown): AuditPool {
  if (caller === undefined) return "operator";
  const { live } = caller.key;
  if (isProtecting(operation, body)) return live ? "protection" : "test-protection";
  if (!live) return "test";
  return operation.scopes.includes("keys") ? "keys" : "changes";
}

function isProtecting({ protects }: Operation, body: unknown): boolean {
  return protects === true || (protects !== undefined && isDeepStrictEqual(body, protects));
}

function resultOf(response: ApiResponse | "sent"): ActionResult {
  if (response === "sent") return { status: 200, created: null };
  const { id, accountId } = (response.body ?? {}) as { id?: unknown; accountId?: unknown };
  const created = response.status === 201 ? (id ?? accountId) : undefined;
  return { status: response.status, created: typeof created === "string" ? created : null };
}

/** Why the request is refused, unless it protects the account: then by its own key's rate, which others cannot use up. */
async function findRefusalOf(
  { account, key: { id: keyId, live } }: Caller,
  { rateLimit, idempotencyKeyRate, protectionRate }: OperationDeps,
  { protects }: Operation,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<PackshotError | undefined> {
  const by = { account, live };
  let refused = rateLimit && (await findRefusal(rateLimit, by, response));
  if (refused === undefined && idempotencyKeyRate !== undefined && headers["idempotency-key"] !== undefined) {
    refused = await findRefusal(idempotencyKeyRate, by, response);
  }
  if (refused === undefined) return undefined;
  if (protectionRate === undefined || protects === undefined) throw refused;
  const ofKey = await findRefusal(protectionRate, { ...by, keyId }, response);
  if (ofKey !== undefined) throw ofKey;
  return refused;
}

function credentialsOf({ headers, ip = "" }: RoutedRequest): Credentials {
  return { authorization: headers.authorization, address: ip };
}

/** Parameters of a media range, such as charset, select nothing: an operation has one representation per media type. */
function isAcceptable(accept: string | undefined, produces: readonly string[]): boolean {
  if (accept === undefined || accept.trim() === "" || produces.length === 0) return true;
  const mediaRanges = accept.replaceAll(/;(?!\s*q\s*=)[^,;]*/gi, "");
  return accepts({ headers: { accept: mediaRanges } } as IncomingMessage).type([...produces]) !== false;
}

/** A JSON body, validated; a body of another media type is read by its handler. */
async function readBody(operation: Operation, request: IncomingMessage): Promise<unknown> {
  if (operation.consumes.length === 0) return undefined;
  const { parseBody = (body) => body } = operation;
  const type = mediaTypeOf(request);
  // No body is an empty one, whatever its Content-Type says, so that the error names what is missing from it.
  if (!hasBody(request) && type !== "multipart/form-data") return parseBody({});
  if (!operation.consumes.includes(type)) {
    throw new PackshotError(
      "unsupported_media_type",
      `Content-Type ${type === "" ? "is missing" : `${clipName(type)} is not supported here`}: send ${operation.consumes.join(" or ")}.`,
    );
  }
  return type === "application/json" ? parseBody(await readJson(request, operation.jsonBytesMax)) : undefined;
}

function parseQuery(url: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  const text = url.indexOf("?") === -1 ? "" : url.slice(url.indexOf("?") + 1);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in query) throw new PackshotError("invalid_request", `"${clipName(name)}" is given twice.`);
    query[name] = value;
  }
  return query;
}
