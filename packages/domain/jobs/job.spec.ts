import fc from "fast-check";
import { expect, test } from "vitest";
import { queuedJob } from "../../../testing/log/job-records.ts";
import { isoTime, uuidv7 } from "../ids.ts";
import {
  allResults,
  attemptsMax,
  cancelJob,
  claimJob,
  completeJob,
  createJobError,
  defaultQueueDeadlines,
  failJob,
  isEnded,
  type Job,
  type JobResult,
  jobDeadlineMs,
  type ProcessingJob,
  repairGraceMs,
  repairJob,
  requeueJob,
} from "./job.ts";

const retentionMs = 3_600_000;
const startMs = Date.UTC(2026, 10, 20);
const error = createJobError("image_unreadable", "test");
const file = { key: "k", contentType: "image/png", bytes: 1 };
const result = { result: file, thumbnail: file, model: "packshot-mask@1", report: {}, timings: {}, inferenceMs: 0 };

const newJob = () => queuedJob({ createdAt: isoTime(startMs) });

function claimed(job: Job, readySequence = 1, nowMs = startMs): ProcessingJob {
  const decision = claimJob(job, { attemptId: uuidv7(), readySequence, nowMs, retentionMs });
  if (decision.kind !== "claimed") throw new Error(decision.kind);
  return decision.job;
}

type Step =
  | { readonly do: "claim"; readonly message: number }
  | { readonly do: "complete" | "fail" | "requeue" | "cancel" | "repair"; readonly actor: number }
  | { readonly do: "read"; readonly actor: number }
  | { readonly do: "wait"; readonly ms: number };

const actorsMax = 3;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("claim" as const), message: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("complete" as const, "fail", "requeue", "cancel", "repair"),
      actor: fc.nat(actorsMax - 1),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("read" as const), actor: fc.nat(actorsMax - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(2 * jobDeadlineMs) }) },
);

/** One record under compare-and-set, and actors whose decisions may be based on an old read. */
function replay(steps: readonly Step[]): { history: Job[] } {
  let nowMs = startMs;
  const history: Job[] = [newJob()];
  const readAt: number[] = Array.from({ length: actorsMax }, () => 0);
  const times = () => ({ nowMs, retentionMs });

  function commit(basedOn: number, next: Job): void {
    if (basedOn === history.length - 1) history.push(next);
  }

  for (const action of steps) {
    if (action.do === "wait") nowMs += action.ms;
    else if (action.do === "read") readAt[action.actor] = history.length - 1;
    else if (action.do === "claim") {
      const request = { attemptId: uuidv7(), readySequence: action.message, nowMs, retentionMs };
      const decision = claimJob(history.at(-1), request);
      if (decision.kind !== "drop") commit(history.length - 1, decision.job);
    } else {
      const basedOn = readAt[action.actor]!;
      const job = history[basedOn]!;
      if (action.do === "cancel" && !isEnded(job)) commit(basedOn, cancelJob(job, times()));
      if (action.do === "repair") {
        const decision = repairJob(job, false, times());
        if (decision.kind !== "unchanged") commit(basedOn, decision.job);
      }
      if (job.status !== "processing") continue;
      if (action.do === "complete") commit(basedOn, completeJob(job, result, null, times()));
      if (action.do === "fail") commit(basedOn, failJob(job, error, times()));
      if (action.do === "requeue") commit(basedOn, requeueJob(job));
    }
  }
  return { history };
}

test("however claims, ends and repairs race, a job ends at most once and does not change afterward", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { history } = replay(steps);
      const ends = history.filter(isEnded);
      expect(ends.length).toBeLessThanOrEqual(1);
      if (ends.length === 1) expect(history.at(-1)).toBe(ends[0]);
    }),
    { numRuns: 500 },
  );
});

