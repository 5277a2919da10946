/** What the log takes of one job that is alone: from the call that accepts it to the commit that settles it. */
import type { Log } from "@packshot/log/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { openTestAccount } from "../../testing/log/accepted-jobs.ts";
import { newTestJob } from "../../testing/log/job-records.ts";
import { createAccepting, createWorking } from "./job-parts.ts";

/** When a job reached each state, in milliseconds of one clock. */
interface Times {
  acceptedAt: number;
  pulledAt: number;
  claimedAt: number;
  finishedAt: number;
  settledAt: number;
}

/** Milliseconds. */
export type IdleJob = Record<"accept" | "pull" | "claim" | "finish" | "settle" | "whole", number>;

/** Accept, claim, finish and settle in one process, one job after the other; each begins when the one before is settled. */
export async function runIdleJobs(deps: { log: Log; logger: Logger }, count: number): Promise<IdleJob[]> {
  const accountId = await openTestAccount(deps.log, {}, 1_000_000);
  let times: Partial<Times> = {};
  let onSettled = () => {};
  const { accept, components } = createAccepting(deps, () => {
    times.settledAt = performance.now();
    onSettled();
  });
  const working = createWorking({
    ...deps,
    slots: 1,
    observe: (queue, claims) => ({
      queue: {
        ...queue,
        async take(max, signal) {
          const messages = await queue.take(max, signal);
          times.pulledAt = performance.now();
          return messages;
        },
      },
      claims: {
        ...claims,
        async claim(message) {
          const outcome = await claims.claim(message);
          times.claimedAt = performance.now();
          return outcome;
        },
        async complete(...args) {
          const outcome = await claims.complete(...args);
          times.finishedAt = performance.now();
          return outcome;
        },
      },
    }),
  });
  const all = [...components, ...working];
  for (const component of all) await component.start();

  async function runOne(): Promise<IdleJob> {
    times = {};
    const settled = Promise.withResolvers<void>();
    onSettled = settled.resolve;
    const startedAt = performance.now();
    await accept(accountId, { job: newTestJob(accountId), idempotency: undefined });
    times.acceptedAt = performance.now();
    await settled.promise;
    const { acceptedAt, pulledAt, claimedAt, finishedAt, settledAt } = times as Times;
    return {
      accept: acceptedAt - startedAt,
      pull: pulledAt - acceptedAt,
      claim: claimedAt - pulledAt,
      finish: finishedAt - claimedAt,
      settle: settledAt - finishedAt,
      whole: settledAt - startedAt,
    };
  }

  const jobs: IdleJob[] = [];
  for (let i = 0; i < count; i++) jobs.push(await runOne());
  for (const component of all.toReversed()) await component.stop();
  return jobs;
}
