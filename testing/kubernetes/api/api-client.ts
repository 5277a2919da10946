/** Requests to a Kubernetes API server, with the administrator's certificate. */
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const contentTypes = {
  /** RFC 7386: what it names is replaced, lists too. */
  merge: "application/merge-patch+json",
  /** Kubernetes' own: lists of named things, as conditions are, are merged by name. */
  strategic: "application/strategic-merge-patch+json",
} as const;

export interface ApiClient {
  get<T>(path: string): Promise<T>;
  /** What `path` names, or undefined where there is none. */
  find<T>(path: string): Promise<T | undefined>;
  create<T>(path: string, object: unknown): Promise<T>;
  patch<T>(path: string, change: unknown, kind?: keyof typeof contentTypes): Promise<T>;
  /** Resolves for what is already gone, too. */
  remove(path: string, options?: unknown): Promise<void>;
  /** One line of JSON for each change, until the server or `signal` ends it. */
  stream(path: string, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

/** The API server's answer to a request that it refused. */
class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export const isApiError = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** `folder` is that of the control plane. */
export async function createApiClient(folder: string, port: number): Promise<ApiClient> {
  const read = (name: string) => readFile(join(folder, "keys", name));
  const [ca, cert, key] = await Promise.all([read("authority.pem"), read("admin.pem"), read("admin-key.pem")]);
  const agent = new Agent({ keepAlive: true, ca, cert, key });

  function send({ method, path, body, contentType = "application/json", signal }: Call): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      // Node gives a DELETE no length by itself, and the server would take its body for the next request.
      const headers = content && { "content-type": contentType, "content-length": content.length };
      const options = {
        host: "127.0.0.1",
        port,
        path,
        method,
        agent,
        ...(headers && { headers }),
        ...(signal && { signal }),
      };
      request(options, resolve).on("error", reject).end(content);
    });
  }

  async function call<T>(order: Call): Promise<T> {
    const response = await send(order);
    const answer = await text(response);
    const status = response.statusCode!;
    if (status < 300) return JSON.parse(answer) as T;
    throw apiErrorOf(status, answer);
  }

  return {
    get: (path) => call({ method: "GET", path }),
    find: (path) => call<never>({ method: "GET", path }).catch(undefinedWhenAbsent),
    create: (path, body) => call({ method: "POST", path, body }),
    patch: (path, body, kind = "merge") => call({ method: "PATCH", path, body, contentType: contentTypes[kind] }),
    async remove(path, body) {
      await call({ method: "DELETE", path, body }).catch(undefinedWhenAbsent);
    },
    async stream(path, signal) {
      const response = await send({ method: "GET", path, signal });
      if (response.statusCode === 200) return response;
      throw apiErrorOf(response.statusCode!, await text(response));
    },
    close: () => agent.destroy(),
  };
}

function undefinedWhenAbsent(error: unknown): undefined {
  if (!isApiError(error, 404)) throw error;
}

function apiErrorOf(status: number, answer: string): ApiError {
  try {
    const { reason = "", message = answer } = JSON.parse(answer) as { reason?: string; message?: string };
    return new ApiError(status, reason, message);
  } catch {
    return new ApiError(status, "", answer);
  }
}
