/**
 * Erases accounts: at once in the process that took the request, and, where that one died or the log or the storage was
 * away, by one process that looks for erasures that are not done.
 */
import type { Erasure } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createSingleFlight } from "@packshot/platform/flow/single-flight.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type EraseDeps, eraseAccount } from "./erase-account.ts";

export interface EraserDeps extends EraseDeps {
  readonly logger: Logger;
  /** Five seconds when absent. */
  readonly everyMs?: number;
}

export interface Eraser extends Component {
  /** Returns at once: the erasure is recorded, and goes on without this process too. */
  begin(erasure: Erasure): void;
}

/** The keeper settles the ended jobs in between. */
const passPauseMs = 250;
const passesMax = 40;

export function createEraser(deps: EraserDeps): Eraser {
  const { log, logger, everyMs = 5_000 } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const flights = createSingleFlight<void>();

  async function erase(erasure: Erasure): Promise<void> {
    const { accountId } = erasure;
    let failure: unknown;
    for (let pass = 1; pass <= passesMax && !stopping.signal.aborted; pass++) {
      try {
        if (await eraseAccount(deps, erasure)) return logger.info({ accountId }, "an account was erased");
        failure = undefined;
      } catch (error) {
        failure = error;
      }
      await pause(passPauseMs, stopping.signal);
    }
    logger.warn({ err: failure, accountId }, "an account is not erased yet; the next look tries again");
  }

  async function eraseAll(signal: AbortSignal): Promise<void> {
    for await (const subject of listRecordSubjects(log, subjects.erasure("*"))) {
      if (signal.aborted) return;
      const { value } = await log.read<Erasure>(subject);
      if (value !== undefined) await flights.run(value.accountId, () => erase(value));
    }
  }

  const looking = createPeriodicTask({ name: "eraser", log, logger, everyMs, work: eraseAll });

  return {
    name: "eraser",
    start: looking.start,
    begin(erasure) {
      const run = flights.run(erasure.accountId, () => erase(erasure)).finally(() => running.delete(run));
      running.add(run);
    },
    async stop() {
      stopping.abort();
      await looking.stop();
      await Promise.all(running);
    },
  };
}
