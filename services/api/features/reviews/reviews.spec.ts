/** Reviews against two API processes: money, files, isolation, and rows of a batch that outlive their jobs. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { type CompletedJob, claimJob, completeJob, failJob, type Job } from "@packshot/domain/jobs/job.ts";
import type { ReviewRecord } from "@packshot/domain/jobs/review.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobDeletedEvent, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import { readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import { streamRange } from "@packshot/log/follow/stream-source.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));
const imageUrl = "https://shop.example/mug.jpg";
const maskImage = { imageUrl: "https://shop.example/mug-mask.png" };
const retentionMs = 3_600_000;
const logger = createLogger({ name: "reviews.spec", level: "warn" });

async function newShop(limits: object = { reviewRefundsPerDay: 1 }) {
  const [here, there] = apis.all;
  const { accountId, key } = await openAccount(here!, { limits });
  const client = apiClient(here!.url, key);
  const storage = createDiskStorage({ dir: apis.storageDir });
  const subjectOf = (id: string) => subjects.job(accountId, id);
  const readJob = async (id: string) => (await apis.log.read<CompletedJob>(subjectOf(id))).value;
  const account = async () => (await apis.log.read<Account>(subjects.account(accountId))).value!;

  async function change(id: string, next: (job: Job) => Job): Promise<void> {
    await apis.log.transact("test", async () => {
      const { value, sequence } = await apis.log.read<Job>(subjectOf(id));
      const after = next(value!);
      const event =
        after.status === "completed" || after.status === "failed" ? [eventWrite(jobEndedEvent(after, uuidv7()))] : [];
      return { writes: [{ subject: subjectOf(id), value: after, expected: sequence }, ...event], result: undefined };
    });
  }

  function claimed(job: Job) {
    const claim = claimJob(job, { attemptId: uuidv7(), readySequence: 1, nowMs: Date.now(), retentionMs });
    if (claim.kind !== "claimed") throw new Error(claim.kind);
    return claim.job;
  }

  return {
    accountId,
    key,
    client,
    there: apiClient(there!.url, key),
    storage,
    readJob,
    account,
    async accept(json: object = {}): Promise<string> {
      const { status, body } = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl, ...json } });
      expect(status).toBe(202);
      return body.id;
    },
    /** As a worker would end it. */
    async complete(id: string, quality: "ok" | "review" = "review", text = "a result"): Promise<void> {
      const key = `${storageKeys.job(accountId, id)}attempt/result.png`;
      const { bytes } = await storage.write(key, Buffer.from(text), { bytesMax: 100 });
      const file = { key, contentType: "image/png", bytes };
      const reasons = quality === "ok" ? [] : ["much of the edge is uncertain"];
      const report = { quality, reasons };
      const result = { result: file, thumbnail: file, model: "m@1", report, timings: { total: 1 }, inferenceMs: 0 };
      await change(id, (job) => completeJob(claimed(job), result, "m@1", { nowMs: Date.now(), retentionMs }));
    },
    async fail(id: string): Promise<void> {
      const error = { code: "mask_unusable", message: "test", retryable: false } as const;
      await change(id, (job) => failJob(claimed(job), error, { nowMs: Date.now(), retentionMs }));
    },
    /** As its expiry does, but at once. */
    async forget(id: string): Promise<void> {
      const { value, sequence } = await apis.log.read<Job>(subjectOf(id));
      // The janitor removes the job's own files; its row's copy stays.
      const { row: _, finishedAt: __, ...event } = jobDeletedEvent(value!, uuidv7(), Date.now());
      await apis.log.commit("test", [
        { subject: subjectOf(id), value: null, expected: sequence, ttlSeconds: 60 },
        eventWrite(event),
      ]);
    },
    async ledger(): Promise<LedgerEntry[]> {
      const { first, last } = await streamRange(apis.log.connection, streams.ledger);
      const entries: LedgerEntry[] = [];
      const reading = { connection: apis.log.connection, stream: streams.ledger, fromSequence: first, logger };
      for await (const message of readInOrder({ ...reading, signal: new AbortController().signal })) {
        const entry = message.json<LedgerEntry>();
        if (entry.accountId === accountId) entries.push(entry);
        if (message.seq >= last) break;
      }
      return entries;
    },
    /** Accepts and settled jobs keep the ledger's sum at the balance; the ledger is a copy that follows. */
    async expectBalance(): Promise<void> {
      await expect
        .poll(async () => (await this.ledger()).reduce((sum, { amount }) => sum + amount, 0))
        .toBe((await account()).credits.remaining);
    },
  };
}

