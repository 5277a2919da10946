import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, it, onTestFinished } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { noBuckets } from "../../../testing/worker/no-buckets.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/model-client.ts";
import { createJobRunner } from "./job-runner.ts";
import { createLargeEdits, LargeEditTimeout, largeEditPixels } from "./large-edits.ts";
import { createMemoryBudget } from "./memory-budget.ts";

const large = largeEditPixels + 1;
const { signal } = new AbortController();
const onWait = () => {};

it("leaves one slot to others, and passes a turn on in order", async () => {
  const edits = createLargeEdits({ slots: 3 });
  const first = await edits.begin({ pixels: large, signal, onWait });
  await edits.begin({ pixels: large, signal, onWait });
  const begun: string[] = [];
  const later = ["third", "fourth"].map(async (name) => {
    const end = await edits.begin({ pixels: large, signal, onWait: () => begun.push(`${name} waits`) });
    begun.push(name);
    return end;
  });
  expect(begun).toEqual(["third waits", "fourth waits"]);
  await edits.begin({ pixels: largeEditPixels, signal, onWait: () => begun.push("never") });
  first();
  first();
  const third = await later[0]!;
  expect(begun.slice(2)).toEqual(["third"]);
  third();
  await later[1];
  expect(begun.slice(2)).toEqual(["third", "fourth"]);
});

it("has one turn where there is one slot, and gives up who waits too long or is aborted", async () => {
  const edits = createLargeEdits({ slots: 1, waitTimeoutMs: 20 });
  const end = await edits.begin({ pixels: large, signal, onWait });
  await expect(edits.begin({ pixels: large, signal, onWait })).rejects.toBeInstanceOf(LargeEditTimeout);
  const patient = createLargeEdits({ slots: 1 });
  const endOther = await patient.begin({ pixels: large, signal, onWait });
  const aborting = new AbortController();
  const aborted = patient.begin({ pixels: large, signal: aborting.signal, onWait });
  aborting.abort(new Error("cancelled"));
  await expect(aborted).rejects.toThrow("cancelled");
  await expect(patient.begin({ pixels: large, signal: aborting.signal, onWait })).rejects.toThrow("cancelled");
  // Whoever left takes no turn of those that come later.
  for (const [each, over] of [
    [edits, end],
    [patient, endOther],
  ] as const) {
    over();
    await each.begin({ pixels: large, signal, onWait: () => expect.unreachable("a turn was lost") });
  }
});

it("has who must wait leave the slot, until sixteen wait", async () => {
  const edits = createLargeEdits({ slots: 1 });
  expect(edits.waitsOutside(large)).toBe(false);
  const end = await edits.begin({ pixels: large, signal, onWait });
  expect(edits.waitsOutside(largeEditPixels)).toBe(false);
  const waiting = Array.from({ length: 15 }, () => edits.begin({ pixels: large, signal, onWait }));
  expect(edits.waitsOutside(large)).toBe(true);
  waiting.push(edits.begin({ pixels: large, signal, onWait }));
  expect(edits.waitsOutside(large)).toBe(false);
  end();
  expect(edits.waitsOutside(large)).toBe(true);
  for (const turn of waiting) (await turn)();
});

it("lets a large edit wait for its turn without a slot, and before it takes memory", async () => {
  const image = { bytes: Buffer.from("png"), contentType: "image/png", width: 1, height: 1 } as const;
  const dir = await mkdtemp(join(tmpdir(), "packshot-large-edits-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const storage = createDiskStorage({ dir });
  const largeEdits = createLargeEdits({ slots: 1 });
  const endOther = await largeEdits.begin({ pixels: largeEditPixels + 1, signal, onWait });
  const memory = createMemoryBudget({ bytesMax: 2 ** 40 });
  const reserved: number[] = [];
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    inspectImage: async () => ({ format: "png", contentType: "image/png", width: 8_192, height: 8_192, pages: 1 }),
    runEdit: async () => ({ result: image, thumbnail: image, model: "m@1", report: {}, timings: {} }),
    allowSources: parseAllowList([]),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 100_000_000,
    defaultModel: sandboxModelName,
    memory,
    largeEdits,
  });
  const job = processingJob();
  const key = storageKeys.source(job.accountId, job.id);
  await storage.write(key, Buffer.from("photo"), { bytesMax: 10 });
  const source = { kind: "file", file: { key, contentType: "image/png", bytes: 5 } } as const;
  await runner.run(
    { ...job, source },
    signal,
    () => {},
    async (wait) => {
      const waited = wait();
      reserved.push(memory.reservedBytes);
      endOther();
      return await waited;
    },
  );
  expect([reserved, memory.reservedBytes]).toEqual([[0], 0]);
  // The turn is over with the edit.
  await largeEdits.begin({ pixels: largeEditPixels + 1, signal, onWait: () => expect.unreachable("a turn was lost") });
});
