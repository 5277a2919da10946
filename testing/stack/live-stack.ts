/** The whole stack for a test, in a folder of its own, and a client of its public API. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StackFile } from "../../cli/operator/stack-file.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { type Stack, startStack } from "../../cli/up/stack.ts";
import { filesBelow } from "../storage/files-below.ts";

export interface StackClient {
  readonly file: StackFile;
  /** Any call to the public API with the file's key; `path` may be absolute (signed links). */
  call(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Submits an edit and resolves with the job when it has ended. */
  edit(tool: string, body: FormData | object): Promise<FinishedEdit>;
}

export interface LiveStack extends StackClient {
  readonly dataDir: string;
  /** Files in storage, as `storage/…`. */
  storedFiles(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface FinishedEdit {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the tests say which
  readonly body: any;
}

export async function startLiveStack(
  environment: Readonly<Record<string, string>> = {},
  allowSources: readonly string[] = [],
): Promise<LiveStack> {
  const dataDir = await mkdtemp(join(tmpdir(), "packshot-live-"));
  const said: string[] = [];
  const stack: Stack = await startStack({
    dataDir,
    port: 0,
    workers: 1,
    allowSources,
    environment: { ...process.env, PACKSHOT_NATS_SERVER: findNatsServer(process.env), ...environment },
    say: (line) => said.push(line),
    signal: new AbortController().signal,
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${said.join("\n")}`);
  });
  return {
    ...stackClient(stack.file),
    dataDir,
    async storedFiles() {
      const files = await filesBelow(join(dataDir, "storage"));
      return files.map((path) => path.slice(dataDir.length + 1));
    },
    async stop() {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** With the key of that file, which may be another account's than the stack's own. */
export function stackClient(file: StackFile): StackClient {
  async function call(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const url = path.startsWith("http") ? path : file.apiUrl + path;
    const headers = { ...(path.startsWith("http") ? {} : { Authorization: `Bearer ${file.apiKey}` }), ...init.headers };
    return await fetch(url, { ...init, method, headers, signal: AbortSignal.timeout(60_000) });
  }

  return {
    file,
    call,
    async edit(tool, body) {
      const init: RequestInit =
        body instanceof FormData
          ? { body }
          : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
      const waiting = { Prefer: "wait=30" };
      const headers = { ...init.headers, ...waiting };
      let response = await call("POST", `/v1/tools/${tool}/edit`, { ...init, headers });
      let answer = (await response.json()) as FinishedEdit["body"];
      while (answer.status === "queued" || answer.status === "processing") {
        response = await call("GET", `/v1/jobs/${answer.id}`, { headers: waiting });
        answer = await response.json();
      }
      return { status: response.status, body: answer };
    },
  };
}

export function formWith(
  image: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  type = "image/jpeg",
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("image", new Blob([new Uint8Array(image)], { type }), "photo.jpg");
  return form;
}
