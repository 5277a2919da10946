import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QueuedJob } from "@packshot/domain/job.ts";
import { files, subjects } from "@packshot/domain/subjects.ts";
import { waitWrite } from "@packshot/domain/wait.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startLog, type TestLog } from "../../../testing/log/test-log.ts";
import { queuedJob } from "../../../testing/log/job-records.ts";
import { createEarlyFetch } from "./early-fetch.ts";

let log: TestLog;
let storage: Storage;
let dir: string;
let shop: Server;
let asked: string[] = [];
let beforeAnswer: () => Promise<void> = async () => {};
let watches: "write" | "delete" = "write";
/** Resolves with the key of the next file that the part under test writes, or removes. */
let touched: PromiseWithResolvers<string>;
const logger = createLogger({ name: "test", level: "silent" });
let part: ReturnType<typeof createEarlyFetch>;

beforeAll(async () => {
  log = await startLog();
  dir = await mkdtemp(join(tmpdir(), "packshot-early-"));
  storage = createDiskStorage({ dir });
  shop = createServer(async (request, response) => {
    asked.push(request.url!);
    await beforeAnswer();
    response.end("photo");
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
  part = createEarlyFetch({
    log,
    storage: {
      ...storage,
      async write(key, body, options) {
        const written = await storage.write(key, body, options);
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
    logger,
  });
  await part.start();
});

afterAll(async () => {
  await part.stop();
  shop.close();
  await log.stop();
  await rm(dir, { recursive: true, force: true });
});

async function waitingJob(path: string): Promise<QueuedJob> {
  touched = Promise.withResolvers();
  const imageUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;
  const job = queuedJob({ source: { kind: "url", imageUrl } });
  const place = { v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane, sourceIsUrl: true } as const;
  await log.commit("accept", [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    waitWrite(place),
  ]);
  return job;
}

it("fetches the picture of a job that waits, to where its run looks first", async () => {
  const job = await waitingJob("/mug.jpg");
  expect(await touched.promise).toBe(files.source(job.accountId, job.id));
  expect((await storage.read(files.source(job.accountId, job.id), { bytesMax: 10 }))?.toString()).toBe("photo");
  expect(asked).toEqual(["/mug.jpg"]);
});

it("leaves nothing behind when the job has gone meanwhile", async () => {
  asked = [];
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
  expect(await touched.promise).toBe(files.source(job.accountId, job.id));
  expect(asked).toEqual(["/gone.jpg"]);
  expect(await storage.stat(files.source(job.accountId, job.id))).toBeUndefined();
});
