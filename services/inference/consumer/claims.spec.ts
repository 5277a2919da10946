import { uuidv7 } from "@packshot/domain/ids.ts";
import { cancelJob, claimJob, type Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { LogConflict } from "@packshot/log/nats/errors.ts";
import { expect, test } from "vitest";
import { queuedJob } from "../../../testing/log/job-records.ts";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createClaims } from "./claims.ts";
import type { ReadyMessage } from "./ready-queue.ts";

const log = suiteFixture(startLog);
const retentionMs = 60_000;

/** A log whose first commit meets a conflict, after `before`. */
function conflictingOnce(before: () => Promise<void>): Log {
  let commits = 0;
  return {
    ...log,
    async commit(transition, writes) {
      commits += 1;
      if (commits > 1) return await log.commit(transition, writes);
      await before();
      throw new LogConflict(transition);
    },
  };
}

async function queueJob() {
  const job = queuedJob();
  const subject = subjects.job(job.accountId, job.id);
  const { firstSequence } = await log.commit("accept", [{ subject, value: job, expected: 0 }]);
  const message: ReadyMessage = {
    accountId: job.accountId,
    jobId: job.id,
    lane: 0,
    sequence: 1,
    deliveries: 1,
    ack: async () => {},
    nak() {},
    working() {},
  };
  return { job, subject, sequence: firstSequence, message };
}

test("a claim that met a conflict skips the job that another worker has claimed", async () => {
  const { job, subject, sequence, message } = await queueJob();
  const claims = createClaims({
    log: conflictingOnce(async () => {
      const request = { attemptId: uuidv7(), readySequence: 2, nowMs: Date.now(), retentionMs };
      const decision = claimJob(job, request);
      if (decision.kind !== "claimed") throw new Error(decision.kind);
      await log.commit("claim", [{ subject, value: decision.job, expected: sequence }]);
    }),
    retentionMs,
  });
  expect(await claims.claim(message)).toEqual({ kind: "skip" });
});

test("a claim that met a conflict claims the job that nobody has written since", async () => {
  const { message } = await queueJob();
  const claims = createClaims({ log: conflictingOnce(async () => {}), retentionMs });
  expect(await claims.claim(message)).toMatchObject({ kind: "claimed", claim: { job: { attempts: 1 } } });
});

const times = () => ({ nowMs: Date.now(), retentionMs });
const file = { key: "k", contentType: "image/png", bytes: 1 };
const result = { result: file, thumbnail: file, model: null, report: {}, timings: {}, inferenceMs: 0 };

async function claimed(on: Log = log) {
  const { message, subject } = await queueJob();
  const claims = createClaims({ log: on, retentionMs });
  const outcome = await createClaims({ log, retentionMs }).claim(message);
  if (outcome.kind !== "claimed") throw new Error(outcome.kind);
  return { claims, subject, claim: outcome.claim };
}

test("a job whose delivery has started is not cancelled any more, and completes by the claim as it is then", async () => {
  const { claims, subject, claim } = await claimed();
  const delivering = await claims.startDelivery(claim);
  const { value, sequence } = await log.read<Job>(subject);
  expect(delivering).toEqual({ job: value, sequence });
  expect(() => cancelJob(value!, times())).toThrow("on its way to your bucket");
  expect(await claims.complete(delivering!, result)).toBe("recorded");
  expect((await log.read<Job>(subject)).value).not.toHaveProperty("deliveringSince");
});

test("no delivery starts of a job that was cancelled meanwhile", async () => {
  const { claims, subject, claim } = await claimed();
  const cancelled = cancelJob(claim.job, times());
  await log.commit("cancel", [{ subject, value: cancelled, expected: claim.sequence }]);
  expect(await claims.startDelivery(claim)).toBeUndefined();
  expect(await claims.complete(claim, result)).toBe("superseded");
});

test("a delivery starts once though the log's answer was lost", async () => {
  let commits = 0;
  const { claims, subject, claim } = await claimed({
    ...log,
    transact: async (transition, decide) =>
      await log.transact(transition, async (attempt) => {
        const decision = await decide(attempt);
        if ("done" in decision) return decision;
        commits += 1;
        await log.commit(transition, decision.writes);
        throw new LogConflict(transition);
      }),
  });
  const delivering = await claims.startDelivery(claim);
  const { value, sequence } = await log.read<Job>(subject);
  expect([delivering, commits]).toEqual([{ job: value, sequence }, 1]);
});
