/** Clients of an exactness run: random operations over HTTP, each repeated on other processes until it is answered. */
import { randomUUID } from "node:crypto";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createBatchClients } from "./exactness-batches.ts";
import { type Answer, type Client, createRetryingClient } from "./exactness-client.ts";
import type { Fleet } from "./exactness-processes.ts";

export interface TestAccount {
  readonly accountId: string;
  readonly liveKey: string;
  readonly testKey: string;
}

export interface Traffic {
  /** Ids of jobs that a client got in an answer. */
  readonly accepted: Set<string>;
  readonly counts: Record<string, number>;
  /** Answers that no client should get. */
  readonly unexpectedAnswers: string[];
}

export interface TrafficOptions {
  readonly fleet: Pick<Fleet, "apis">;
  readonly accounts: readonly TestAccount[];
  /** This many accounts, the first ones, get most of the traffic. */
  readonly busyAccounts: number;
  readonly random: () => number;
  readonly adminToken: string;
  readonly signal: AbortSignal;
  /** Writes another ready message for the same job, as a repair may. */
  readonly duplicate: (accountId: string, jobId: string) => Promise<void>;
  /** Bytes of a PNG; a tiny one when absent. */
  readonly photo?: Buffer;
  /** Between two operations of a client; none when absent. */
  readonly pauseMs?: number;
}

