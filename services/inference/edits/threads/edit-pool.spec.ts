import { existsSync, readdirSync, readFileSync } from "node:fs";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realCage, takenDecoder } from "../../../../testing/decoder/test-cages.ts";
import { sandboxPhoto } from "../../consumer/fetch-job-source.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import { sandboxModelClient } from "../../model-client/model-client.ts";
import type { EditInput } from "../edit.ts";
import { runEdit } from "../tools/run-edit.ts";
import { createEditPool, type EditPool, type EditPoolDeps } from "./edit-pool.ts";

/** The processes that this one has started to decode, and that still run. */
function decodersOf(): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const isChild = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")[1] === `${process.pid}`;
      return isChild && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(takenDecoder);
    } catch {
      return false;
    }
  });
}

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

it("tells the frame of an edit's first file before its result is there", async () => {
  const frames: unknown[] = [];
  const parameters = { seed: 1, model: "packshot-test", output: { crop: "product", width: 90 } } as const;
  const onFrame: EditInput["onFrame"] = (frame) => frames.push(frame);
  const { result } = await pool.runEdit(
    input({ parameters: { ...parameters, variations: 2 }, tool: "ai-bg", onFrame }),
  );
  expect(frames).toEqual([{ width: 90, height: result.height }]);
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

describe("with decoders in a cage", { tags: ["packshot-cage"] }, () => {
  const startCaged = async (program?: string, change: Partial<EditPoolDeps> = {}) => {
    const metrics = createMetrics("test");
    const logger = createLogger({ name: "test", level: "silent" });
    const caged = createEditPool({ threads: 2, metrics, logger, openCage: async () => realCage(program), ...change });
    await caged.start();
    return { caged, metrics };
  };

  it("makes the same bytes as without", async () => {
    const { caged } = await startCaged();
    try {
      const parameters = { seed: 1, model: "packshot-test", output: { metadata: "all" as const } };
      const inside = await caged.runEdit(input({ tool: "ai-bg", parameters, background: source, logo: source }));
      const outside = await runEdit(input({ tool: "ai-bg", parameters, background: source, logo: source }));
      expect(inside.result.bytes.equals(outside.result.bytes)).toBe(true);
    } finally {
      await caged.stop();
    }
  });

  it("leaves no process of a thread that is ended, not even a zombie", async () => {
    const { caged } = await startCaged(takenDecoder, { threads: 1, abortGraceMs: 1 });
    try {
      const abort = new AbortController();
      const hanging = caged.runEdit(input({ source: Buffer.from("hang"), signal: abort.signal }));
      const isAborted = expect(hanging).rejects.toBe("cancelled");
      await expect.poll(decodersOf).not.toEqual([]);
      const decoders = decodersOf();
      abort.abort("cancelled");
      await isAborted;
      await expect.poll(() => decoders.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    } finally {
      await caged.stop();
    }
  });

  it("counts a lost decoder, which is its photo's failure and leaves the thread and other edits alone", async () => {
    const { caged, metrics } = await startCaged(takenDecoder);
    try {
      const edits = ["crash", "signal"].map((what) => caged.runEdit(input({ source: Buffer.from(what) })));
      expect(await Promise.allSettled(edits)).toMatchObject([
        { reason: { code: "image_unreadable" } },
        { reason: { message: "EPERM" } },
      ]);
      await expect(caged.runEdit(input({ source: Buffer.from("fork") }))).rejects.toMatchObject({ message: "EPERM" });
      const { values } = await metrics.registry.getSingleMetric("packshot_worker_decoders_lost_total")!.get();
      expect(values).toMatchObject([{ labels: { cause: "crash" }, value: 2 }]);
    } finally {
      await caged.stop();
    }
  });

  it("only logs a decoder that ends while the process stops: a signal to all of them ends it, too", async () => {
    let isStopping = false;
    const lines: unknown[][] = [];
    const logger = createLogger({ name: "test", level: "silent" });
    logger.info = (...line: unknown[]) => void lines.push(line);
    const { caged, metrics } = await startCaged(takenDecoder, { isStopping: () => isStopping, logger });
    const counted = async () =>
      (await metrics.registry.getSingleMetric("packshot_worker_decoders_lost_total")!.get()).values;
    try {
      isStopping = true;
      await expect(caged.runEdit(input({ source: Buffer.from("crash") }))).rejects.toThrow();
      expect(await counted()).toEqual([]);
      const ended = { cause: "crash", how: expect.stringContaining("it was ended by SIGABRT") };
      expect(lines).toContainEqual([ended, "a decoder ended while the worker stops"]);
      isStopping = false;
      await expect(caged.runEdit(input({ source: Buffer.from("crash") }))).rejects.toThrow();
      // Another decoder tries the photo, too.
      expect(await counted()).toMatchObject([{ labels: { cause: "crash" }, value: 2 }]);
    } finally {
      await caged.stop();
    }
  });
});
