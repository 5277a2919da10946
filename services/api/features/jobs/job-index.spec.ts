import { type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import { isoTime, uuidv7, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { isEnded, type Job, type JobStatus, type Metadata } from "@packshot/domain/jobs/job.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { queuedJob } from "../../../../testing/log/job-records.ts";
import { createJobIndex, type JobIndex } from "./job-index.ts";

const startMs = Date.parse("2026-11-22T12:00:00Z");
const accountIds = [uuidv7(), uuidv7()];
/** Ids of few milliseconds, so that operations meet; some differ in their last words only. */
const jobIds = Array.from({ length: 60 }, (_, i) => uuidv7(startMs + Math.floor(i / 3))).sort();
const statuses: readonly JobStatus[] = ["queued", "processing", "completed", "failed", "cancelled"];
const qualities = ["ok", "review"] as const;
const all = { candidatesMax: 1_000, scanMax: 1_000 };

type Operation =
  | { readonly kind: "put"; readonly job: Job }
  | { readonly kind: "remove"; readonly accountId: string; readonly jobId: string }
  | { readonly kind: "expire"; readonly seconds: number };

const accountId = fc.constantFrom(...accountIds);
const metadata = fc.dictionary(fc.constantFrom("sku", "shop"), fc.constantFrom("1", "2", "3"), {
  noNullPrototype: true,
});
/** A record of the kind that the index looks at. */
const job = fc
  .record({
    accountId,
    id: fc.constantFrom(...jobIds),
    status: fc.constantFrom(...statuses),
    tool: fc.constantFrom(...toolIds),
    live: fc.boolean(),
    metadata,
    lifeS: fc.integer({ min: -30, max: 200 }),
    quality: fc.constantFrom(...qualities),
    isReviewed: fc.boolean(),
  })
  .map(({ id, status, lifeS, quality, isReviewed, ...facts }) => {
    const expiresAt = isoTime(startMs + lifeS * 1000);
    const end = status === "queued" || status === "processing" ? {} : { expiresAt };
    const review = isReviewed ? { review: { verdict: "approved", at: expiresAt, creditsRefunded: 0 } } : {};
    const result = status === "completed" ? { report: { quality }, ...review } : {};
    return { ...queuedJob({ id, ...facts }), ...end, ...result, createdAt: isoTime(startMs), status } as Job;
  });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 10, arbitrary: job.map((job): Operation => ({ kind: "put", job })) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("remove" as const), accountId, jobId: fc.constantFrom(...jobIds) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("expire" as const), seconds: fc.integer({ min: 1, max: 60 }) }),
  },
);
const filter = fc.record({
  live: fc.boolean(),
  status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  tool: fc.option(fc.constantFrom<ToolId>(...toolIds), { nil: undefined }),
  quality: fc.option(fc.constantFrom(...qualities), { nil: undefined }),
  reviewed: fc.option(fc.boolean(), { nil: undefined }),
  metadata,
  createdAfterMs: fc.option(fc.integer({ min: startMs - 1, max: startMs + 20 }), { nil: undefined }),
  beforeId: fc.option(fc.constantFrom(...jobIds), { nil: undefined }),
});

/** What the index should know: all records, searched one by one. */
function createOracle() {
  const jobs = new Map<string, Job>();
  const ofAccount = (account: string) =>
    [...jobs.values()].filter((job) => job.accountId === account).sort((a, b) => (a.id < b.id ? 1 : -1));
  return { jobs, ofAccount };
}

const completedOf = (job: Job) => (job.status === "completed" ? job : undefined);

function isReviewedAs(job: Job, reviewed: boolean): boolean {
  return job.status === "completed" && (job.review !== undefined) === reviewed;
}

function hasMetadata(job: Job, wanted: Metadata): boolean {
  return Object.entries(wanted).every(([name, value]) => job.metadata[name] === value);
}

function apply(index: JobIndex, jobs: Map<string, Job>, operation: Operation): number {
  if (operation.kind === "put") {
    index.put(operation.job);
    jobs.set(operation.job.accountId + operation.job.id, operation.job);
  } else if (operation.kind === "remove") {
    index.remove(operation.accountId, operation.jobId);
    jobs.delete(operation.accountId + operation.jobId);
  }
  return operation.kind === "expire" ? operation.seconds * 1000 : 0;
}

