/** Waits until a log has nothing left to do, so that it can be checked. */

import { jetstreamManager } from "@nats-io/jetstream";
import { type Account, windowCounts } from "@packshot/domain/accounts/account.ts";
import { type WindowKind, windowKinds } from "@packshot/domain/accounts/window.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { readNextMessage } from "@packshot/log/nats/leader-read.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect } from "vitest";
import { sweepFiles } from "../../services/api/features/jobs/janitor.ts";

const pollEveryMs = 250;
/** The hourly sweep leaves files of the last hour alone: they may be of an attempt that is under way. */
const sweptAfterMs = 7_200_000;

/** Live jobs end by themselves; sandbox jobs that stay queued end at their deadline. */
export async function waitUntilIdle(log: Log, accountIds: readonly string[], timeout: number): Promise<void> {
  const busy = async (window: WindowKind) => {
    const records = await Promise.all(accountIds.map((accountId) => log.read<Account>(subjects.account(accountId))));
    return records.map(({ value }) => windowCounts(value!, window)).map(({ running, waiting }) => running + waiting);
  };
  const poll = { timeout, interval: pollEveryMs };
  for (const window of windowKinds) await expect.poll(() => busy(window), poll).toEqual(accountIds.map(() => 0));
  // When a worker died after its last commit, its message comes back, and another worker finds that nothing is left to
  // do.
  const manager = await jetstreamManager(log.connection);
  await expect.poll(async () => (await manager.streams.info(streams.ready)).state.messages, poll).toBe(0);
}

/**
 * Waits until retention has passed for every job, then removes the files that dead processes left, as the hourly sweep
 * does. Resolves with how many there were.
 */
export async function sweepOrphanFiles(log: Log, storage: Storage, timeout?: number): Promise<number> {
  const filesWhenQuiet = async () => {
    const before = (await Array.fromAsync(storage.list("api/"))).length;
    const next = await Promise.all(
      log.stateStreams.map(async ({ index, state }) => {
        const last = await log.read<{ stateSequence: number }>(subjects.cursor(index, "janitor-expired"));
        const from = (last.value?.stateSequence ?? 0) + 1;
        return await readNextMessage(log.connection, state, subjects.event("*", "*", "*"), from);
      }),
    );
    return next.every((event) => event === undefined) ? before : -1;
  };
  const poll = { interval: pollEveryMs, ...(timeout === undefined ? {} : { timeout }) };
  await expect.poll(filesWhenQuiet, poll).toBeGreaterThanOrEqual(0);
  const litter = (await Array.fromAsync(storage.list("api/"))).length;
  await sweepFilesNow(log, storage);
  return litter;
}

/** The hourly sweep, of files of the last hour too: nothing may be under way. */
export async function sweepFilesNow(log: Log, storage: Storage): Promise<void> {
  const logger = createLogger({ name: "settle-down", level: "error" });
  await sweepFiles({ log, storage, logger, nowMs: () => Date.now() + sweptAfterMs }, new AbortController().signal);
}
