import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { ImageHeader } from "@packshot/platform/images/image-header.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, it, onTestFinished } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { noBuckets } from "../../../testing/worker/no-buckets.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/model-client.ts";
import { createJobRunner } from "./job-runner.ts";
import { createMemoryBudget } from "./memory-budget.ts";

const header: ImageHeader = { format: "jpeg", contentType: "image/jpeg", width: 4_000, height: 3_000, pages: 1 };

it("an edit gives back memory for larger frames than that of its product, and the rest at its end", async () => {
  const dir = await mkdtemp(join(tmpdir(), "packshot-memory-of-frame-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const storage = createDiskStorage({ dir });
  const memory = createMemoryBudget({ bytesMax: 2 ** 30 });
  const image = { bytes: Buffer.from("avif"), contentType: "image/avif", width: 1_600, height: 1_872 } as const;
  const reserved: number[] = [];
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    inspectImage: async () => header,
    runEdit: async ({ onFrame }) => {
      for (const height of [8_192, 1_872, 4_000]) {
        onFrame?.({ width: 1_600, height });
        reserved.push(memory.reservedBytes);
      }
      return { result: image, thumbnail: image, model: "m@1", report: {}, timings: {} };
    },
    allowSources: parseAllowList([]),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 100_000_000,
    defaultModel: sandboxModelName,
    memory,
  });
  const job = processingJob({ parameters: { seed: 1, output: { crop: "product", width: 1_600, format: "avif" } } });
  const key = storageKeys.source(job.accountId, job.id);
  await storage.write(key, Buffer.from("photo"), { bytesMax: 10 });
  const source = { kind: "file", file: { key, contentType: "image/jpeg", bytes: 5 } } as const;
  await runner.run({ ...job, source }, new AbortController().signal, () => {});
  const [largest, known, later] = reserved;
  expect(largest).toBeGreaterThan(800_000_000);
  expect(known).toBeLessThan(0.55 * largest!);
  expect(later).toBe(known);
  expect(memory.reservedBytes).toBe(0);
});