test("finds and counts what a search of all records does, after any operations", () => {
  const operations = fc.array(operation, { maxLength: 120, size: "max" });
  const property = fc.property(
    operations,
    filter,
    fc.integer({ min: 1, max: 9 }),
    (operations, wanted, chunkRowsMax) => {
      const index = createJobIndex({ nowMs: startMs, chunkRowsMax });
      const { jobs, ofAccount } = createOracle();
      let nowMs = startMs;
      for (const operation of operations) {
        nowMs += apply(index, jobs, operation);
        if (operation.kind === "expire") index.removeExpired(nowMs);
      }
      for (const account of accountIds) {
        const expected = ofAccount(account).filter(
          (job) =>
            job.live === wanted.live &&
            (wanted.status === undefined || job.status === wanted.status) &&
            (wanted.tool === undefined || job.tool === wanted.tool) &&
            (wanted.quality === undefined || completedOf(job)?.report.quality === wanted.quality) &&
            (wanted.reviewed === undefined || isReviewedAs(job, wanted.reviewed)) &&
            (wanted.createdAfterMs === undefined || uuidv7TimeMs(job.id) > wanted.createdAfterMs) &&
            (wanted.beforeId === undefined || job.id < wanted.beforeId) &&
            !(isEnded(job) && Date.parse(job.expiresAt) <= nowMs) &&
            hasMetadata(job, wanted.metadata),
        );
        const { ids, nextId } = index.find(account, { ...wanted, nowMs, ...all });
        expect(nextId).toBeUndefined();
        // Metadata may match by chance.
        const matching = ids.filter((id) => hasMetadata(jobs.get(account + id)!, wanted.metadata));
        expect(matching).toEqual(expected.map(({ id }) => id));
        for (const id of jobIds) {
          const before = ofAccount(account).filter((job) => job.id < id && job.status === "queued");
          expect(index.queuedBefore(account, { id, live: true })).toBe(before.filter(({ live }) => live).length);
          expect(index.queuedBefore(account, { id, live: false })).toBe(before.filter(({ live }) => !live).length);
        }
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test("a walk over the unfinished jobs names each that is unfinished all the while once, whatever comes and goes", () => {
  const operations = fc.array(operation, { maxLength: 120, size: "max" });
  const property = fc.property(operations, operations, fc.nat(20), (before, meanwhile, walked) => {
    const index = createJobIndex({ nowMs: startMs, chunkRowsMax: 4 });
    const { jobs } = createOracle();
    const unfinished = () => new Set([...jobs].filter(([, job]) => !isEnded(job)).map(([name]) => name));
    for (const operation of before) apply(index, jobs, operation);
    const walk = index.unfinished(() => true);
    const found: string[] = [];
    const goOn = (max: number) => {
      for (let next = walk.next(); !next.done; next = walk.next()) {
        found.push(next.value.accountId + next.value.jobId);
        if (found.length >= max) return;
      }
    };
    goOn(walked + 1);
    let allTheWhile = unfinished();
    for (const operation of meanwhile) {
      apply(index, jobs, operation);
      allTheWhile = allTheWhile.intersection(unfinished());
    }
    goOn(Number.POSITIVE_INFINITY);
    for (const name of allTheWhile) expect(found.filter((other) => other === name)).toHaveLength(1);
  });
  fc.assert(property, { numRuns: 300 });
});

/** All that the index has: at the epoch nothing has expired. */
function indexedIds(index: JobIndex, account: string): readonly string[] {
  return index.find(account, { live: true, metadata: {}, nowMs: 0, ...all }).ids;
}

function completedJob(account: string, lifeMs: number): Job {
  const end = { status: "completed", report: { quality: "ok" }, expiresAt: isoTime(startMs + lifeMs) };
  return { ...queuedJob({ accountId: account }), ...end } as unknown as Job;
}

test("jobs leave the index soon after they have expired, and unfinished ones stay", () => {
  const index = createJobIndex({ nowMs: startMs });
  const [account] = accountIds as [string];
  const unfinished = queuedJob({ accountId: account });
  const lasting = completedJob(account, 120_000);
  const expiring = Array.from({ length: 700 }, () => completedJob(account, 40_000));
  for (const job of [unfinished, ...expiring, lasting]) index.put(job);
  index.removeExpired(startMs + 39_000);
  expect(indexedIds(index, account)).toHaveLength(702);
  index.removeExpired(startMs + 60_000);
  expect(indexedIds(index, account).toSorted()).toEqual([lasting.id, unfinished.id].toSorted());
  // The account's jobs come to an end, and others follow.
  index.remove(account, unfinished.id);
  index.remove(account, lasting.id);
  const later = completedJob(account, 500_000);
  index.put(later);
  index.removeExpired(startMs + 200_000);
  expect(indexedIds(index, account)).toEqual([later.id]);
});

test("a query looks at so many jobs at once, and goes on where it ended", () => {
  const index = createJobIndex({ nowMs: startMs });
  const [account] = accountIds as [string];
  const jobs = Array.from({ length: 2_000 }, (_, i) =>
    queuedJob({ id: uuidv7(startMs + i), accountId: account, tool: i % 7 === 0 ? "ai-bg" : "mask" }),
  );
  for (const job of jobs) index.put(job);
  const found: string[] = [];
  let calls = 0;
  let nextId: string | undefined;
  do {
    const query = { live: true, tool: "ai-bg", metadata: {}, nowMs: startMs, beforeId: nextId } as const;
    const candidates = index.find(account, { ...query, candidatesMax: 100, scanMax: 100 });
    found.push(...candidates.ids);
    nextId = candidates.nextId;
    calls += 1;
  } while (nextId !== undefined);
  expect(calls).toBe(21);
  expect(found).toEqual(
    jobs
      .filter(({ tool }) => tool === "ai-bg")
      .map(({ id }) => id)
      .reverse(),
  );
});

test("of 20,000 jobs with the most metadata that is allowed, few are taken for one that nobody has", () => {
  const index = createJobIndex({ nowMs: startMs });
  const [account] = accountIds as [string];
  for (let i = 0; i < 20_000; i++) {
    const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`key-${k}`, `value-${i}-${k}`]));
    index.put(queuedJob({ accountId: account, metadata }));
  }
  const query = { live: true, nowMs: startMs, candidatesMax: 20_000, scanMax: 20_000 };
  expect(index.find(account, { ...query, metadata: { "key-3": "value-17-3" } }).ids.length).toBeGreaterThan(0);
  const foundByChance = Array.from({ length: 20 }, (_, i) => {
    return index.find(account, { ...query, metadata: { "key-3": `none-${i}` } }).ids.length;
  });
  expect(foundByChance.reduce((sum, count) => sum + count) / 20).toBeLessThan(1_000);
});
