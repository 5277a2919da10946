import { setTimeout as delay } from "node:timers/promises";

/** Something that runs until it ends or is stopped: a service process or a nats-server. */
export interface Running {
  /** Resolves with how it ended, as "ended with status 1". */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface Supervised<R extends Running> {
  readonly name: string;
  /** Result of the first start. */
  readonly first: R;
  stop(): Promise<void>;
}

const backoffFirstMs = 1_000;
const backoffMaxMs = 30_000;
/** A process that ran this long starts again after the first wait. */
const steadyMs = 60_000;

/** A program that does not watch its stdin is under a shell, which the signal ends. */
const endsOfStops = ["ended with status 0", "was ended by SIGTERM"];

/** The wait before the next start: doubled with each crash in a row. */
export function backoffMs(crashesInARow: number): number {
  return Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.max(0, crashesInARow - 1));
}

/**
 * Keeps one process running: starts it again when it ends by itself, with longer waits while it keeps ending. Rejects
 * when the first start does.
 */
export async function supervise<R extends Running>(
  name: string,
  start: (previous: R | undefined) => Promise<R>,
  say: (line: string) => void,
): Promise<Supervised<R>> {
  const first = await start(undefined);
  const stopping = new AbortController();
  let current: R | undefined = first;

  async function restartWhenItEnds(): Promise<void> {
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

  async function stopCurrent(): Promise<void> {
    const stopped = current;
    if (stopped === undefined) return;
    await stopped.stop();
    const how = await stopped.ended;
    if (typeof how === "string" && !endsOfStops.includes(how)) say(`${name} ${how} while it stopped`);
  }

  const supervision = restartWhenItEnds();
  return {
    name,
    first,
    async stop() {
      stopping.abort();
      await stopCurrent();
      await supervision;
      // A restart may have been under way.
      await stopCurrent();
    },
  };
}
