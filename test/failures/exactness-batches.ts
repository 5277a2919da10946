/** Batches of an exactness run: opened, paused, resumed, cancelled and retried at random, and in the end brought to theirs. */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Answer, AskUntilAnswered, Client } from "./exactness-client.ts";

export interface BatchClients {
  /** Opens a batch, or does something to one that was opened lately. */
  act(client: Client): Promise<void>;
  /** Resumes what is paused, cancels what has no credits, and resolves when all have ended. */
  endAll(timeoutMs: number): Promise<void>;
}

export interface BatchClientsDeps {
  readonly askUntilAnswered: AskUntilAnswered;
  readonly random: () => number;
  readonly count: (what: string) => void;
  /** Told of answers that no client should get. */
  readonly onUnexpected: (answer: string) => void;
  /** Bytes of a photo. */
  readonly photo: Buffer;
}

interface OpenedBatch {
  readonly client: Client;
  readonly batchId: string;
}

const openShare = 0.4;
const skipShare = 0.4;
const rowsMax = 12;
const recentMax = 12;
const lookEveryMs = 500;
const changes = ["pause", "pause", "resume", "resume", "cancel", "retry", "retry"] as const;

export function createBatchClients(deps: BatchClientsDeps): BatchClients {
  const { askUntilAnswered, random, count, photo, onUnexpected } = deps;
  const opened: OpenedBatch[] = [];
  /** One for each key: its bytes make many rows the same edit. */
  const uploads = new Map<string, string>();

  function pick<T>(from: readonly T[]): T {
    return from[Math.floor(random() * from.length)]!;
  }

  const headersOf = ({ apiKey }: Client) => ({
    Authorization: `Bearer ${apiKey}`,
    "Content-Type": "application/json",
    "Idempotency-Key": randomUUID(),
  });

  async function post(client: Client, path: string, json?: object): Promise<Answer | undefined> {
    const init = { method: "POST", headers: headersOf(client), ...(json && { body: JSON.stringify(json) }) };
    return await askUntilAnswered(path, () => init);
  }

  async function uploadOf(client: Client): Promise<string | undefined> {
    const known = uploads.get(client.apiKey);
    if (known !== undefined) return known;
    const order = { contentType: "image/png", filename: "p.png", sizeBytes: photo.length };
    const created = await post(client, "/v1/uploads", order);
    if (created?.status !== 201) return undefined;
    const { pathname, search } = new URL(String(created.body.uploadUrl));
    const put = { method: "PUT", headers: { "Content-Type": "image/png" }, body: new Uint8Array(photo) };
    const sent = await askUntilAnswered(`${pathname}${search}`, () => put);
    if (sent === undefined || sent.status >= 300) return undefined;
    uploads.set(client.apiKey, String(created.body.uploadSessionId));
    return uploads.get(client.apiKey);
  }

  async function open(client: Client): Promise<void> {
    const uploadSessionId = random() < skipShare ? await uploadOf(client) : undefined;
    const items = Array.from({ length: 1 + Math.floor(random() * rowsMax) }, (_, row) => ({
      ref: `${pick(["complete", "complete", "complete", "fail", "mend"])}-${row}`,
      ...(uploadSessionId === undefined ? { imageUrl: `https://shop.example/${row}.jpg` } : { uploadSessionId }),
      parameters: { seed: Math.floor(random() * 100) },
    }));
    const onExisting = uploadSessionId === undefined ? "redo" : "skip";
    const answer = await post(client, "/v1/batches", { tool: "ai-shadows", onExisting, items });
    count(`batch ${answer?.status}`);
    if (answer?.status === 202) opened.push({ client, batchId: String(answer.body.id) });
    // 409: as many batches as the account may have are unfinished.
    else if (answer !== undefined && ![402, 409, 410].includes(answer.status)) unexpected("a batch", answer);
  }

  async function change({ client, batchId }: OpenedBatch, what: string): Promise<void> {
    const answer = await post(client, `/v1/batches/${batchId}/${what}`);
    count(`${what} batch ${answer?.status}`);
    if (answer !== undefined && ![200, 409].includes(answer.status)) unexpected(what, answer);
  }

  function unexpected(what: string, { status, body }: Answer): void {
    onUnexpected(`${what} was answered ${status} ${JSON.stringify(body)}`);
  }

  async function end(batch: OpenedBatch, untilMs: number): Promise<void> {
    const headers = headersOf(batch.client);
    while (performance.now() < untilMs) {
      const answer = await askUntilAnswered(`/v1/batches/${batch.batchId}`, () => ({ headers }));
      if (answer?.status === 200) {
        const { status, finishedAt, pausedBy } = answer.body;
        if (finishedAt !== null) return;
        if (status === "paused") await change(batch, pausedBy === "requested" ? "resume" : "cancel");
      }
      await setTimeout(lookEveryMs);
    }
    onUnexpected(`batch ${batch.batchId} does not end`);
  }

  return {
    async act(client) {
      const batch = random() < openShare ? undefined : pick(opened.slice(-recentMax));
      await (batch === undefined ? open(client) : change(batch, pick(changes)));
    },
    async endAll(timeoutMs) {
      const untilMs = performance.now() + timeoutMs;
      await Promise.all(opened.map((batch) => end(batch, untilMs)));
    },
  };
}
