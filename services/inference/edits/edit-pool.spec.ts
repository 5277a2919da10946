import { PackshotError } from "@packshot/domain/errors.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sandboxPhoto } from "../consumer/fetch-job-source.ts";
import type { ModelClient } from "../model-client/model-client.ts";
import { sandboxModelClient } from "../model-client/model-client.ts";
import type { EditInput } from "./edit.ts";
import { createEditPool, type EditPool } from "./edit-pool.ts";
import { runEdit } from "./run-edit.ts";

let pool: EditPool;
let source: Buffer;

beforeAll(async () => {
  pool = createEditPool({ threads: 2, logger: createLogger({ name: "test", level: "silent" }) });
  await pool.start();
  source = await sandboxPhoto();
});
afterAll(() => pool.stop());

function input(change: Partial<EditInput> = {}): EditInput {
  return {
    tool: "mask",
    source,
    parameters: { seed: 1, model: "packshot-test" },
    tenant: "t",
    deadlineAtMs: Date.now() + 60_000,
    maxPixels: 1_000_000,
    models: sandboxModelClient,
    signal: new AbortController().signal,
    onStage: () => {},
    ...change,
  };
}

it("makes the same bytes as an edit on the main thread, and reports its stages", async () => {
  const stages: string[] = [];
  const inThread = await pool.runEdit(input({ onStage: (stage) => stages.push(stage) }));
  const onMain = await runEdit(input());
  expect(inThread.result.bytes.equals(onMain.result.bytes)).toBe(true);
  expect(inThread).toMatchObject({ model: onMain.model, report: onMain.report });
  expect(stages).toEqual(expect.arrayContaining(["decode", "predict", "encode"]));
});

it("runs more edits than it has threads, each with its own result", async () => {
  const outputs = await Promise.all(
    ["mask", "ai-shadows", "mask", "ai-bg", "mask"].map((tool) => pool.runEdit(input({ tool: tool as "mask" }))),
  );
  expect(outputs.map(({ result }) => result.contentType)).toEqual([
    "image/png",
    "image/png",
    "image/png",
    "image/jpeg",
    "image/png",
  ]);
});

it("keeps the code and details of errors", async () => {
  await expect(pool.runEdit(input({ source: Buffer.from("not an image") }))).rejects.toMatchObject({
    code: "unsupported_media_type",
  });
  const refusing: ModelClient = {
    ...sandboxModelClient,
    predict: () => Promise.reject(new PackshotError("model_unavailable", "full", { details: { refused: true } })),
  };
  await expect(pool.runEdit(input({ models: refusing }))).rejects.toMatchObject({
    code: "model_unavailable",
    details: { refused: true },
  });
});

it("aborts an edit that waits for its model, and uses the thread again", async () => {
  const abort = new AbortController();
  const hanging: ModelClient = {
    ...sandboxModelClient,
    predict: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  };
  const running = pool.runEdit(
    input({
      models: hanging,
      signal: abort.signal,
      onStage: (stage) => stage === "predict" && setImmediate(() => abort.abort("cancelled")),
    }),
  );
  await expect(running).rejects.toBe("cancelled");
  await expect(pool.runEdit(input())).resolves.toBeDefined();
});
