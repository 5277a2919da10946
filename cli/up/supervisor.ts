import { setTimeout as delay } from "node:timers/promises";

/** Something that runs until it ends or is stopped: a service process or a nats-server. */
export interface Running {
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface Supervised<R extends Running> {
  readonly name: string;
  /** What the first start answered. */
  readonly first: R;
  stop(): Promise<void>;
}

const backoffFirstMs = 1_000;
const backoffMaxMs = 30_000;
/** After this long a crash is a new trouble, not the old one. */
const steadyMs = 60_000;

/** The wait before the next start: doubled with each crash in a row. */
export function backoffMs(crashesInARow: number): number {
  return Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.max(0, crashesInARow - 1));
}

/**
 * Keeps one process running: what ends unasked is started again, later and later while it keeps ending. The first start
 * is the caller's to judge: it rejects as `start` does.
 */
export async function supervise<R extends Running>(
  name: string,
  start: (previous: R | undefined) => Promise<R>,
  say: (line: string) => void,
): Promise<Supervised<R>> {
  const first = await start(undefined);
  const stopping = new AbortController();
  let current: R | undefined = first;

  async function keepRunning(): Promise<void> {
    let crashes = 0;
    let previous = first;
    while (!stopping.signal.aborted) {
      const startedAtMs = Date.now();
      const how = current === undefined ? "could not start" : await current.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      crashes = Date.now() - startedAtMs > steadyMs ? 1 : crashes + 1;
      const waitMs = backoffMs(crashes);
      say(`${name} ${typeof how === "string" ? how : "ended"}; starting it again in ${waitMs / 1000} s`);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        current = await start(previous);
        previous = current;
        say(`${name} is back`);
      } catch (error) {
        say((error as Error).message);
      }
    }
  }

  const kept = keepRunning();
  return {
    name,
    first,
    async stop() {
      stopping.abort();
      await current?.stop();
      await kept;
      // A start that was under way when the stop came.
      await current?.stop();
    },
  };
}
