/** An exactness run's requests: each is repeated on other processes until it is answered. */
import type { Fleet } from "./exactness-processes.ts";

/** An account with one of its keys. */
export interface Client {
  readonly accountId: string;
  readonly apiKey: string;
  readonly live: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const requestTimeoutMs = 20_000;
/** Time for processes to start again on a busy machine. */
const answerMsMax = 60_000;

/** undefined: no process has answered for a minute. */
export type AskUntilAnswered = (path: string, init: () => RequestInit) => Promise<Answer | undefined>;

export interface RetryingClientDeps {
  readonly fleet: Pick<Fleet, "apis">;
  readonly random: () => number;
  readonly count: (what: string) => void;
}

/** Sends requests to any process that is up. */
export function createRetryingClient({ fleet, random, count }: RetryingClientDeps): {
  readonly ask: (path: string, init: RequestInit, admin?: boolean) => Promise<Answer | undefined>;
  readonly askUntilAnswered: AskUntilAnswered;
} {
  /** undefined: no process is up, or it died on the way and the outcome is unknown. */
  async function ask(path: string, init: RequestInit, admin = false): Promise<Answer | undefined> {
    const apis = fleet.apis();
    const api = apis[Math.floor(random() * apis.length)];
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

  /** Repeats the request on any process until it is answered with less than 500. */
  async function askUntilAnswered(path: string, init: () => RequestInit): Promise<Answer | undefined> {
    for (const untilMs = performance.now() + answerMsMax; performance.now() < untilMs; ) {
      const answer = await ask(path, init());
      if (answer !== undefined && answer.status < 500) return answer;
      count(answer === undefined ? "unanswered" : `answered ${answer.status}`);
      await pause(50 + random() * 200);
    }
    return undefined;
  }

  return { ask, askUntilAnswered };
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
