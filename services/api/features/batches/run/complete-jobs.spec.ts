import type { Account } from "@packshot/domain/accounts/account.ts";
import { openBatch } from "@packshot/domain/batches/batch-changes.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { expect, test } from "vitest";
import type { PreparedRow, ValidRow } from "../rows/row.ts";
import { createCompleteJobs } from "./complete-jobs.ts";

const accountId = uuidv7();
const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
const batch = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
const jobId = uuidv7();

function row(number: number, pipeline?: string): ValidRow {
  const source = { kind: "url", imageUrl: "https://shop.example/1.jpg" } as const;
  return { row: number, line: number + 1, ref: `K-${number}`, source, tool: "mask", parameters: { pipeline } };
}

const asJob = (one: ValidRow): PreparedRow => {
  return { kind: "job", row: one, jobId, source: { kind: "url", imageUrl: "" } };
};
const everyPipeline = [row(0), row(1, "0.1.0+0.9.0"), row(2, "0.2.0+0.15.0")];

async function complete(isGone: boolean, rows = everyPipeline, before: readonly PreparedRow[] = rows.map(asJob)) {
  const removed: string[] = [];
  const completeJobs = createCompleteJobs({
    log: { read: () => Promise.reject(new Error("nothing is to be read")) } as never,
    nowMs: Date.now,
    storage: {
      copy: async () => true,
      deletePrefix: async (prefix) => void removed.push(prefix),
    },
    pipelines: () => ["0.2.0+0.15.0"],
    isImageModelGone: () => isGone,
    isPipelineGone: (version) => isGone && version === "0.1.0+0.9.0",
    skipDoneRows: async () => before,
  });
  const prepared = await completeJobs({ batch, account: {} as Account }, rows, new AbortController().signal);
  return { prepared, removed };
}

test("a row whose pipeline no running worker has any more fails when it would be handed out", async () => {
  const { prepared, removed } = await complete(true);
  expect(prepared.map(({ kind }) => kind)).toEqual(["job", "outcome", "job"]);
  expect(prepared[1]).toMatchObject({ outcome: { row: 1, status: "failed", code: "pipeline_not_available" } });
  expect(JSON.stringify(prepared[1])).toContain("running: 0.2.0+0.15.0");
  expect(removed).toEqual([storageKeys.job(accountId, jobId)]);
});

test("a scene whose image model no running worker has any more fails, too, and the renderer's does not", async () => {
  const sceneBy = (number: number, engine: "renderer" | "generative") =>
    ({ ...row(number), tool: "ai-bg", parameters: { engine } }) as const;
  const rows = [sceneBy(0, "generative"), sceneBy(1, "renderer")];
  const { prepared } = await complete(true, rows);
  expect(prepared.map(({ kind }) => kind)).toEqual(["outcome", "job"]);
  expect(prepared[0]).toMatchObject({ outcome: { row: 0, status: "failed", code: "engine_not_available" } });
  expect((await complete(false, rows)).prepared.map(({ kind }) => kind)).toEqual(["job", "job"]);
});

test("a scene that left its engine open is the renderer's where its image model is gone since that was decided", async () => {
  const decided = { engine: "generative", theme: "oak" } as const;
  const open: PreparedRow = {
    kind: "job",
    row: { ...row(0), tool: "ai-bg", parameters: decided },
    jobId,
    source: { kind: "url", imageUrl: "" },
    mayRender: true,
    fingerprint: "of the image model's picture",
  };
  const { prepared, removed } = await complete(true, [open.row], [open]);
  expect(prepared).toMatchObject([{ kind: "job", row: { parameters: { engine: "renderer", theme: "oak" } } }]);
  // Neither is it done as the image model's, nor does it wait for one.
  for (const field of ["mayRender", "fingerprint"]) expect(prepared[0]).not.toHaveProperty(field);
  expect(removed).toEqual([]);
  expect((await complete(false, [open.row], [open])).prepared).toMatchObject([open]);
});

test("while its workers may be starting, such a row is handed out and waits as others do", async () => {
  const { prepared } = await complete(false);
  expect(prepared.map(({ kind }) => kind)).toEqual(["job", "job", "job"]);
});
