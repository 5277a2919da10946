import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createImageInspector, type InspectImageFor } from "@packshot/platform/images/image-inspector.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { StorageTimeout } from "@packshot/platform/storage/storage-fault.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { noBuckets } from "../../../testing/worker/no-buckets.ts";
import { serializeError } from "../edits/serialized-error.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/model-client.ts";
import { createJobRunner, type JobRunnerDeps } from "./job-runner.ts";
import { createMemoryBudget } from "./memory-budget.ts";
import { OtherWorkerNeeded } from "./other-worker.ts";

const tinyHeader: InspectImageFor = async () => ({
  format: "jpeg",
  contentType: "image/jpeg",
  width: 1,
  height: 1,
  pages: 1,
});

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

it.each([
  { what: "the pipeline of another release", parameters: { pipeline: "9.9.9+9.9.9" } },
  { what: "an image model, which this worker lacks,", parameters: { engine: "generative" as const } },
])("gives back a job that asks for $what before it fetches anything", async ({ parameters }) => {
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    inspectImage: tinyHeader,
    runEdit: async () => Promise.reject(new Error("must not run")),
    allowSources: parseAllowList(""),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 1_000,
    defaultModel: sandboxModelName,
    memory: createMemoryBudget({ bytesMax: 2 ** 30 }),
  });
  const job = processingJob({ parameters: { seed: 1, ...parameters } });
  await expect(runner.run(job, new AbortController().signal, () => {})).rejects.toBeInstanceOf(OtherWorkerNeeded);
});