test("no job is claimed more often than the attempts allow, and its facts never change", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { history } = replay(steps);
      const [{ id, accountId, createdAt, creditsCharged, period, lane }] = history as [Job, ...Job[]];
      for (const job of history) {
        expect(job).toMatchObject({ id, accountId, createdAt, creditsCharged, period, lane });
        expect(job.attempts).toBeLessThan(attemptsMax);
        if (isEnded(job)) {
          expect(Date.parse(job.expiresAt) - Date.parse(job.finishedAt)).toBe(retentionMs);
          expect("attemptId" in job || "deadlineAt" in job).toBe(false);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("the same message delivered again means that its holder is lost; another message is a duplicate", () => {
  const first = claimed(newJob(), 7);
  expect(claimed(first, 7)).toMatchObject({ attempts: 2, deadlineAt: first.deadlineAt, startedAt: first.startedAt });
  expect(claimJob(first, { attemptId: "a", readySequence: 8, nowMs: startMs, retentionMs }).kind).toBe("drop");
});

test("the fifth claim fails the job, and so does one past the deadline of the first", () => {
  let job: Job = newJob();
  for (let attempt = 1; attempt < attemptsMax; attempt++) job = claimed(job);
  const fifth = claimJob(job, { attemptId: "a", readySequence: 1, nowMs: startMs, retentionMs });
  expect(fifth).toMatchObject({ kind: "failed", job: { error: { code: "internal_error" } } });
  const nowMs = startMs + jobDeadlineMs + 1;
  const late = claimJob(claimed(newJob()), { attemptId: "a", readySequence: 1, nowMs, retentionMs });
  expect(late).toMatchObject({ kind: "failed", job: { error: { code: "deadline_exceeded" } } });
});

test.each([
  { live: true, deadlineMs: defaultQueueDeadlines.liveMs },
  { live: false, deadlineMs: defaultQueueDeadlines.sandboxMs },
])(
  "a job (live: $live) that is queued past its queue deadline fails, wherever it waits and whoever sees it",
  (which) => {
    const job = { ...newJob(), live: which.live };
    const last = { attemptId: "a", readySequence: 1, nowMs: startMs + which.deadlineMs, retentionMs };
    const late = { ...last, nowMs: last.nowMs + 1 };
    const failed = { kind: "failed", job: { status: "failed", error: { code: "deadline_exceeded" } } };
    expect([claimJob(job, last).kind, repairJob(job, true, last).kind]).toEqual(["claimed", "unchanged"]);
    expect(claimJob(job, late)).toMatchObject(failed);
    expect(repairJob(job, true, late)).toMatchObject(failed);
    expect(repairJob(job, false, late)).toMatchObject(failed);
    // Claimed in time, it has until its deadline; given back, it is not claimed again.
    const started = claimed(job, 1, last.nowMs);
    expect(claimJob(started, { ...late, readySequence: 1 }).kind).toBe("claimed");
    expect(claimJob(requeueJob(started), late)).toMatchObject(failed);
  },
);

test("absent, deleted and ended jobs are dropped", () => {
  const request = { attemptId: "a", readySequence: 1, nowMs: startMs, retentionMs };
  expect(claimJob(undefined, request).kind).toBe("drop");
  for (const ended of [
    failJob(newJob(), error, request),
    cancelJob(newJob(), request),
    completeJob(claimed(newJob()), result, null, request),
  ]) {
    expect(claimJob(ended, request).kind).toBe("drop");
  }
});

test("a requeued job gets its attempt back, and the next claim a new deadline", () => {
  const given = requeueJob(claimed(newJob()));
  expect(given).toMatchObject({ status: "queued", attempts: 0, startedAt: null });
  const again = claimed(given, 1, startMs + 60_000);
  expect(Date.parse(again.deadlineAt)).toBe(startMs + 60_000 + jobDeadlineMs);
});

test("since when a job has lacked its image model is kept while it goes back for that, and no longer", () => {
  const nowMs = startMs + 5_000;
  const first = requeueJob(claimed(newJob()), { unpaintedAtMs: nowMs });
  expect(first.unpaintedSince).toBe(isoTime(nowMs));
  const again = requeueJob(claimed(first), { unpaintedAtMs: nowMs + 60_000 });
  expect(again.unpaintedSince).toBe(isoTime(nowMs));
  const passedOn = requeueJob(claimed(again), { isForOtherWorker: true });
  expect(passedOn.unpaintedSince).toBe(isoTime(nowMs));
  expect(requeueJob(claimed(newJob()), { isForOtherWorker: true })).not.toHaveProperty("unpaintedSince");
  expect(requeueJob(claimed(again))).not.toHaveProperty("unpaintedSince");
});

test("a field that a later release has added stays until the job's end, and none of a state outlives it", () => {
  const later = { destinations: [{ bucket: "a" }] };
  const job: Job = { ...newJob(), ...later };
  const times = { nowMs: startMs, retentionMs };
  const started = claimed(job);
  const ended = [
    completeJob(started, result, "m@1", times),
    failJob(started, error, times),
    cancelJob(started, times),
    claimJob(claimed(requeueJob(started)), { attemptId: "a", readySequence: 1, nowMs: startMs, retentionMs }),
  ];
  expect(ended.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(later)));
  expect(ended[3]).toMatchObject({ job: later });
  expect(repairJob(started, false, times)).toMatchObject({ job: later });
  const facts = Object.keys(job).toSorted();
  expect(Object.keys(requeueJob(started)).toSorted()).toEqual(facts);
  expect(Object.keys(cancelJob(started, times)).toSorted()).toEqual([...facts, "expiresAt", "finishedAt"].toSorted());
});

test("a second cancel changes nothing; a finished job cannot be cancelled", () => {
  const times = { nowMs: startMs, retentionMs };
  const cancelled = cancelJob(newJob(), times);
  expect(cancelJob(cancelled, { ...times, nowMs: startMs + 5 })).toBe(cancelled);
  expect(() => cancelJob(failJob(newJob(), error, times), times)).toThrow(
    expect.objectContaining({ code: "job_already_finished" }),
  );
});

test("repair fails a job a minute after its deadline, and requeues one that is in no queue", () => {
  const job = claimed(newJob());
  const at = (nowMs: number) => ({ nowMs, retentionMs });
  const lastMoment = startMs + jobDeadlineMs + repairGraceMs;
  expect(repairJob(job, true, at(lastMoment)).kind).toBe("unchanged");
  expect(repairJob(job, true, at(lastMoment + 1)).kind).toBe("failed");
  expect(repairJob(job, false, at(startMs))).toMatchObject({
    kind: "requeued",
    job: { status: "queued", attempts: 1 },
  });
  expect(repairJob(newJob(), true, at(startMs)).kind).toBe("unchanged");
  expect(repairJob(newJob(), false, at(startMs)).kind).toBe("requeued");
  expect(repairJob(cancelJob(job, at(startMs)), false, at(lastMoment + 1)).kind).toBe("unchanged");
  expect(repairJob(undefined, false, at(startMs)).kind).toBe("unchanged");
});

test("a completed job gives back what an image model would have cost more than the renderer that stepped in", () => {
  const times = { nowMs: startMs, retentionMs };
  const edit = { tool: "ai-bg", creditsCharged: 4, creditsPerGeneratedScene: 4 } as const;
  const priced = { ...claimed(newJob()), ...edit, parameters: { seed: 1, engine: "generative" } } as const;
  const painted = (engine: string) => completeJob(priced, { ...result, report: { scene: { engine } } }, null, times);
  expect(painted("renderer")).toMatchObject({ creditsCharged: 1, creditsOfFailed: 3 });
  expect(painted("generative").creditsCharged).toBe(4);
  expect(painted("generative")).not.toHaveProperty("creditsOfFailed");
  const free = completeJob(
    { ...priced, creditsCharged: 0 },
    { ...result, report: painted("renderer").report },
    null,
    times,
  );
  expect(free).toMatchObject({ creditsCharged: 0 });
});

test("a completed job gives back what its failed files cost, and has files and failures in their order", () => {
  const times = { nowMs: startMs, retentionMs };
  const file = (name: string) => ({ key: name, contentType: "image/png", bytes: 1, width: 1, height: 1, name });
  const failed = (name: string, position: number) => ({ name, position, error });
  const made: JobResult = {
    ...result,
    results: ["a", "d"].map(file),
    failedResults: [failed("b", 1), failed("c", 2), failed("e", 4)],
  };
  expect(allResults(made).map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
  const outputs = ["a", "b", "c", "d", "e"].map((name) => ({ name }));
  const priced = {
    ...claimed(newJob()),
    parameters: { seed: 1, outputs },
    creditsCharged: 9,
    creditsPerFurtherOutput: 2,
  };
  expect(completeJob(priced, made, null, times)).toMatchObject({ creditsCharged: 3, creditsOfFailed: 6 });
  const free = completeJob({ ...priced, creditsCharged: 0 }, made, null, times);
  expect(free.creditsCharged, "a test job and a free repeat have nothing to give back").toBe(0);
  expect(free).not.toHaveProperty("creditsOfFailed");
  expect(completeJob(priced, result, null, times)).not.toHaveProperty("creditsOfFailed");
});
