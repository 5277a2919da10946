import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessingJob } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/sandbox-model-client.ts";
import { createJobRunner } from "./job-runner.ts";

let dir: string;
let storage: Storage;
let shop: Server;
/** Held until the slot was released. */
const mayAnswer = Promise.withResolvers<void>();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-job-runner-"));
  storage = createDiskStorage({ dir });
  shop = createServer(async (_request, response) => {
    await mayAnswer.promise;
    response.end("photo");
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
});

afterAll(async () => {
  shop.close();
  await rm(dir, { recursive: true });
});

function urlJob(): ProcessingJob {
  const imageUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/mug.jpg`;
  return processingJob({ source: { kind: "url", imageUrl } });
}

it("releases its slot while an imageUrl is fetched, and keeps the bytes among the attempt's files", async () => {
  const image = { bytes: Buffer.from("png"), contentType: "image/png", width: 1, height: 1 } as const;
  let edited: string | undefined;
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    runEdit: async ({ source }) => {
      edited = Buffer.from(source).toString();
      return { result: image, thumbnail: image, model: "m@1", report: {}, timings: {} };
    },
    allowSources: parseAllowList("127.0.0.1:*"),
    sourceTimeoutMs: 60_000,
    maxPixels: 1_000,
    defaultModel: sandboxModelName,
  });
  const job = urlJob();
  await runner.run(
    job,
    new AbortController().signal,
    () => {},
    async (wait) => {
      const fetched = wait();
      expect(edited).toBeUndefined();
      mayAnswer.resolve();
      return await fetched;
    },
  );
  expect(edited).toBe("photo");
  const kept = await Array.fromAsync(storage.list(storageKeys.job(job.accountId, job.id)), ({ key }) => key);
  expect(kept).toContain(`${storageKeys.attempt(job.accountId, job.id, job.attemptId)}source`);
});
