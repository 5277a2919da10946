/** A client that checks every answer of the API against the contract. */
import { type Contract, loadContract, type Validate } from "../../services/api/http/contract.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly body: any;
}

export interface ContractClient {
  /** Fails when the answer is not one that openapi.yaml documents for this operation. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

export interface CallOptions {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly raw?: string | Uint8Array | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  /** null: none. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

let contract: Contract | undefined;
const validators = new Map<string, Validate>();

export function apiClient(url: string, key: string): ContractClient {
  return {
    async call(method, path, { json, form, raw, headers = {}, key: otherKey = key, signal } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(otherKey === null ? {} : { Authorization: `Bearer ${otherKey}` }),
          ...(json === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(form === undefined ? {} : { body: form }),
        ...(raw === undefined ? {} : { body: raw, duplex: "half" }),
        ...(signal === undefined ? {} : { signal }),
      } as RequestInit);
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
      const reply: Reply = {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
      };
      assertDocumented(method, path, reply);
      return reply;
    },
  };
}

function assertDocumented(method: string, path: string, { status, headers, body }: Reply): void {
  contract ??= loadContract(new URL("../../services/api/openapi.yaml", import.meta.url));
  const what = `${method} ${path} → ${status} ${JSON.stringify(body)?.slice(0, 500)}`;
  if (headers.get("request-id") === null) throw new Error(`${what}: no Request-Id`);
  const operation = contract.operations.find(
    (candidate) =>
      candidate.method === method.toLowerCase() &&
      new RegExp(`^${candidate.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(
        path.split("?")[0]!,
      ),
  );
  const schema = operation === undefined ? { $ref: "#/components/schemas/Error" } : schemaOf(operation, status, what);
  if (schema === undefined) return;
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? contract.compile(schema);
  validators.set(key, validate);
  if (!validate(body)) throw new Error(`${what}: ${JSON.stringify(validate.errors?.[0])}`);
}

function schemaOf(operation: Contract["operations"][number], status: number, what: string): object | undefined {
  const item = contract!.document.paths[operation.path]![operation.method] as {
    responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
  };
  const documented = item.responses[status];
  if (documented === undefined) throw new Error(`${what}: this status is not documented`);
  const responses = contract!.document.components.responses as Record<string, typeof documented>;
  const response = documented.$ref === undefined ? documented : responses[documented.$ref.split("/").at(-1)!]!;
  return response.content?.["application/json"]?.schema;
}
