/** Work that one process at a time does under a lease, again after every `everyMs`. */

import { pause } from "@packshot/platform/flow/pause.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Log } from "../log.ts";
import { acquireLease } from "./lease.ts";

export interface PeriodicTaskDeps {
  /** Names the lease. */
  readonly name: string;
  readonly log: Log;
  readonly logger: Logger;
  readonly everyMs: number;
  /** The state stream that the work is for; absent: there is one task for the whole log. */
  readonly streamIndex?: number;
  /** Ends early when `signal` aborts. An error is logged, and `work` is called again after `everyMs`. */
  readonly work: (signal: AbortSignal) => Promise<void>;
}

export function createPeriodicTask({ name, log, logger, everyMs, streamIndex = 0, work }: PeriodicTaskDeps): Component {
  const stopping = new AbortController();
  let repeating: Promise<void> | undefined;

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      const lease = await acquireLease({ log, name, logger, streamIndex }, stopping.signal);
      if (lease === undefined) return;
      const signal = AbortSignal.any([stopping.signal, lease.signal]);
      while (!signal.aborted) {
        await pause(everyMs, signal);
        if (signal.aborted) break;
        await work(signal).catch((error: unknown) =>
          logger.warn({ err: error, task: name }, "a periodic task was cut short"),
        );
      }
      await lease.release();
    }
  }

  return {
    name,
    async start() {
      repeating ??= repeat();
    },
    async stop() {
      stopping.abort();
      await repeating;
    },
  };
}
