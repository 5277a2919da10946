/** Clients of the cluster: each edit is sent until it is accepted, watched until it has ended, and its result fetched. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { pause } from "@packshot/platform/flow/pause.ts";
import sharp from "sharp";
import { formWith } from "../../testing/stack/live-stack.ts";

export interface ClientAccount {
  readonly accountId: string;
  readonly key: string;
}

export interface ClientsOptions {
  /** Addresses of the API processes that are up. */
  readonly apis: () => readonly string[];
  /** The origin of links to the API: in place of a balancer, any process is asked. */
  readonly publicUrl: string;
  readonly accounts: readonly ClientAccount[];
  readonly photos: readonly Uint8Array<ArrayBuffer>[];
  /** Edits that are on their way at once. */
  readonly concurrency: number;
  /** Between two edits of each of them; none when absent. */
  readonly pauseMs?: number;
  /** From the beginning of each one's edit to that of its next, so that a slow machine gets the same load as a fast one. */
  readonly everyMs?: number;
  /** Told how long each accept took, with every try, and each edit until its result was fetched. */
  readonly onTimed?: (what: "accept" | "edit", ms: number) => void;
}

export interface Clients {
  /** Ids of jobs that a client got in an answer, by account. */
  readonly accepted: ReadonlyMap<string, string>;
  /** When each account's edits were accepted, in milliseconds since the epoch. */
  readonly acceptedAtMs: ReadonlyMap<string, readonly number[]>;
  /** What no client should see, a sentence each. */
  readonly wrong: readonly string[];
  /** How often each kind of answer came. */
  readonly counts: Readonly<Record<string, number>>;
  /** Begins no further edit and resolves when all have ended and were fetched. */
  finish(): Promise<void>;
}

/** A client that is not answered tries again, after a short pause, as our documentation tells it to. */
const retryPauseMsMax = 1_000;
/** Longer than all outages of a run together. */
const giveUpMs = 300_000;
const requestTimeoutMs = 45_000;

const tools = [
  { tool: "mask", fields: {}, parameters: {} },
  { tool: "mask", fields: { "output.format": "webp" }, parameters: { output: { format: "webp" } } },
  { tool: "ai-shadows", fields: {}, parameters: {} },
  { tool: "ai-bg", fields: { theme: "white marble" }, parameters: { theme: "white marble" } },
] as const;

