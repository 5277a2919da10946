/** Receives webhooks for k6, which cannot listen, and tells it when a job's has arrived. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { EndedJob } from "./ended-job.ts";

const bodyBytesMax = 64 * 1024;
const waitSecondsMax = 60;
const jobsMax = 1_000_000;

export interface WebhookCollector {
  /** k6 asks for `GET <url>/jobs/<id>?seconds=N`: 200 with the job's end, or 204 when none came in time. */
  readonly url: string;
  /** An address to register one webhook at. */
  openHook(): Hook;
  /** What webhooks told of ended jobs, each job once, in the order of arrival. */
  ended(): EndedJob[];
  /** Webhooks that were not signed as they should, or were none. */
  rejected(): number;
  stop(): Promise<void>;
}

export interface Hook {
  readonly url: string;
  /** Only what is signed with it counts. */
  useSecret(secret: string): void;
}

interface Event {
  readonly data: { readonly id: string; readonly status: string; readonly resultUrl?: string };
}

export async function startWebhookCollector(): Promise<WebhookCollector> {
  const verifiers: (Webhook | undefined)[] = [];
  const jobs = new Map<string, EndedJob>();
  const waiting = new Map<string, (job: EndedJob) => void>();
  let rejected = 0;

  async function receive(hook: number, request: IncomingMessage, atMs: number): Promise<number> {
    const body = await readBody(request);
    try {
      const { data } = verifiers[hook]!.verify(body, request.headers as Record<string, string>) as Event;
      if (jobs.has(data.id)) return 204; // Delivery is at least once.
      if (jobs.size >= jobsMax) throw new Error(`more than ${jobsMax} jobs`);
      const job = { status: data.status, atMs, resultUrl: data.resultUrl ?? null };
      jobs.set(data.id, job);
      waiting.get(data.id)?.(job);
      return 204;
    } catch {
      rejected += 1;
      return 400;
    }
  }

  async function untilEnded(id: string, seconds: number, response: ServerResponse): Promise<EndedJob | null> {
    const known = jobs.get(id);
    if (known !== undefined) return known;
    return await new Promise((resolve) => {
      const settle = (job: EndedJob | null) => {
        clearTimeout(timer);
        if (waiting.get(id) === settle) waiting.delete(id);
        resolve(job);
      };
      const timer = setTimeout(settle, Math.min(seconds, waitSecondsMax) * 1000, null);
      waiting.set(id, settle);
      response.once("close", () => settle(null));
    });
  }

  const server = createServer(async (request, response) => {
    const atMs = Date.now();
    const { pathname, searchParams } = new URL(request.url!, "http://collector");
    const [, kind, name] = pathname.split("/") as [string, string, string];
    if (kind === "hooks" && request.method === "POST") {
      response.writeHead(await receive(Number(name), request, atMs).catch(() => 400)).end();
    } else if (kind === "jobs") {
      const job = await untilEnded(name, Number(searchParams.get("seconds")), response);
      if (job === null) response.writeHead(204).end();
      else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(job));
    } else response.writeHead(404).end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    openHook() {
      const hook = verifiers.push(undefined) - 1;
      const useSecret = (secret: string) => {
        verifiers[hook] = new Webhook(secret);
      };
      return { url: `${url}/hooks/${hook}`, useSecret };
    },
    ended: () => [...jobs.values()],
    rejected: () => rejected,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bodyBytesMax) throw new Error(`more than ${bodyBytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
