/** Requests to a Kubernetes API server, with the administrator's certificate. */
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface ApiClient {
  get<T>(path: string): Promise<T>;
  create<T>(path: string, object: unknown): Promise<T>;
  /** Resolves for what is already gone, too. */
  remove(path: string): Promise<void>;
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
  readonly signal?: AbortSignal;
}

/** `folder` is that of the control plane. */
export async function createApiClient(folder: string, port: number): Promise<ApiClient> {
  const read = (name: string) => readFile(join(folder, "keys", name));
  const [ca, cert, key] = await Promise.all([read("authority.pem"), read("admin.pem"), read("admin-key.pem")]);
  const agent = new Agent({ keepAlive: true, ca, cert, key });

  function send({ method, path, body, signal }: Call): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = content && { "content-type": "application/json", "content-length": content.length };
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
    create: (path, body) => call({ method: "POST", path, body }),
    async remove(path) {
      await call({ method: "DELETE", path }).catch((error: unknown) => {
        if (!isApiError(error, 404)) throw error;
      });
    },
    async stream(path, signal) {
      const response = await send({ method: "GET", path, signal });
      if (response.statusCode === 200) return response;
      throw apiErrorOf(response.statusCode!, await text(response));
    },
    close: () => agent.destroy(),
  };
}

function apiErrorOf(status: number, answer: string): ApiError {
  try {
    const { reason = "", message = answer } = JSON.parse(answer) as { reason?: string; message?: string };
    return new ApiError(status, reason, message);
  } catch {
    return new ApiError(status, "", answer);
  }
}
