import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitWrite } from "@packshot/domain/accounts/queue-entry.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { QueuedJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queuedJob } from "../../../testing/log/job-records.ts";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { noBuckets } from "../../../testing/worker/no-buckets.ts";
import { createSourcePrefetch } from "./source-prefetch.ts";

const log = suiteFixture(startLog);
let storage: Storage;
let dir: string;
let shop: Server;
let requested: string[] = [];
let beforeAnswer: () => Promise<void> = async () => {};
let beforeTaking: () => Promise<void> = async () => {};
let watches: "write" | "delete" = "write";
/** Resolves with the key of the next file that the prefetch under test writes or deletes. */
let touched: PromiseWithResolvers<string>;
const logger = createLogger({ name: "test", level: "silent" });
let prefetch: ReturnType<typeof createSourcePrefetch>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-prefetch-"));
  storage = createDiskStorage({ dir });
  shop = createServer(async (request, response) => {
    requested.push(request.url!);
    await beforeAnswer();
    // In two parts, so that nobody knows the size before all has come.
    response.write("pho");
    response.end("to");
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
  prefetch = createSourcePrefetch({
    log,
    storage: {
      ...storage,
      assertRoom: () => beforeTaking(),
      async write(key, body, options) {
        const written = await storage.write(key, body, options).catch((error: unknown) => {
          touched.reject(error);
          throw error;
        });
        if (watches === "write") touched.resolve(key);
        return written;
      },
      async deletePrefix(key) {
        await storage.deletePrefix(key);
        if (watches === "delete") touched.resolve(key);
      },
    },
    allowSources: parseAllowList("127.0.0.1:*"),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    logger,
  });
  await prefetch.start();
});

afterAll(async () => {
  await prefetch.stop();
  shop.close();
  await rm(dir, { recursive: true, force: true });
});

async function waitingJob(path: string, change: Partial<QueuedJob> = {}): Promise<QueuedJob> {
  touched = Promise.withResolvers();
  const imageUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;
  const job = queuedJob({ source: { kind: "url", imageUrl }, ...change });
  const wait = { v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane, sourceIsUrl: true } as const;
  await log.commit("accept", [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    waitWrite(wait),
  ]);
  return job;
}

it("prefetches the source of a waiting job to the key that its run reads first", async () => {
  const job = await waitingJob("/mug.jpg");
  expect(await touched.promise).toBe(storageKeys.source(job.accountId, job.id));
  expect((await storage.read(storageKeys.source(job.accountId, job.id), { bytesMax: 10 }))?.toString()).toBe("photo");
  expect(requested).toEqual(["/mug.jpg"]);
});

it("keeps no more bytes than the account counts for the job", async () => {
  const job = await waitingJob("/large.jpg", { sourceBytes: 4 });
  await expect(touched.promise).rejects.toMatchObject({ code: "file_too_large" });
  expect(await storage.stat(storageKeys.source(job.accountId, job.id))).toBeUndefined();
  await waitingJob("/fits.jpg", { sourceBytes: 5 });
  await touched.promise;
});

it("prefetches nothing while storage has no room", async () => {
  requested = [];
  const refused = Promise.withResolvers<void>();
  beforeTaking = async () => {
    refused.resolve();
    throw new PackshotError("unavailable", "full");
  };
  await waitingJob("/full.jpg");
  await refused.promise;
  beforeTaking = async () => {};
  await waitingJob("/next.jpg");
  await touched.promise;
  expect(requested).toEqual(["/next.jpg"]);
});

it("leaves no file behind when the job was deleted meanwhile", async () => {
  requested = [];
  watches = "delete";
  let job: QueuedJob | undefined;
  const queued = Promise.withResolvers<void>();
  beforeAnswer = async () => {
    await queued.promise;
    const subject = subjects.job(job!.accountId, job!.id);
    const { sequence } = await log.read(subject);
    await log.commit("delete", [{ subject, value: null, expected: sequence, ttlSeconds: 60 }]);
  };
  job = await waitingJob("/gone.jpg");
  queued.resolve();
  expect(await touched.promise).toBe(storageKeys.source(job.accountId, job.id));
  expect(requested).toEqual(["/gone.jpg"]);
  expect(await storage.stat(storageKeys.source(job.accountId, job.id))).toBeUndefined();
});
