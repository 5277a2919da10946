import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ToolId, toolIds } from "@packshot/domain/edits/tools.ts";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { noBuckets } from "../../../testing/worker/no-buckets.ts";
import { runEdit } from "../edits/tools/run-edit.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/model-client.ts";
import { createJobRunner, type JobRunner } from "./job-runner.ts";
import { createMemoryBudget } from "./memory-budget.ts";
import { StaysQueued, withSandboxJobs } from "./sandbox-runner.ts";

let dir: string;
let runner: JobRunner;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-sandbox-"));
  const sandbox = createJobRunner({
    storage: createDiskStorage({ dir }),
    models: sandboxModelClient,
    runEdit,
    inspectImage: (_account, ...question) => inspectImage(...question),
    allowSources: parseAllowList([]),
    sourceTimeoutMs: 1_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 1_000_000,
    defaultModel: sandboxModelName,
    memory: createMemoryBudget({ bytesMax: 2 ** 30 }),
  });
  const live: JobRunner = { run: () => Promise.reject(new Error("a sandbox job must not run live")) };
  runner = withSandboxJobs({ live, sandbox });
});
afterAll(() => rm(dir, { recursive: true }));

function jobFor(tool: ToolId, words: string, metadata: Record<string, string> = {}): ProcessingJob {
  return processingJob({
    tool,
    live: false,
    parameters: { seed: 7, model: "birefnet-general" },
    metadata,
    source: { kind: "url", imageUrl: `https://test.packshot.invalid/${words}` },
    creditsCharged: 0,
  });
}

const never = new AbortController().signal;

it.each(toolIds)("makes a real image with %s, the same each time, without a model server", async (tool) => {
  const first = await runner.run(jobFor(tool, "completed"), never, () => {});
  const second = await runner.run(jobFor(tool, "completed"), never, () => {});
  expect(first.model).toBe(`${sandboxModelName}@1`);
  expect(first.result.bytes).toBeGreaterThan(1_000);
  expect(second.result.bytes).toBe(first.result.bytes);
});

it("matches the light of a test job, as of another picture", async () => {
  const tone = { kind: "url", imageUrl: "https://test.packshot.invalid/completed" } as const;
  const job = {
    ...jobFor("mask", "completed"),
    parameters: { seed: 7, model: "packshot", tone: "match" },
    tone,
  } as const;
  const { report } = await runner.run(job, never, () => {});
  expect(report.tone).toMatchObject({ mode: "match", applied: true });
  const darker = { ...job, tone: { ...tone, gains: { red: 0.7, green: 0.7, blue: 0.7 } } };
  const dark = await runner.run(darker, never, () => {});
  expect((dark.report.tone as { exposure: number }).exposure).toBeCloseTo(Math.log2(0.7), 1);
  const elsewhere = { ...job, tone: { ...tone, imageUrl: "http://127.0.0.1:9/first-of-the-set.jpg" } };
  await expect(runner.run(elsewhere, never, () => {})).rejects.toMatchObject({ code: "tone_unusable" });
});

it("fails as the address or the metadata requests", async () => {
  await expect(runner.run(jobFor("mask", "failed/no_product_found"), never, () => {})).rejects.toMatchObject({
    code: "no_product_found",
  });
  const byMetadata = jobFor("mask", "completed", { test: "failed/image_unreadable" });
  await expect(runner.run(byMetadata, never, () => {})).rejects.toMatchObject({ code: "image_unreadable" });
});

it("releases its slot while it only waits", async () => {
  const releases: string[] = [];
  await runner.run(
    jobFor("mask", "slow/1"),
    never,
    () => {},
    async (wait) => {
      const result = await wait();
      releases.push("slow");
      return result;
    },
  );
  expect(releases).toEqual(["slow"]);
});

it("keeps processing until it is aborted, and stays queued when requested", async () => {
  const abort = new AbortController();
  const running = runner.run(jobFor("mask", "processing"), abort.signal, () => {});
  abort.abort("cancelled");
  await expect(running).rejects.toThrow();
  await expect(runner.run(jobFor("mask", "queued"), never, () => {})).rejects.toBeInstanceOf(StaysQueued);
});
