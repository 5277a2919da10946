/** A client of the public API, with nothing but fetch. */

import { CommandError } from "../command-line/command.ts";

const requestTimeoutMs = 60_000;

/** What painted a scene. */
export interface SceneReport {
  readonly engine?: "renderer" | "generative";
  readonly imageModel?: string;
  readonly steps?: number;
  readonly redraws?: number;
}

export interface JobView {
  readonly id: string;
  readonly tool: string;
  readonly status: "queued" | "processing" | "completed" | "failed" | "cancelled";
  readonly resultUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly report: { readonly scene?: SceneReport } | null;
}

export interface NewWebhook {
  readonly id: string;
  readonly secret: string;
}

export interface PublicClient {
  get<T>(path: string, headers?: Readonly<Record<string, string>>): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  remove(path: string): Promise<void>;
  /** PUT of the photo to the address of an upload session; no key is sent. */
  put(uploadUrl: string, contentType: string, bytes: Buffer): Promise<void>;
  /** A signed link needs no key either. */
  download(url: string): Promise<{ readonly bytes: Buffer; readonly contentType: string }>;
}

async function okResponse(what: string, pending: Promise<Response>): Promise<Response> {
  const answer = await pending.catch((error: Error & { cause?: Error }) => {
    throw new CommandError(`${what}: no answer (${error.cause?.message ?? error.message}).`);
  });
  if (!answer.ok) throw new CommandError(`${what}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
  return answer;
}

export function createPublicClient({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): PublicClient {
  const authorization = { Authorization: `Bearer ${apiKey}` };
  const call = (method: string, path: string, init: RequestInit = {}) =>
    okResponse(
      `${method} ${path}`,
      fetch(`${apiUrl}${path}`, {
        ...init,
        method,
        headers: { ...authorization, ...(init.headers as Record<string, string>) },
        signal: AbortSignal.timeout(requestTimeoutMs),
      }),
    );

  return {
    get: async <T>(path: string, headers = {}) => (await (await call("GET", path, { headers })).json()) as T,
    async post<T>(path: string, body: unknown) {
      const init =
        body instanceof FormData
          ? { body }
          : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
      return (await (await call("POST", path, init)).json()) as T;
    },
    async remove(path) {
      await call("DELETE", path);
    },
    async put(uploadUrl, contentType, bytes) {
      const init = { method: "PUT", headers: { "Content-Type": contentType }, body: new Uint8Array(bytes) };
      await okResponse(
        "PUT of the photo",
        fetch(uploadUrl, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) }),
      );
    },
    async download(url) {
      const answer = await okResponse("download", fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs) }));
      return { bytes: Buffer.from(await answer.arrayBuffer()), contentType: answer.headers.get("content-type") ?? "" };
    },
  };
}
