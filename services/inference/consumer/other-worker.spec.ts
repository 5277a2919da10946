import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PackshotError } from "@packshot/domain/errors.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { noBuckets } from "../../../testing/worker/no-buckets.ts";
import { deserializeError, serializeError } from "../edits/serialized-error.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/model-client.ts";
import { type Painter, type PaintRequest, sandboxPainter } from "../model-client/painter.ts";
import { createJobRunner } from "./job-runner.ts";
import { createMemoryBudget } from "./memory-budget.ts";
import { ImageModelMissing, OtherWorkerNeeded } from "./other-worker.ts";

let dir: string;
let storage: Storage;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-other-worker-"));
  storage = createDiskStorage({ dir });
});
afterAll(() => rm(dir, { recursive: true }));

/** A worker whose edit asks for a description and a picture. undefined: it has no image model. */
function generativeRunner(painter: Partial<Painter> | undefined, isPaintedElsewhere?: () => boolean) {
  const asked: string[] = [];
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    painter: painter && { ...sandboxPainter, ...painter },
    isPaintedElsewhere,
    inspectImage: async () => ({ format: "jpeg", contentType: "image/jpeg", width: 1, height: 1, pages: 1 }),
    runEdit: async (input) => {
      asked.push(input.painter === undefined ? "render" : "edit");
      if (input.painter === undefined) throw new PackshotError("no_product_found", "Nothing stands out.");
      await input.painter.describe();
      const paint = input.painter.paint({} as PaintRequest);
      // As from an edit's thread, where errors lose their class and their cause.
      await paint.catch((error: unknown) => Promise.reject(deserializeError(serializeError(error))));
      throw new PackshotError("no_product_found", "Nothing stands out.");
    },
    allowSources: parseAllowList(""),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 1_000,
    defaultModel: sandboxModelName,
    memory: createMemoryBudget({ bytesMax: 2 ** 30 }),
  });
  return { runner, asked };
}

describe("a job that an image model is to paint", () => {
  // The clock stands still: how long a job has waited is told in whole seconds.
  const nowMs = Date.now();
  beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  const lost = new PackshotError("model_unavailable", "The model klein is not loaded.");
  const busy = new PackshotError("model_unavailable", "busy", { details: { refused: true } });
  const failing = (error: Error) => () => Promise.reject(error);

  interface Run {
    readonly signal?: AbortSignal;
    readonly job?: Parameters<typeof processingJob>[0];
    readonly isPaintedElsewhere?: () => boolean;
  }

  async function run(painter: Partial<Painter> | undefined, given: Run = {}) {
    const { signal = new AbortController().signal, job: change = {} } = given;
    const { runner, asked } = generativeRunner(painter, given.isPaintedElsewhere);
    const key = storageKeys.source("acct", "job");
    await storage.write(key, Buffer.from("photo"), { bytesMax: 10 });
    const file = { key, contentType: "image/png", bytes: 5 };
    const parameters = { seed: 1, engine: "generative" } as const;
    const job = processingJob({ source: { kind: "file", file }, parameters, ...change });
    const error: unknown = await runner.run(job, signal, () => {}).catch((cause: unknown) => cause);
    return { error, asked };
  }

  it("goes to another worker before anything is fetched where no model server has the model", async () => {
    const { error, asked } = await run({ describe: failing(lost) });
    expect(error).toBeInstanceOf(ImageModelMissing);
    expect(error).toMatchObject({ isSoonBack: false });
    expect(asked).toEqual([]);
  });

  it("goes to another worker where the model is lost while it is edited", async () => {
    const { error, asked } = await run({ paint: failing(lost) });
    expect(error).toBeInstanceOf(OtherWorkerNeeded);
    expect((error as OtherWorkerNeeded).cause).toBe(lost);
    expect(asked).toEqual(["edit"]);
  });

  it("is tried again soon where the model's servers are busy or start", async () => {
    expect((await run({ describe: failing(busy) })).error).toMatchObject({ isSoonBack: true });
    const refused = (await run({ paint: failing(busy) })).error;
    expect(refused).toBeInstanceOf(ImageModelMissing);
    expect(refused).toMatchObject({ isSoonBack: true, cause: { details: { refused: true } } });
  });

  const waited = { unpaintedSince: new Date(nowMs - 61_000).toISOString() };

  it("waits no longer than the limit for a model that nobody has: it fails, or the renderer may paint it", async () => {
    const describe = failing(lost);
    const recent = { unpaintedSince: new Date(nowMs - 30_000).toISOString(), mayRender: true } as const;
    expect((await run({ describe }, { job: recent })).error).toBeInstanceOf(ImageModelMissing);
    const failed = await run({ describe }, { job: waited });
    expect(failed.error).toMatchObject({ code: "image_model_timeout", message: expect.stringContaining("61 seconds") });
    expect(failed.asked).toEqual([]);
    expect((await run({ describe }, { job: { ...waited, mayRender: true } })).asked).toEqual(["render"]);
  });

  it("is given back by a worker without an image model for as long as other workers have one", async () => {
    let isPainted = true;
    const isPaintedElsewhere = () => isPainted;
    const { error, asked } = await run(undefined, { job: { ...waited, mayRender: true }, isPaintedElsewhere });
    expect(error).toBeInstanceOf(OtherWorkerNeeded);
    // What makes the job's wait count.
    expect(error).not.toBeInstanceOf(ImageModelMissing);
    expect(asked).toEqual([]);
    isPainted = false;
    expect((await run(undefined, { isPaintedElsewhere })).error).toBeInstanceOf(ImageModelMissing);
    expect((await run(undefined, { job: { ...waited, mayRender: true }, isPaintedElsewhere })).asked).toEqual([
      "render",
    ]);
  });

  it("waits no longer for servers that refuse to paint, as a full queue does", async () => {
    const paint = failing(busy);
    expect((await run({ paint }, { job: waited })).error).toMatchObject({ code: "image_model_timeout" });
    expect((await run({ paint }, { job: { ...waited, mayRender: true } })).asked).toEqual(["edit", "render"]);
  });

  it("is painted where the model is there again, however long that took", async () => {
    expect((await run({}, { job: { ...waited, mayRender: true } })).asked).toEqual(["edit"]);
  });

  it("fails by a fault of its own as others do", async () => {
    const painting = { picture: null, runMs: 0, provider: "none", modelName: "m" };
    expect((await run({ paint: async () => painting })).error).toMatchObject({ code: "no_product_found" });
  });

  it("stays cancelled where the model is lost, too", async () => {
    const abort = new AbortController();
    const paint = () => {
      abort.abort("cancelled");
      return Promise.reject(lost);
    };
    expect((await run({ paint }, { signal: abort.signal })).error).not.toBeInstanceOf(OtherWorkerNeeded);
  });
});