/** 8 × 8 pixels of one color. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP438CAFWEXHbQSAKmzX8FBxi1QAAAAAElFTkSuQmCC",
  "base64",
);
const busyShare = 0.7;
const sandboxShare = 0.25;

export function createTraffic(options: TrafficOptions) {
  const { fleet, accounts, random, adminToken, signal, photo = tinyPng, pauseMs = 0 } = options;
  const traffic: Traffic = { accepted: new Set(), counts: {}, unexpectedAnswers: [] };
  const recent: { client: Client; jobId: string }[] = [];

  function pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(random() * from.length)];
  }

  function whole(below: number): number {
    return Math.floor(random() * below);
  }

  function count(what: string): void {
    traffic.counts[what] = (traffic.counts[what] ?? 0) + 1;
  }

  const { ask, askUntilAnswered } = createRetryingClient({ fleet, random, count });
  const batches = createBatchClients({
    askUntilAnswered,
    random,
    count,
    photo,
    onUnexpected: (answer) => void traffic.unexpectedAnswers.push(answer),
  });

  /** An edit of a file or of an upload session, sometimes sent three times at once with one key. */
  async function submit(client: Client, uploadSessionId?: string): Promise<void> {
    const authorization = `Bearer ${client.apiKey}`;
    const metadata = {
      behave: pick(["complete", "complete", "complete", "fail", "refuse", "full"])!,
      ms: String(whole(120)),
      test: pick(["completed", "completed", "queued", "failed/no_product_found"])!,
    };
    const flat = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value] as const);
    const fields = { seed: whole(1000), ...Object.fromEntries(flat) };
    const headers = { Authorization: authorization, "Idempotency-Key": randomUUID() };
    const init = (): RequestInit => {
      if (uploadSessionId === undefined) return { method: "POST", headers, body: formOf(photo, fields) };
      const body = JSON.stringify({ uploadSessionId, parameters: { seed: Number(fields.seed) }, metadata });
      return { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body };
    };
    const tool = pick(["ai-shadows", "ai-shadows", "ai-bg"])!;
    const once = () => askUntilAnswered(`/v1/tools/${tool}/edit`, init);
    const answers = await Promise.all(random() < 0.15 ? [once(), once(), once()] : [once()]);
    count(client.live ? "submit" : "submit to the sandbox");
    recordAnswers(client, answers);
  }

  function recordAnswers(client: Client, answers: readonly (Answer | undefined)[]): void {
    const ids = new Set(answers.flatMap((answer) => (answer?.status === 202 ? [String(answer.body.id)] : [])));
    if (ids.size > 1) traffic.unexpectedAnswers.push(`one Idempotency-Key made ${[...ids].join(" and ")}`);
    for (const jobId of ids) {
      traffic.accepted.add(jobId);
      recent.push({ client, jobId });
      if (recent.length > 40) recent.shift();
    }
    for (const answer of answers) {
      if (answer === undefined) count("gave up");
      else if (answer.status === 202) count("accepted");
      // 410: the replay of a key whose job has been cleaned up already.
      else if ([402, 410, 429].includes(answer.status)) count(String(answer.body.code));
      else traffic.unexpectedAnswers.push(`an edit was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }

  /** Two edits of one upload session, which is removed while they run. */
  async function uploadAndEdit(client: Client): Promise<void> {
    const headers = { Authorization: `Bearer ${client.apiKey}` };
    const body = JSON.stringify({ contentType: "image/png", filename: "p.png", sizeBytes: photo.length });
    const json = { ...headers, "Content-Type": "application/json", "Idempotency-Key": randomUUID() };
    const created = await askUntilAnswered("/v1/uploads", () => ({ method: "POST", headers: json, body }));
    if (created?.status !== 201) return;
    const { uploadUrl, uploadSessionId } = created.body as { uploadUrl: string; uploadSessionId: string };
    const { pathname, search } = new URL(uploadUrl);
    const put = { method: "PUT", headers: { "Content-Type": "image/png" }, body: new Uint8Array(photo) };
    const sent = await askUntilAnswered(`${pathname}${search}`, () => put);
    if (sent === undefined || sent.status >= 300) {
      if (sent !== undefined) traffic.unexpectedAnswers.push(`an upload was answered ${sent.status}`);
      return;
    }
    await Promise.all([submit(client, uploadSessionId), submit(client, uploadSessionId)]);
    await askUntilAnswered(`/v1/uploads/${uploadSessionId}`, () => ({ method: "DELETE", headers }));
    count("upload");
  }

  async function end(how: "cancel" | "delete"): Promise<void> {
    const target = pick(recent);
    if (target === undefined) return;
    const { client, jobId } = target;
    const headers = { Authorization: `Bearer ${client.apiKey}` };
    const [path, method] = how === "cancel" ? [`/v1/jobs/${jobId}/cancel`, "POST"] : [`/v1/jobs/${jobId}`, "DELETE"];
    const answer = await askUntilAnswered(path, () => ({ method, headers }));
    count(`${how} ${answer?.status}`);
    const expected = how === "cancel" ? [200, 404, 409] : [204, 404];
    if (answer !== undefined && !expected.includes(answer.status))
      traffic.unexpectedAnswers.push(`${how} was answered ${answer.status}`);
  }

  async function operate(account: TestAccount): Promise<void> {
    const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
    const path = `/admin/v1/accounts/${account.accountId}`;
    if (random() < 0.5) {
      const body = JSON.stringify({ amount: whole(40) - 10, note: "exactness" });
      await ask(`${path}/grants`, { method: "POST", headers, body }, true);
      count("grant");
      return;
    }
    const body = JSON.stringify({ limits: { concurrentJobs: 1 + whole(6) } });
    await ask(path, { method: "PATCH", headers, body }, true);
    count("limit");
  }

  async function duplicate(): Promise<void> {
    const target = pick(recent);
    if (target === undefined) return;
    await options.duplicate(target.client.accountId, target.jobId);
    count("duplicate");
  }

  async function act(): Promise<void> {
    while (!signal.aborted) {
      const dice = random();
      const account = pick(random() < busyShare ? accounts.slice(0, options.busyAccounts) : accounts)!;
      const live = random() >= sandboxShare;
      const client = { accountId: account.accountId, apiKey: live ? account.liveKey : account.testKey, live };
      if (dice < 0.5) await submit(client);
      else if (dice < 0.55) await batches.act(client);
      else if (dice < 0.6) await uploadAndEdit(client);
      else if (dice < 0.77) await end("cancel");
      else if (dice < 0.93) await end("delete");
      else if (dice < 0.97) await operate(account);
      else await duplicate();
      if (pauseMs > 0) await pause(pauseMs, signal);
    }
  }

  return {
    traffic,
    endBatches: batches.endAll,
    /** Resolves when every client has stopped after `signal`. */
    run: async (clients: number): Promise<void> => void (await Promise.all(Array.from({ length: clients }, act))),
  };
}

function formOf(photo: Buffer, fields: Readonly<Record<string, string | number>>): FormData {
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(photo)], { type: "image/png" }), "product.png");
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return form;
}