export function startClients(options: ClientsOptions): Clients {
  const { apis, publicUrl, accounts, photos, concurrency, pauseMs = 0, everyMs = 0, onTimed } = options;
  const accepted = new Map<string, string>();
  const acceptedAtMs = new Map(accounts.map(({ accountId }): [string, number[]] => [accountId, []]));
  const wrong: string[] = [];
  const counts: Record<string, number> = {};
  const finishing = new AbortController();
  let sent = 0;

  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  /** Asks any process that is up: undefined when it did not answer, or asked to come again later. */
  async function askOnce(path: string, init: RequestInit): Promise<Response | undefined> {
    const up = apis();
    const url = up[Math.floor(Math.random() * up.length)];
    if (url === undefined) return undefined;
    // Other links are S3's own.
    const at = new URL(path.replace(publicUrl, ""), url);
    try {
      const response = await fetch(at, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) });
      if (response.status < 500) return response;
      const body = await response.text();
      count(`answers of ${response.status}`);
      const isPolite = response.status === 503 && body.includes('"unavailable"') && response.headers.has("Retry-After");
      if (!isPolite) wrong.push(`${init.method} ${at.pathname} was answered ${response.status} ${body.slice(0, 300)}`);
    } catch {
      count("connection lost");
    }
    return undefined;
  }

  async function ask(path: string, init: () => RequestInit): Promise<Response> {
    for (const giveUpAtMs = Date.now() + giveUpMs; Date.now() < giveUpAtMs; ) {
      const response = await askOnce(path, init());
      if (response !== undefined) return response;
      await delay(retryPauseMsMax * (0.3 + 0.7 * Math.random()));
    }
    throw new Error(`${path.split("?")[0]} was not answered in ${giveUpMs / 1000} s`);
  }

  /** For each try anew: the key may have been changed since the last one. */
  const authorized = ({ key }: ClientAccount) => ({ Authorization: `Bearer ${key}` });

  /** The body that edits the photo: a form, or JSON that names a photo that was uploaded before. */
  async function bodyOf(account: ClientAccount, photo: Uint8Array<ArrayBuffer>, order: (typeof tools)[number]) {
    if (sent % 5 !== 0) return { body: () => formWith(photo, order.fields), headers: {} };
    const json = { "Content-Type": "application/json" };
    const session = { contentType: "image/jpeg", filename: "photo.jpg", sizeBytes: photo.length };
    const headers = { ...json, "Idempotency-Key": randomUUID() };
    const created = await ask("/v1/uploads", () => ({
      method: "POST",
      headers: { ...authorized(account), ...headers },
      body: JSON.stringify(session),
    }));
    const { uploadUrl, uploadSessionId, headers: putHeaders = {} } = (await created.json()) as Session;
    if (created.status !== 201) throw new Error(`an upload session was answered ${created.status}`);
    const put = await ask(uploadUrl, () => ({
      method: "PUT",
      headers: { ...putHeaders, "Content-Type": "image/jpeg" },
      body: photo,
    }));
    if (!put.ok) wrong.push(`an upload was answered ${put.status} ${(await put.text()).slice(0, 300)}`);
    const { parameters } = order;
    return { body: () => JSON.stringify({ uploadSessionId, parameters }), headers: json };
  }

  async function edit(): Promise<void> {
    const turn = sent++;
    const account = accounts[turn % accounts.length]!;
    const order = tools[turn % tools.length]!;
    const { body, headers } = await bodyOf(account, photos[turn % photos.length]!, order);
    const idempotency = { "Idempotency-Key": randomUUID() };
    const sentAtMs = performance.now();
    const response = await ask(`/v1/tools/${order.tool}/edit`, () => ({
      method: "POST",
      headers: { ...authorized(account), ...headers, ...idempotency },
      body: body(),
    }));
    const job = (await response.json()) as Job;
    count(`accept ${response.status}`);
    if (response.status !== 202) return void wrong.push(`an edit was answered ${response.status} ${textOf(job)}`);
    accepted.set(job.id, account.accountId);
    acceptedAtMs.get(account.accountId)!.push(Date.now());
    onTimed?.("accept", performance.now() - sentAtMs);
    await follow(account, job);
    onTimed?.("edit", performance.now() - sentAtMs);
  }

  async function follow(account: ClientAccount, { id }: Job): Promise<void> {
    const init = () => ({ method: "GET", headers: { ...authorized(account), Prefer: "wait=10" } });
    for (const giveUpAtMs = Date.now() + giveUpMs; Date.now() < giveUpAtMs; ) {
      const response = await ask(`/v1/jobs/${id}`, init);
      const job = (await response.json()) as Job;
      if (response.status !== 200) return void wrong.push(`job ${id} was answered ${response.status} ${textOf(job)}`);
      if (job.status === "queued" || job.status === "processing") continue;
      count(job.status);
      if (job.status !== "completed") return void wrong.push(`job ${id} ended ${textOf(job)}`);
      return await fetchResult(id, job.resultUrl!);
    }
    wrong.push(`job ${id} did not end in ${giveUpMs / 1000} s`);
  }

  async function fetchResult(id: string, url: string): Promise<void> {
    const response = await ask(url, () => ({ method: "GET" }));
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) return void wrong.push(`the result of ${id} was answered ${response.status}`);
    const { width = 0, height = 0 } = await sharp(bytes).metadata();
    if (width * height === 0) wrong.push(`the result of ${id} is no picture`);
  }

  const run = async () => {
    while (!finishing.signal.aborted) {
      const nextAtMs = performance.now() + everyMs;
      await edit().catch((error: Error) => {
        wrong.push(error.message);
      });
      await pause(Math.max(pauseMs, nextAtMs - performance.now()), finishing.signal);
    }
  };
  const running = Array.from({ length: concurrency }, run);
  return {
    accepted,
    acceptedAtMs,
    wrong,
    counts,
    async finish() {
      finishing.abort();
      await Promise.all(running);
    },
  };
}

interface Session {
  readonly uploadUrl: string;
  readonly uploadSessionId: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly resultUrl: string | null;
}

function textOf(answer: object): string {
  return JSON.stringify(answer).slice(0, 1_000);
}