it("releases its slot while an imageUrl is fetched, and keeps the bytes among the attempt's files", async () => {
  const image = { bytes: Buffer.from("png"), contentType: "image/png", width: 1, height: 1 } as const;
  let edited: string | undefined;
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    inspectImage: tinyHeader,
    runEdit: async ({ source }) => {
      edited = Buffer.from(source).toString();
      return { result: image, thumbnail: image, model: "m@1", report: {}, timings: {} };
    },
    allowSources: parseAllowList("127.0.0.1:*"),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 1_000,
    defaultModel: sandboxModelName,
    memory: createMemoryBudget({ bytesMax: 2 ** 30 }),
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

/** A runner whose memory is enough for one edit, and the edits that it has begun. */
function narrowRunner(read: Storage["read"] = storage.read, inspectImage: InspectImageFor = tinyHeader) {
  const image = { bytes: Buffer.from("png"), contentType: "image/png", width: 1, height: 1 } as const;
  const begun: { readonly finish: (failure?: Error) => void }[] = [];
  let onBegin = () => {};
  let onWait = () => {};
  const memory = createMemoryBudget({ bytesMax: 1 });
  const runner = createJobRunner({
    storage: { ...storage, read },
    models: sandboxModelClient,
    inspectImage,
    runEdit: async () => {
      const ending = Promise.withResolvers<void>();
      begun.push({ finish: (failure) => (failure === undefined ? ending.resolve() : ending.reject(failure)) });
      onBegin();
      await ending.promise;
      return { result: image, thumbnail: image, model: "m@1", report: {}, timings: {} };
    },
    allowSources: parseAllowList([]),
    sourceTimeoutMs: 60_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 1_000,
    defaultModel: sandboxModelName,
    memory: {
      ...memory,
      async reserve(request) {
        const letGo = () => {
          request.onWait();
          onWait();
        };
        return await memory.reserve({ ...request, onWait: letGo });
      },
    },
  });
  async function run(signal = new AbortController().signal, source = "photo") {
    const job = processingJob();
    const key = storageKeys.source(job.accountId, job.id);
    await storage.write(key, Buffer.from(source), { bytesMax: 10 });
    const file = { key, contentType: "image/png", bytes: source.length };
    return runner.run({ ...job, source: { kind: "file", file } }, signal, () => {});
  }
  const nextBegin = () => new Promise<void>((resolve) => (onBegin = resolve));
  /** An edit waits for memory. */
  const nextWait = () => new Promise<void>((resolve) => (onWait = resolve));
  return { memory, begun, run, nextBegin, nextWait };
}

it("edits one after the other when memory is short, also after one that fails, and reads the source again", async () => {
  const reads: string[] = [];
  const { memory, begun, run, nextBegin, nextWait } = narrowRunner(async (key, limits) => {
    reads.push(key);
    return await storage.read(key, limits);
  });
  const first = nextBegin();
  const failing = run();
  await first;
  const second = nextBegin();
  const waits = nextWait();
  const waiting = run();
  await waits;
  expect([reads.length, begun.length]).toEqual([2, 1]);
  begun[0]!.finish(new Error("damaged"));
  await expect(failing).rejects.toThrow("damaged");
  await second;
  expect(reads[2]).toBe(reads[1]);
  begun[1]!.finish();
  await waiting;
  expect([reads.length, memory.reservedBytes]).toEqual([3, 0]);
});

it("an edit that is cancelled while it waits for memory takes none", async () => {
  const { memory, begun, run, nextBegin } = narrowRunner();
  const first = nextBegin();
  const running = run();
  await first;
  const cancel = new AbortController();
  const cancelled = run(cancel.signal);
  cancel.abort("cancelled");
  await expect(cancelled).rejects.toBe("cancelled");
  begun[0]!.finish();
  await running;
  expect([begun.length, memory.reservedBytes]).toEqual([1, 0]);
});

it("stops a header that hangs or takes its process with it, and fails that photo alone", async () => {
  const inspector = createImageInspector({
    logger: createLogger({ name: "test", level: "silent" }),
    main: fileURLToPath(new URL("../../../testing/images/hostile-inspector-main.ts", import.meta.url)),
    answerTimeoutMs: 1_000,
  });
  await inspector.start();
  try {
    const { memory, begun, run, nextBegin } = narrowRunner(storage.read, inspector.inspectImage);
    const [first] = inspector.pids();
    for (const act of ["hang", "crash"])
      await expect(run(undefined, act)).rejects.toMatchObject({ code: "image_unreadable" });
    expect(inspector.pids()).not.toContain(first);
    expect([begun.length, memory.reservedBytes]).toEqual([0, 0]);
    const beginning = nextBegin();
    const neighbor = run();
    await beginning;
    begun[0]!.finish();
    await neighbor;
  } finally {
    await inspector.stop();
  }
});

describe("a result for a customer's bucket", () => {
  const result = { bytes: Buffer.from("a whole result"), contentType: "image/png", width: 1, height: 1 } as const;
  let bucket: Server;
  let stored: string[] = [];
  let answer: (response: ServerResponse) => void = (response) => response.end();

  beforeAll(async () => {
    bucket = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("error", () => {});
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        stored.push(Buffer.concat(chunks).toString());
        answer(response);
      });
    }).listen(0, "127.0.0.1");
    await once(bucket, "listening");
  });
  afterEach(() => {
    stored = [];
    answer = (response) => response.end();
  });
  afterAll(() => {
    bucket.closeAllConnections();
    bucket.close();
  });

  it("has all results of an edit, and asks for a link to each", async () => {
    const asked: object[] = [];
    const second = { ...result, bytes: Buffer.from("another result") };
    const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/photos/mug.png`;
    const variations = [{ image: second, report: { scene: { surface: "wood" } } }];
    const output = { result, variations, thumbnail: result, model: "m@1", report: {}, timings: {} };
    const done = await run({
      runEdit: async () => output,
      askForLink: async (request) => {
        asked.push(request);
        return { method: "PUT", url, headers: {} };
      },
    });
    expect(done.delivery).toEqual({ status: "stored", attempts: 1 });
    expect(stored).toEqual(["a whole result", "another result"]);
    expect(asked).toMatchObject([
      { kind: "result", bytes: 14 },
      { kind: "further-result", name: "variation-2" },
    ]);
    expect(done.results).toEqual([
      { ...done.result, name: "variation-1", seed: 1 },
      expect.objectContaining({
        name: "variation-2",
        seed: 2,
        bytes: 14,
        key: expect.stringMatching(/variation-2\.png$/),
        report: { scene: { surface: "wood" } },
      }),
    ]);
    answer = (response) => (stored.length === 4 ? response.writeHead(403).end() : response.end());
    const refused = await run({
      runEdit: async () => output,
      askForLink: async () => ({ method: "PUT", url, headers: {} }),
    });
    expect(refused.delivery, "the bucket has only one of two").toMatchObject({ status: "failed" });
  });

  it("has the layers of a result beside it, in order", async () => {
    const asked: object[] = [];
    const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/photos/mug.png`;
    const layers = (["shadow", "product"] as const).map((name) => ({
      name,
      image: { ...result, bytes: Buffer.from(`the ${name}`) },
    }));
    const done = await run({
      runEdit: async () => ({ result, layers, thumbnail: result, model: "m@1", report: {}, timings: {} }),
      askForLink: async (request) => {
        asked.push(request);
        return { method: "PUT", url, headers: {} };
      },
    });
    expect(stored).toEqual(["a whole result", "the shadow", "the product"]);
    expect(asked.slice(1)).toMatchObject([
      { kind: "further-result", name: "shadow", contentType: "image/png", bytes: 10 },
      { kind: "further-result", name: "product", contentType: "image/png", bytes: 11 },
    ]);
    expect(done).not.toHaveProperty("results");
    const { width, height } = result;
    expect(done.layers).toEqual(
      ["shadow", "product"].map((name, i) => ({
        name,
        key: expect.stringMatching(new RegExp(`/layer-${name}\\.png$`)),
        contentType: "image/png",
        bytes: 10 + i,
        width,
        height,
      })),
    );
  });

  const outputs = [
    { name: "first" },
    { name: "thumbnail", output: { format: "webp" } },
    { name: "bad" },
    { name: "lost" },
  ] as const;
  const drawn = {
    result,
    thumbnail: result,
    model: "m@1",
    report: { checks: [{ name: "format", value: "jpeg", passed: true }] },
    timings: {},
    outputs: [
      { name: "thumbnail", image: { ...result, bytes: Buffer.from("another file") }, report: { encoding: 1 } },
      { name: "bad", position: 2, cause: serializeError(new PackshotError("max_bytes_unreachable", "Too small.")) },
      { name: "lost", position: 3, cause: serializeError(new TypeError("a bug")) },
    ],
  };

  it("has the files of an edit under their names, those that failed with their errors", async () => {
    const asked: object[] = [];
    const faults: unknown[] = [];
    const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/photos/mug.png`;
    const deps: Partial<JobRunnerDeps> = {
      runEdit: async () => drawn,
      onFailedOutput: (_job, name, error) => faults.push([name, String(error)]),
      askForLink: async (request) => {
        asked.push(request);
        return { method: "PUT", url, headers: {} };
      },
    };
    const done = await run(deps, { parameters: { seed: 1, outputs } });
    expect(stored).toEqual(["a whole result", "another file"]);
    expect(asked).toMatchObject([{ kind: "result" }, { kind: "further-result", name: "thumbnail" }]);
    expect(done.results).toEqual([
      { ...done.result, name: "first", checks: drawn.report.checks },
      expect.objectContaining({
        name: "thumbnail",
        key: expect.stringMatching(/output-2\.png$/),
        report: { encoding: 1 },
      }),
    ]);
    expect(done.failedResults).toMatchObject([
      { name: "bad", position: 2, error: { code: "max_bytes_unreachable", message: "Too small." } },
      { name: "lost", position: 3, error: { code: "internal_error" } },
    ]);
    expect(faults).toEqual([["lost", "TypeError: a bug"]]);
  });

  it("is tried again as a whole where the machine failed one file", async () => {
    const cause = serializeError(new RangeError("Array buffer allocation failed"));
    const runEdit = async () => ({ ...drawn, outputs: [{ name: "lost", position: 1, cause }] });
    const writes: string[] = [];
    const watched: JobRunnerDeps["storage"] = {
      ...storage,
      async write(key, ...rest) {
        writes.push(key);
        return await storage.write(key, ...rest);
      },
    };
    const running = run({ runEdit, storage: watched }, { parameters: { seed: 1, outputs } });
    await expect(running).rejects.toThrow("allocation failed");
    expect(writes, "nothing is stored for it").toEqual([]);
  });

  it("writes nothing more when it fails because a file cannot be stored", async () => {
    let ended = 0;
    const slow: JobRunnerDeps["storage"] = {
      ...storage,
      async write(key, ...rest) {
        if (key.includes("thumbnail")) throw new Error("the disk is full");
        const written = await storage.write(key, ...rest);
        ended += 1;
        return written;
      },
    };
    const running = run({ runEdit: async () => drawn, storage: slow }, { parameters: { seed: 1, outputs } });
    await expect(running).rejects.toThrow("the disk is full");
    expect(ended, "the first file and the second").toBe(2);
  });

  interface Run {
    readonly mayDeliver?: () => Promise<boolean>;
    readonly leftMs?: number;
    readonly parameters?: ProcessingJob["parameters"];
  }

  async function run(change: Partial<JobRunnerDeps> = {}, { mayDeliver, leftMs = 300_000, parameters }: Run = {}) {
    const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/photos/mug.png`;
    const runner = createJobRunner({
      storage,
      models: sandboxModelClient,
      runEdit: async () => ({ result, thumbnail: result, model: "m@1", report: {}, timings: {} }),
      allowSources: parseAllowList([]),
      sourceTimeoutMs: 60_000,
      inspectImage: tinyHeader,
      allowConnections: parseAllowList("127.0.0.1:*"),
      askForLink: async () => ({ method: "PUT", url, headers: { "content-length": String(result.bytes.length) } }),
      destinationTimeoutMs: 60_000,
      imageModelTimeoutMs: 60_000,
      firstPauseMs: 1,
      maxPixels: 1_000,
      defaultModel: sandboxModelName,
      memory: createMemoryBudget({ bytesMax: 2 ** 30 }),
      ...change,
    });
    const destination = { connection: "shop", key: "mug.{ext}" };
    const deadlineAt = new Date(Date.now() + leftMs).toISOString();
    const job = processingJob({ destination, deadlineAt, ...(parameters && { parameters }) });
    const key = storageKeys.source(job.accountId, job.id);
    await storage.write(key, Buffer.from("photo"), { bytesMax: 10 });
    const source = { kind: "file", file: { key, contentType: "image/png", bytes: 5 } } as const;
    const signal = new AbortController().signal;
    return await runner.run(
      { ...job, source },
      signal,
      () => {},
      (wait) => wait(),
      mayDeliver,
    );
  }

  const failedDelivery = (message: string) => ({
    status: "failed",
    attempts: 1,
    error: { code: "destination_failed", message, retryable: true },
  });

  it("is an edit that is done, though the bucket keeps the bytes and says 403", async () => {
    answer = (response) => response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    const done = await run();
    expect(stored).toEqual(["a whole result"]);
    expect(done.delivery).toEqual(failedDelivery('The bucket of the connection "shop" answered 403 AccessDenied.'));
    expect(await storage.read(done.result.key, { bytesMax: 100 })).toEqual(result.bytes);
  });

  it("is one though the bucket breaks off after the last byte, each time", async () => {
    answer = (response) => response.destroy();
    expect((await run()).delivery).toMatchObject({ status: "failed", error: { code: "destination_failed" } });
    expect(stored).toHaveLength(3);
  });

  it("is one though the bucket keeps the bytes and is silent until the job has no time left", async () => {
    answer = () => {};
    const message = 'The bucket of the connection "shop" took longer than the job had left.';
    // 15 s are kept for the record.
    expect((await run({}, { leftMs: 15_500 })).delivery).toEqual(failedDelivery(message));
  });

  it("is there", async () => {
    const { delivery, timings } = await run();
    expect([delivery, stored]).toEqual([{ status: "stored", attempts: 1 }, ["a whole result"]]);
    expect(timings.storeDestination).toBeGreaterThanOrEqual(0);
  });

  it("stays with us where the job has been cancelled meanwhile", async () => {
    expect([(await run({}, { mayDeliver: async () => false })).delivery, stored]).toEqual([undefined, []]);
  });

  it("gives the job back where our own storage breaks off, or no API process signs", async () => {
    const broken = new StorageTimeout("reading", 1);
    const open: Storage["open"] = async () => ({
      bytes: result.bytes.length,
      stream: Readable.from(
        (async function* () {
          yield result.bytes.subarray(0, 3);
          throw broken;
        })(),
      ),
    });
    await expect(run({ storage: { ...storage, open } })).rejects.toBe(broken);
    const unanswered = new Error("no API process");
    await expect(run({ askForLink: () => Promise.reject(unanswered) })).rejects.toBe(unanswered);
  });
});
