/**
 * What a shop and its people do beside single edits: batches, what the console reads, keys and webhook secrets that are
 * changed every night. Each request goes to any API process that is up, and is repeated while none answers.
 */
import { randomUUID } from "node:crypto";
import { pause } from "@packshot/platform/flow/pause.ts";
import { Webhook as Verifier } from "standardwebhooks";
import type { Receiver } from "../../testing/webhooks/receiver.ts";
import type { ClientAccount } from "../cluster/clients.ts";
import type { Answer, AskUntilAnswered } from "../failures/exactness-client.ts";

export interface Shop extends ClientAccount {
  /** Batches and the console's reads until `signal`; resolves when its batches have ended. */
  run(signal: AbortSignal): Promise<void>;
  /** Another API key and another webhook secret. The key of the night before is revoked: nobody uses it any more. */
  rotate(): Promise<void>;
  /** Looks at the signatures of what came since the last call; fewer than five minutes old, as a receiver's library wants it. */
  verifyDeliveries(): void;
  readonly counts: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

export interface ShopDeps {
  readonly account: { readonly accountId: string; readonly key: string };
  readonly askUntilAnswered: AskUntilAnswered;
  /** No other shop has it. */
  readonly receiver: Receiver;
  /** Where rows find their photos. */
  readonly photoUrl: string;
  readonly batchEveryMs: number;
  readonly readEveryMs: number;
  readonly onRead: (ms: number) => void;
}

const rowsInBatch = 3;
const pollMs = 1_000;
/** What the console's pages ask for. */
const pages = [
  "/v1/account",
  "/v1/account/usage",
  "/v1/jobs?limit=50",
  "/v1/batches?limit=20",
  "/v1/webhooks",
  "/v1/account/keys",
  "/v1/tools",
];

export async function openShop(deps: ShopDeps): Promise<Shop> {
  const { account, askUntilAnswered, receiver, photoUrl } = deps;
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  const { accountId } = account;
  const secrets: string[] = [];
  let key = account.key;
  let keyId: string | undefined;
  let keyIdBefore: string | undefined;
  let verified = 0;

  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };

  /** For each try anew: the key may have been changed since the last one. */
  const authorized = () => ({ Authorization: `Bearer ${key}` });

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (method === "POST") headers["Idempotency-Key"] = randomUUID();
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await askUntilAnswered(path, () => ({ ...init, headers: { ...headers, ...authorized() } }));
    if (answer === undefined) throw new Error(`${path.split("?")[0]} was not answered`);
    if (answer.status >= 400)
      wrong.push(`${method} ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async function runBatch(): Promise<void> {
    const items = Array.from({ length: rowsInBatch }, (_, row) => ({ ref: `row-${row}`, imageUrl: photoUrl }));
    const { body } = await call("POST", "/v1/batches", { tool: "ai-shadows", onExisting: "redo", items });
    for (;;) {
      const { body: batch } = await call("GET", `/v1/batches/${body.id}`);
      if (batch.finishedAt !== null) {
        const { completed } = batch.counts as { readonly completed: number };
        count("batches");
        count("rows", completed);
        if (completed !== rowsInBatch) wrong.push(`batch ${body.id} ended ${JSON.stringify(batch.counts)}`);
        return;
      }
      await pause(pollMs, new AbortController().signal);
    }
  }

  async function read(turn: number): Promise<void> {
    const startedAtMs = performance.now();
    const path = pages[turn % pages.length]!;
    const answer = await askUntilAnswered(path, () => ({ headers: authorized() }));
    deps.onRead(performance.now() - startedAtMs);
    if (answer?.status !== 200) wrong.push(`${path} was answered ${answer?.status}`);
    count("reads");
  }

  async function repeat(everyMs: number, signal: AbortSignal, act: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      const nextAtMs = performance.now() + everyMs;
      await act(turn).catch((error: Error) => wrong.push(error.message));
      await pause(nextAtMs - performance.now(), signal);
    }
  }

  const { body: webhook } = await call("POST", "/v1/webhooks", { url: receiver.url });
  secrets.push(String(webhook.secret));
  return {
    accountId,
    get key() {
      return key;
    },
    async run(signal) {
      await Promise.all([repeat(deps.batchEveryMs, signal, runBatch), repeat(deps.readEveryMs, signal, read)]);
    },
    async rotate() {
      const { body } = await call("POST", "/v1/account/keys", { name: "tonight's" });
      if (keyIdBefore !== undefined) await call("DELETE", `/v1/account/keys/${keyIdBefore}`);
      [keyIdBefore, keyId] = [keyId, String(body.id)];
      key = String(body.key);
      const { body: rotated } = await call("POST", `/v1/webhooks/${webhook.id}/rotate-secret`);
      secrets.push(String(rotated.secret));
      count("rotations");
    },
    verifyDeliveries() {
      const fresh = receiver.received.slice(verified);
      verified += fresh.length;
      for (const { body, headers, id } of fresh) {
        // The newest ones: each signs for a day more, which is not scaled.
        if (!secrets.some((secret) => isSigned(secret, body, headers)))
          wrong.push(`delivery ${id} is signed by no secret`);
      }
      count("deliveries", fresh.length);
    },
    counts,
    wrong,
  };
}

function isSigned(secret: string, body: string, headers: object): boolean {
  try {
    new Verifier(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
