/**
 * A lease: a record with a short TTL, whose holder does the work so that it is not done twice. It is no fence: a holder
 * that stalls is replaced while it still believes that it holds the lease, and what it writes then must be harmless by
 * other means.
 */
import { nuid } from "@nats-io/transport-node";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Log } from "../log.ts";

const renewEveryMs = 2_000;

interface LeaseRecord {
  readonly v: 1;
  readonly holder: string;
}

export interface Lease {
  /** Aborts when the lease is lost or released. */
  readonly signal: AbortSignal;
  /** Ends the lease, so that another process can take over at once. */
  release(): Promise<void>;
}

export interface LeaseDeps {
  readonly log: Log;
  readonly name: string;
  readonly logger: Logger;
  /** The state stream whose work the lease covers; absent: the first. */
  readonly streamIndex?: number;
}

/** Resolves once this process holds the lease; undefined when `signal` aborted first. */
export async function acquireLease(
  { log, name, logger, streamIndex = 0 }: LeaseDeps,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const subject = subjects.lease(streamIndex, name);
  const record: LeaseRecord = { v: 1, holder: nuid.next() };

  async function tryAcquire(): Promise<boolean> {
    const found = await log.read<LeaseRecord>(subject);
    if (found.value !== undefined && found.value.holder !== record.holder) return false;
    await log.commit("lease", [{ subject, value: record, expected: found.sequence, ttlSeconds: ttlSeconds.lease }]);
    return true;
  }

  // A lost race, a lost answer and an unreachable server are handled alike: try again later.
  while (!(await tryAcquire().catch(() => false))) {
    await pause(renewEveryMs * (0.75 + 0.5 * Math.random()), signal);
    if (signal.aborted) return undefined;
  }
  logger.debug({ lease: name, streamIndex }, "lease acquired");
  const ending = new AbortController();
  const renewal = renew().finally(() => ending.abort());

  async function renew(): Promise<void> {
    let validUntilMs = performance.now() + ttlSeconds.lease * 1000;
    while (!ending.signal.aborted) {
      await pause(renewEveryMs, ending.signal);
      if (ending.signal.aborted) return;
      const requestedAtMs = performance.now();
      const isMine = await tryAcquire().catch(() => undefined);
      if (isMine === true) validUntilMs = requestedAtMs + ttlSeconds.lease * 1000;
      if (isMine === false || performance.now() > validUntilMs) {
        logger.warn({ lease: name, streamIndex }, "lease lost");
        return;
      }
    }
  }

  return {
    signal: ending.signal,
    async release() {
      const isLost = ending.signal.aborted;
      ending.abort();
      await renewal;
      if (isLost) return;
      const found = await log.read<LeaseRecord>(subject).catch(() => undefined);
      if (found?.value?.holder !== record.holder) return;
      const tombstone = { subject, value: null, expected: found.sequence, ttlSeconds: ttlSeconds.unfollowedTombstone };
      await log.commit("lease", [tombstone]).catch(() => {});
    },
  };
}