type Request = [method: string, path: string, options: { json: object }];
const approve = (id: string, json: object = {}): Request => ["POST", `/v1/jobs/${id}/approve`, { json }];
const reject = (id: string, json: object = {}): Request => ["POST", `/v1/jobs/${id}/reject`, { json }];

test("doubtful jobs are listed until somebody approves them, and the review prolongs nothing", async () => {
  const shop = await newShop();
  const doubtful = await shop.accept();
  const sound = await shop.accept();
  const running = await shop.accept();
  await shop.complete(doubtful);
  await shop.complete(sound, "ok");
  const list = async (query: string) => {
    const { body } = await shop.client.call("GET", `/v1/jobs?${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  };
  await expect.poll(() => list("quality=review&reviewed=false")).toEqual([doubtful]);
  await expect.poll(() => list("quality=ok")).toEqual([sound]);
  const before = (await shop.client.call("GET", `/v1/jobs/${doubtful}`)).body;
  expect([before.review, before.resultUrl === null]).toEqual([null, false]);
  const reviewed = await shop.client.call(...approve(doubtful));
  expect(reviewed).toMatchObject({
    status: 200,
    body: { id: doubtful, review: { verdict: "approved", creditsRefunded: 0 }, creditsCharged: 1 },
  });
  // The same again, by another process, has the same answer.
  expect((await shop.there.call(...approve(doubtful))).body).toEqual(reviewed.body);
  expect(await list("quality=review&reviewed=false")).toEqual([]);
  expect(await list("quality=review&reviewed=true")).toEqual([doubtful]);
  const after = (await shop.client.call("GET", `/v1/jobs/${doubtful}`)).body;
  expect(after).toMatchObject({ expiresAt: before.expiresAt, resultUrl: before.resultUrl });
  expect(await shop.client.call(...approve(running))).toMatchObject({ status: 409, body: { code: "not_reviewable" } });
});

test("a rejection removes the result before it refunds, once, and as often in a day as the plan allows", async () => {
  const shop = await newShop();
  const first = await shop.accept();
  const second = await shop.accept();
  for (const id of [first, second]) await shop.complete(id);
  const { resultUrl } = (await shop.client.call("GET", `/v1/jobs/${first}`)).body;
  expect(await (await fetch(resultUrl)).text()).toBe("a result");
  const paid = (await shop.account()).credits.remaining;
  const [one, other] = await Promise.all([shop.client.call(...reject(first)), shop.there.call(...reject(first))]);
  expect(one.body).toEqual(other.body);
  expect(one.body).toMatchObject({ review: { verdict: "rejected", creditsRefunded: 1 }, creditsCharged: 0 });
  expect((await fetch(resultUrl)).status).toBe(404);
  const job = (await shop.client.call("GET", `/v1/jobs/${first}`)).body;
  expect([job.resultUrl, job.thumbnailUrl, job.creditsCharged]).toEqual([null, null, 0]);
  expect(await shop.client.call(...approve(first))).toMatchObject({ status: 409, body: { code: "not_reviewable" } });

  // The plan's one refund of the day is spent. An approved job may still be rejected.
  await shop.client.call(...approve(second));
  expect((await shop.client.call(...reject(second))).body.review).toMatchObject({
    verdict: "rejected",
    creditsRefunded: 0,
  });
  expect((await shop.account()).credits.remaining).toBe(paid + 1);
  await shop.expectBalance();
  const refunds = (await shop.ledger()).filter(({ kind }) => kind === "refund");
  expect(refunds.map(({ entryId }) => entryId)).toEqual([first]);
  const { body: usage } = await shop.client.call("GET", "/v1/account/usage");
  expect(usage.data.at(-1)).toMatchObject({ creditsRefunded: 1, reviewRefunds: 1 });
});

test("without refunds in the plan a rejection costs what the job cost", async () => {
  const shop = await newShop({});
  const id = await shop.accept();
  await shop.complete(id);
  expect((await shop.client.call("GET", "/v1/account")).body.limits.reviewRefundsPerDay).toBe(0);
  expect((await shop.client.call(...reject(id))).body).toMatchObject({
    review: { creditsRefunded: 0 },
    creditsCharged: 1,
  });
});

test("of repeats with a mask, to two processes at once, one is free, and none that follows", async () => {
  const shop = await newShop();
  const id = await shop.accept({ metadata: { sku: "K-1" }, parameters: { onPoorSource: "refuse" } });
  await shop.complete(id);
  const json = { parameters: { maskImage, refine: true } };
  const repeat = (by = shop.client, of = id) => by.call("POST", `/v1/jobs/${of}/repeat`, { json });
  const made = await Promise.all([repeat(), repeat(shop.there), repeat()]);
  expect(made.map(({ status }) => status)).toEqual([202, 202, 202]);
  const charged = made.map(({ body }) => body.creditsCharged as number);
  expect(charged.toSorted()).toEqual([0, 1, 1]);
  const free = made[charged.indexOf(0)]!.body.id as string;
  expect(await shop.readJob(free)).toMatchObject({
    repeatOf: id,
    metadata: { sku: "K-1" },
    // Not onPoorSource: whoever drew the mask has seen the photo.
    parameters: { maskImage, refine: true },
    mask: { kind: "url", ...maskImage },
  });
  expect((await shop.readJob(free))!.parameters).not.toHaveProperty("onPoorSource");
  expect((await shop.client.call("GET", `/v1/jobs/${free}`)).body.repeatOf).toBe(id);
  await shop.complete(free, "ok");
  expect((await repeat(shop.client, free)).body.creditsCharged).toBe(1);
  // Whoever has the mended result has no credits back.
  expect((await shop.client.call(...reject(id))).body.review.creditsRefunded).toBe(0);
  await shop.expectBalance();
});

test("a free repeat that fails is given back, and one whose job was refunded is not free", async () => {
  const shop = await newShop();
  const id = await shop.accept();
  const refunded = await shop.accept();
  for (const each of [id, refunded]) await shop.complete(each);
  const json = { parameters: { maskImage } };
  const repeat = (of: string) => shop.client.call("POST", `/v1/jobs/${of}/repeat`, { json });
  const first = await repeat(id);
  expect(first.body.creditsCharged).toBe(0);
  await shop.fail(first.body.id);
  expect((await repeat(id)).body.creditsCharged).toBe(0);
  expect((await repeat(id)).body.creditsCharged).toBe(1);
  expect((await shop.client.call(...reject(refunded))).body.review.creditsRefunded).toBe(1);
  expect((await repeat(refunded)).body.creditsCharged).toBe(1);
  // Without a mask, a repeat is an edit as any other.
  expect((await shop.client.call("POST", `/v1/jobs/${id}/repeat`)).body.creditsCharged).toBe(1);
  await shop.expectBalance();
});

test("an idempotency key makes one free repeat, and whoever has no mask to give is told", async () => {
  const shop = await newShop();
  const id = await shop.accept();
  await shop.complete(id);
  const repeat = () =>
    shop.client.call("POST", `/v1/jobs/${id}/repeat`, {
      json: { parameters: { maskImage } },
      headers: { "Idempotency-Key": "mend-1" },
    });
  const one = await repeat();
  const again = await repeat();
  expect([again.body.id, again.body.creditsCharged]).toEqual([one.body.id, 0]);
  const refused = await shop.client.call("POST", `/v1/jobs/${id}/repeat`, { json: { parameters: { refine: true } } });
  expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  expect(refused.body.message).toContain("maskImage");
});

test("other accounts and keys of the other kind review nothing", async () => {
  const shop = await newShop();
  const id = await shop.accept();
  await shop.complete(id);
  const stranger = await newShop();
  const { body } = await operator(apis.all[0]!, "POST", `/accounts/${shop.accountId}/keys`, {
    name: "test",
    live: false,
  });
  const testKey = apiClient(apis.all[0]!.url, body.key as string);
  for (const by of [stranger.client, testKey]) {
    for (const request of [approve(id), reject(id), approve("nothing")]) {
      expect((await by.call(...request)).status).toBe(404);
    }
    expect((await by.call("POST", `/v1/jobs/${id}/repeat`, { json: { parameters: { maskImage } } })).status).toBe(404);
  }
  expect((await shop.readJob(id))?.review).toBeUndefined();
  expect((await shop.storage.stat((await shop.readJob(id))!.result.key))?.bytes).toBe(8);
});

/** A batch of `rows` rows, and the jobs of them. */
async function newBatch(shop: Awaited<ReturnType<typeof newShop>>, rows: number) {
  const items = Array.from({ length: rows }, (_, i) => ({ ref: `K-${i}`, imageUrl: `https://shop.example/${i}.jpg` }));
  const { body } = await shop.client.call("POST", "/v1/batches", { json: { tool: "mask", onExisting: "redo", items } });
  const batchId = body.id as string;
  const readBatch = async () => (await apis.log.read<Batch>(subjects.batch(shop.accountId, batchId))).value!;
  const jobsOf = async () => {
    const listed = await shop.client.call("GET", `/v1/jobs?batch=${batchId}&limit=100`);
    return listed.body.data as { id: string; batch: { row: number } }[];
  };
  await expect.poll(async () => (await jobsOf()).length).toBe(rows);
  const ids = (await jobsOf()).toSorted((a, b) => a.batch.row - b.batch.row).map(({ id }) => id);
  const page = async (query = "") => (await shop.client.call("GET", `/v1/batches/${batchId}/review${query}`)).body;
  const report = async () => {
    const { body: text } = await shop.client.call("GET", `/v1/batches/${batchId}/report?format=ndjson`);
    return (text as string)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  return { batchId, ids, readBatch, page, report };
}

test("a batch's doubtful rows are reviewed while it keeps them, also when their jobs have expired", async () => {
  const shop = await newShop({ reviewRefundsPerDay: 2 });
  const batch = await newBatch(shop, 5);
  for (const [row, id] of batch.ids.entries()) await shop.complete(id, row === 2 ? "ok" : "review");
  await expect.poll(async () => (await batch.readBatch()).status).toBe("completed");
  const first = await batch.page("?limit=2");
  const second = await batch.page(`?limit=2&cursor=${first.nextCursor}`);
  const rowsOf = ({ data }: { data: { batch: { row: number } }[] }) => data.map((item) => item.batch.row);
  expect([rowsOf(first), rowsOf(second), second.nextCursor]).toEqual([[0, 1], [3, 4], undefined]);
  expect(first.data[0]).toMatchObject({
    jobId: batch.ids[0],
    tool: "mask",
    batch: { id: batch.batchId, ref: "K-0", row: 0 },
    reasons: ["much of the edge is uncertain"],
    review: null,
  });
  expect(await (await fetch(first.data[0].resultUrl)).text()).toBe("a result");

  // The job of row 0 is there; those of 1 and 3 have expired.
  const { expiresAt } = await batch.readBatch();
  expect((await shop.client.call(...approve(batch.ids[0]!))).status).toBe(200);
  for (const row of [1, 3]) await shop.forget(batch.ids[row]!);
  expect((await shop.client.call(...approve(batch.ids[1]!))).status).toBe(404);
  const place = (row: number) => ({ batch: { id: batch.batchId, row } });
  expect((await shop.client.call(...reject(batch.ids[1]!, place(3)))).status).toBe(404);
  const before = (await shop.account()).credits.remaining;
  const [one, other] = await Promise.all([
    shop.client.call(...reject(batch.ids[1]!, first.data[1])),
    shop.there.call(...reject(batch.ids[1]!, place(1))),
  ]);
  expect(one.status, JSON.stringify(one.body)).toBe(400);
  expect(other.body).toMatchObject({ review: { verdict: "rejected", creditsRefunded: 1 }, expiresAt });
  expect((await fetch(first.data[1].resultUrl)).status).toBe(404);
  const again = await shop.client.call(...reject(batch.ids[1]!, { batch: first.data[1].batch }));
  expect(again.body).toEqual(other.body);
  expect((await shop.account()).credits.remaining).toBe(before + 1);
  expect((await shop.client.call(...approve(batch.ids[3]!, place(3)))).status).toBe(200);
  // At once, also before the batch's files have it.
  expect(rowsOf(await batch.page())).toEqual([4]);
  expect(rowsOf(await batch.page("?reviewed=true"))).toEqual([0, 1, 3]);
  await expect
    .poll(async () => (await batch.report()).map(({ review }) => review))
    .toEqual(["approved", "rejected", null, "approved", null]);
  expect((await batch.report())[1]).toMatchObject({ status: "completed", resultUrl: null, credits: 0 });
  expect(await batch.readBatch()).toMatchObject({ credits: 4, expiresAt, counts: { completed: 5 } });
  await shop.expectBalance();
});

test("the free repeat of a batch's job takes the place of its row's result", async () => {
  const shop = await newShop();
  const batch = await newBatch(shop, 2);
  for (const id of batch.ids) await shop.complete(id);
  await expect.poll(async () => (await batch.readBatch()).status).toBe("completed");
  const { body } = await shop.client.call("POST", `/v1/jobs/${batch.ids[1]}/repeat`, {
    json: { parameters: { maskImage } },
  });
  expect(body.creditsCharged).toBe(0);
  await shop.complete(body.id, "ok", "a mended result");
  await expect.poll(async () => (await batch.report())[1].jobId).toBe(body.id);
  const [, mended] = await batch.report();
  expect(mended).toMatchObject({ ref: "K-1", quality: "ok", credits: 1, review: null });
  expect(await (await fetch(mended.resultUrl)).text()).toBe("a mended result");
  // Rejecting the job that it was made of leaves the mended result where it is.
  await shop.client.call(...reject(batch.ids[1]!));
  expect((await shop.client.call(...approve(body.id))).status).toBe(200);
  expect(await (await fetch(mended.resultUrl)).text()).toBe("a mended result");
  await expect.poll(async () => (await batch.report())[1].review).toBe("approved");
  expect((await batch.page()).data.map((item: { jobId: string }) => item.jobId)).toEqual([batch.ids[0]]);
  expect((await shop.client.call(...reject(body.id))).status).toBe(200);
  await expect.poll(async () => (await batch.report())[1]).toMatchObject({ review: "rejected", resultUrl: null });
  expect((await fetch(mended.resultUrl)).status).toBe(404);
  expect(await batch.readBatch()).toMatchObject({ credits: 2, counts: { completed: 2 } });
  await shop.expectBalance();
});

test("a row whose free repeat runs is rejected without a refund, also when its own job is gone", async () => {
  const shop = await newShop({ reviewRefundsPerDay: 5 });
  const batch = await newBatch(shop, 3);
  for (const id of batch.ids) await shop.complete(id);
  await expect.poll(async () => (await batch.readBatch()).status).toBe("completed");
  const mend = async (row: number) => {
    const json = { parameters: { maskImage } };
    const { body } = await shop.client.call("POST", `/v1/jobs/${batch.ids[row]}/repeat`, { json });
    expect(body.creditsCharged).toBe(0);
    return body.id as string;
  };
  const running = await mend(0);
  const failed = await mend(1);
  const deleted = await mend(2);
  for (const id of batch.ids) await shop.forget(id);
  await shop.fail(failed);
  await shop.fail(deleted);
  expect((await shop.client.call("DELETE", `/v1/jobs/${deleted}`)).status).toBe(204);
  const refund = async (row: number) => {
    const place = { batch: { id: batch.batchId, row } };
    const { status, body } = await shop.there.call(...reject(batch.ids[row]!, place));
    expect(status, JSON.stringify(body)).toBe(200);
    return body.review.creditsRefunded;
  };
  expect(await refund(0)).toBe(0);
  // Nothing was mended.
  expect([await refund(1), await refund(2)]).toEqual([1, 1]);
  await shop.complete(running, "ok", "a mended result");
  await expect.poll(async () => (await batch.report())[0].jobId).toBe(running);
  await expect.poll(async () => (await batch.readBatch()).credits).toBe(1);
  await shop.expectBalance();
});

test("a row's free repeat that made nothing counts as taken no more, also when both jobs have expired", async () => {
  const shop = await newShop({ reviewRefundsPerDay: 5 });
  const batch = await newBatch(shop, 3);
  for (const id of batch.ids) await shop.complete(id);
  await expect.poll(async () => (await batch.readBatch()).status).toBe("completed");
  const repeats: string[] = [];
  for (const id of batch.ids) {
    const json = { parameters: { maskImage } };
    repeats.push((await shop.client.call("POST", `/v1/jobs/${id}/repeat`, { json })).body.id);
    await shop.forget(id);
  }
  await shop.fail(repeats[0]!);
  expect((await shop.client.call("POST", `/v1/jobs/${repeats[1]}/cancel`)).status).toBe(200);
  await shop.complete(repeats[2]!, "ok", "a mended result");
  await expect.poll(async () => (await batch.report())[2].jobId).toBe(repeats[2]);
  const takenBy = async (id: string) =>
    (await apis.log.read<ReviewRecord>(subjects.review(shop.accountId, id))).value?.freeRepeat;
  await expect.poll(() => Promise.all(batch.ids.map(takenBy))).toEqual([undefined, undefined, repeats[2]]);
  for (const id of repeats) await shop.forget(id);
  for (const row of [0, 1]) {
    const place = { batch: { id: batch.batchId, row } };
    const { body } = await shop.there.call(...reject(batch.ids[row]!, place));
    expect(body.review.creditsRefunded).toBe(1);
  }
  await shop.expectBalance();
});

test("a free repeat that did not complete is given back when its job is deleted", async () => {
  const shop = await newShop();
  const id = await shop.accept();
  await shop.complete(id);
  const repeat = async () => {
    const json = { parameters: { maskImage } };
    return (await shop.client.call("POST", `/v1/jobs/${id}/repeat`, { json })).body;
  };
  const remove = (job: string) => shop.client.call("DELETE", `/v1/jobs/${job}`);
  const failed = await repeat();
  await shop.fail(failed.id);
  await remove(failed.id);
  const cancelled = await repeat();
  expect(cancelled.creditsCharged).toBe(0);
  await remove(cancelled.id);
  const completed = await repeat();
  expect(completed.creditsCharged).toBe(0);
  await shop.complete(completed.id);
  await remove(completed.id);
  expect((await repeat()).creditsCharged).toBe(1);
  expect((await shop.client.call(...reject(id))).body.review.creditsRefunded).toBe(0);
  await shop.expectBalance();
});
