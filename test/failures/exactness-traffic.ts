/** Clients of an exactness run: random operations over HTTP, each asked again elsewhere until it has an answer. */
import { randomUUID } from "node:crypto";
import type { Fleet } from "./exactness-processes.ts";

export interface TestAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

export interface Traffic {
  /** Ids of jobs that a client was told of. */
  readonly accepted: Set<string>;
  readonly counts: Record<string, number>;
  /** Answers that no client should get. */
  readonly surprises: string[];
}

export interface TrafficOptions {
  readonly fleet: Fleet;
  readonly accounts: readonly TestAccount[];
  readonly random: () => number;
  readonly adminToken: string;
  readonly signal: AbortSignal;
}

/** 8 × 8 pixels of one colour. */
const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP438CAFWEXHbQSAKmzX8FBxi1QAAAAAElFTkSuQmCC",
  "base64",
);
const requestTimeoutMs = 20_000;
/** Time for processes to start again on a busy machine. */
const answerMsMax = 60_000;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export function createTraffic({ fleet, accounts, random, adminToken, signal }: TrafficOptions) {
  const traffic: Traffic = { accepted: new Set(), counts: {}, surprises: [] };
  const recent: { account: TestAccount; jobId: string }[] = [];

  function pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(random() * from.length)];
  }

  function count(what: string): void {
    traffic.counts[what] = (traffic.counts[what] ?? 0) + 1;
  }

  /** undefined: the process died on the way, or none is up; its outcome is unknown. */
  async function ask(path: string, init: RequestInit, admin = false): Promise<Answer | undefined> {
    const api = pick(fleet.apis());
    if (api === undefined) return undefined;
    try {
      const answer = await fetch(`${admin ? api.adminUrl : api.url}${path}`, {
        ...init,
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      const text = await answer.text();
      const body = text === "" ? {} : (JSON.parse(text) as Answer["body"]);
      return { status: answer.status, body };
    } catch {
      return undefined;
    }
  }

  /** Again on any process until there is an answer that is not "try again". */
  async function askUntilAnswered(path: string, init: () => RequestInit): Promise<Answer | undefined> {
    for (const untilMs = performance.now() + answerMsMax; performance.now() < untilMs; ) {
      const answer = await ask(path, init());
      if (answer !== undefined && answer.status < 500) return answer;
      count(answer === undefined ? "unanswered" : `answered ${answer.status}`);
      await breath(50 + random() * 200);
    }
    return undefined;
  }

  async function submit(account: TestAccount): Promise<void> {
    const key = randomUUID();
    const behave = pick(["complete", "complete", "complete", "fail", "refuse"])!;
    const [ms, seed] = [String(Math.floor(random() * 120)), String(Math.floor(random() * 1000))];
    const form = () => {
      const fields = new FormData();
      fields.set("image", new Blob([tinyPng], { type: "image/png" }), "product.png");
      for (const [name, value] of Object.entries({ seed, "metadata.behave": behave, "metadata.ms": ms })) {
        fields.set(name, value);
      }
      return fields;
    };
    const headers = { Authorization: `Bearer ${account.apiKey}`, "Idempotency-Key": key };
    const tool = pick(["ai-shadows", "ai-shadows", "ai-bg"])!;
    const once = () => askUntilAnswered(`/v1/tools/${tool}/edit`, () => ({ method: "POST", headers, body: form() }));
    const answers = await Promise.all(random() < 0.15 ? [once(), once(), once()] : [once()]);
    count("submit");
    const ids = new Set(answers.flatMap((answer) => (answer?.status === 202 ? [String(answer.body.id)] : [])));
    if (ids.size > 1) traffic.surprises.push(`one Idempotency-Key made ${[...ids].join(" and ")}`);
    for (const jobId of ids) {
      traffic.accepted.add(jobId);
      recent.push({ account, jobId });
      if (recent.length > 40) recent.shift();
    }
    for (const answer of answers) {
      if (answer === undefined) count("gave up");
      else if (answer.status === 202) count("accepted");
      // 410: the replay of a key whose job has been cleaned up already.
      else if ([402, 410, 429].includes(answer.status)) count(String(answer.body.code));
      else traffic.surprises.push(`an edit was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }

  async function end(how: "cancel" | "delete"): Promise<void> {
    const target = pick(recent);
    if (target === undefined) return;
    const { account, jobId } = target;
    const headers = { Authorization: `Bearer ${account.apiKey}` };
    const [path, method] = how === "cancel" ? [`/v1/jobs/${jobId}/cancel`, "POST"] : [`/v1/jobs/${jobId}`, "DELETE"];
    const answer = await askUntilAnswered(path, () => ({ method, headers }));
    count(`${how} ${answer?.status}`);
    const expected = how === "cancel" ? [200, 404, 409] : [204, 404];
    if (answer !== undefined && !expected.includes(answer.status))
      traffic.surprises.push(`${how} was answered ${answer.status}`);
  }

  async function grant(account: TestAccount): Promise<void> {
    const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ amount: Math.floor(random() * 40) - 10, note: "exactness" });
    await ask(`/admin/v1/accounts/${account.accountId}/grants`, { method: "POST", headers, body }, true);
    count("grant");
  }

  async function client(): Promise<void> {
    while (!signal.aborted) {
      const dice = random();
      const account = pick(accounts)!;
      if (dice < 0.62) await submit(account);
      else if (dice < 0.8) await end("cancel");
      else if (dice < 0.97) await end("delete");
      else await grant(account);
    }
  }

  return {
    traffic,
    /** Resolves when every client has stopped after `signal`. */
    run: async (clients: number): Promise<void> => void (await Promise.all(Array.from({ length: clients }, client))),
  };
}

async function breath(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
