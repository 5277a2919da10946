import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PackshotError } from "@packshot/domain/errors.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide as side, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import type { OpenInferenceClient } from "../model-client/open-inference-client.ts";
import { requireGpuPlacement } from "./load-version.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

const logger = createLogger({ name: "test", level: "fatal" });

function requestFor(model: string, fill = 7, rows = 1) {
  return {
    model,
    input: { shape: [rows, side, side, 3], data: new Uint8Array(rows * side * side * 3).fill(fill) },
    tenant: "acct",
    deadlineAtMs: Date.now() + 30_000,
    signal: new AbortController().signal,
  };
}

const refusal = (error: PackshotError): unknown =>
  (error.details as { refused?: boolean } | undefined)?.refused ? "refused" : error;

const augmentationParameter = "test_time_augmentation";

function writeAugmentedModel(folder: string): void {
  const parameter = augmentationParameter;
  writeTinyModel(folder, parameter, 1);
  const tensor = (name: string, depth: number) =>
    `{ name: "${name}" data_type: TYPE_UINT8 dims: [${side}, ${side}, ${depth}] }`;
  const lines = [
    `name: "${parameter}" max_batch_size: 1`,
    `input [${tensor("image", 3)}] output [${tensor("matte", 1)}]`,
    `parameters { key: "packshot.${parameter}" value { string_value: "true" } }`,
  ];
  writeFileSync(join(folder, parameter, "config.pbtxt"), lines.join("\n"));
}

function writeUnbatchedModel(folder: string): void {
  writeTinyModel(folder, "unbatched", 1);
  const tensor = (name: string, depth: number) =>
    `{ name: "${name}" data_type: TYPE_UINT8 dims: [${side}, ${side}, ${depth}] }`;
  const lines = ['name: "unbatched" max_batch_size: 4', `input [${tensor("image", 3)}] output [${tensor("matte", 1)}]`];
  writeFileSync(join(folder, "unbatched", "config.pbtxt"), lines.join("\n"));
}

describe("the model server through the worker's client", () => {
  let folder: string;
  let server: ModelServer;
  let client: OpenInferenceClient;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    writeTinyModel(folder, "tiny", 1);
    writeAugmentedModel(folder);
    server = await startModelServer({
      host: "127.0.0.1",
      grpcPort: 0,
      httpPort: 0,
      modelDirs: [folder],
      threads: 1,
      logger,
    });
    client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it("describes a model's input", async () => {
    expect(await client.describe("tiny")).toEqual({
      width: side,
      height: side,
      channels: "rgb",
      testTimeAugmentation: false,
      version: "1",
      precision: "original",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await expect(client.describe("none")).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it("describes other weights under the same version by another digest", async () => {
    const otherFolder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [otherFolder], threads: 1, logger };
    async function digestOf(seed: number) {
      writeTinyModel(otherFolder, "tiny", seed);
      const other = await startModelServer(options);
      const otherClient = await connectModelClient(`127.0.0.1:${other.grpcPort}`);
      try {
        return (await otherClient.describe("tiny")).digest;
      } finally {
        otherClient.close();
        await other.stop();
      }
    }
    const { digest } = await client.describe("tiny");
    expect(await digestOf(1)).toBe(digest);
    expect(await digestOf(2)).not.toBe(digest);
    rmSync(otherFolder, { recursive: true });
  });

  it("reads packshot.test_time_augmentation", async () => {
    expect(await client.describe(augmentationParameter)).toMatchObject({ testTimeAugmentation: true });
  });

  it("answers each of many requests with its own matte", async () => {
    const alone = await client.predict(requestFor("tiny", 200));
    expect(alone.output.shape).toEqual([1, side, side, 1]);
    expect(alone).toMatchObject({ modelName: "tiny", modelVersion: "1" });
    const fills = Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? 200 : at));
    const answers = await Promise.all(fills.map((fill) => client.predict(requestFor("tiny", fill, 1))));
    for (const [at, fill] of fills.entries()) {
      const same = Buffer.compare(Buffer.from(answers[at]!.output.data), Buffer.from(alone.output.data)) === 0;
      expect(same).toBe(fill === 200);
    }
  });

  it("pads a request of several rows to a bucket, also where config.pbtxt asks for no batching", async () => {
    writeUnbatchedModel(folder);
    await server.registry.load("unbatched");
    const alone = await client.predict(requestFor("tiny", 9, 1));
    const { output } = await client.predict(requestFor("unbatched", 9, 3));
    expect(output.shape).toEqual([3, side, side, 1]);
    const matte = Buffer.from(alone.output.data);
    expect(Buffer.compare(Buffer.from(output.data), Buffer.concat([matte, matte, matte]))).toBe(0);
    await server.registry.unload("unbatched");
  });

  it("fails with model_unavailable for an unknown model, without asking for a retry", async () => {
    const error = await client.predict(requestFor("none")).catch((e: PackshotError) => e);
    expect(error).toMatchObject({ code: "model_unavailable", details: undefined });
  });

  it("accepts deadlines with fractions of milliseconds, and infinite ones", async () => {
    for (const deadlineAtMs of [Date.now() + 10_000.5, Number.MAX_SAFE_INTEGER]) {
      expect((await client.predict({ ...requestFor("tiny"), deadlineAtMs })).modelName).toBe("tiny");
    }
  });

  it("rejects a request past its deadline and stops at an abort", async () => {
    await expect(client.predict({ ...requestFor("tiny"), deadlineAtMs: Date.now() - 1 })).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
    const aborted = AbortSignal.abort(new Error("the user cancelled"));
    await expect(client.predict({ ...requestFor("tiny"), signal: aborted })).rejects.toThrow("the user cancelled");
  });

  it("reloads a model under load without losing a request", async () => {
    let going = true;
    const outcomes: unknown[] = [];
    const load = Array.from({ length: 4 }, async () => {
      while (going)
        outcomes.push(
          await client.predict(requestFor("tiny")).then(
            () => "answered",
            (error: unknown) => error,
          ),
        );
    });
    const before = await client.predict(requestFor("tiny"));
    writeTinyModel(folder, "tiny", 2);
    await server.registry.load("tiny");
    const after = await client.predict(requestFor("tiny"));
    going = false;
    await Promise.all(load);
    expect(Buffer.compare(Buffer.from(before.output.data), Buffer.from(after.output.data))).not.toBe(0);
    expect(new Set(outcomes)).toEqual(new Set(["answered"]));
  });

  it("keeps the served version when its replacement cannot be loaded", async () => {
    const before = await client.predict(requestFor("tiny"));
    const file = join(folder, "tiny", "1", "model.onnx");
    const good = readFileSync(file);
    writeFileSync(file, "not a model");
    await expect(server.registry.load("tiny")).rejects.toMatchObject({ status: "INTERNAL" });
    const after = await client.predict(requestFor("tiny"));
    expect(Buffer.compare(Buffer.from(before.output.data), Buffer.from(after.output.data))).toBe(0);
    writeFileSync(file, good);
    await server.registry.load("tiny");
  });

  it("unloaded under load, answers accepted requests and rejects the rest; loaded again, it serves on", async () => {
    const outcomes = Array.from({ length: 30 }, () =>
      client.predict(requestFor("tiny")).then(() => "answered", refusal),
    );
    await Promise.race(outcomes);
    const unloaded = server.registry.unload("tiny");
    const late = client.predict(requestFor("tiny")).then(() => "answered", refusal);
    await unloaded;
    expect(new Set(await Promise.all(outcomes))).toContain("answered");
    expect(await late).toBe("refused");
    for (const outcome of await Promise.all(outcomes)) expect(["answered", "refused"]).toContain(outcome);
    await server.registry.load("tiny");
    expect((await client.predict(requestFor("tiny"))).modelName).toBe("tiny");
  });

  it("drops requests that the client cancels before they run", async () => {
    writeTinyModel(folder, "slow", 3, "1", 40);
    await server.registry.load("slow");
    const count = async (pattern: RegExp) =>
      Number(pattern.exec(await (await fetch(`http://127.0.0.1:${server.httpPort}/metrics`)).text())?.[1] ?? 0);
    const cancelling = new AbortController();
    const rows = 8; // so that it runs until the others are taken back, on a busy machine too
    const running = client.predict(requestFor("slow", 7, rows));
    const dropped = Array.from({ length: 10 }, () =>
      client.predict({ ...requestFor("slow"), signal: cancelling.signal }).catch(() => "cancelled"),
    );
    await client.describe("slow");
    setImmediate(() => cancelling.abort());
    expect(new Set(await Promise.all(dropped))).toEqual(new Set(["cancelled"]));
    await running;
    await expect.poll(() => count(/requests_total\{model="slow".*outcome="abandoned"\} (\d+)/)).toBe(10);
    expect(await count(/rows_total\{model="slow".*kind="asked"\} (\d+)/)).toBe(rows);
    await server.registry.unload("slow");
  });

  it("answers probes and metrics over HTTP", async () => {
    const get = (path: string) => fetch(`http://127.0.0.1:${server.httpPort}${path}`);
    expect((await get("/v2/health/live")).status).toBe(200);
    expect((await get("/v2/health/ready")).status).toBe(200);
    expect((await get("/health/ready")).status).toBe(200);
    expect(await (await get("/metrics")).text()).toContain(
      'packshot_inference_requests_total{model="tiny",version="1",outcome="answered"}',
    );
  });
});

describe("a model server with a Unix socket and several instances", () => {
  it("answers over the socket from every instance", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    writeTinyModel(folder, "tiny", 1);
    const socketPath = join(folder, "model.sock");
    const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], threads: 1, logger };
    const server = await startModelServer({ ...options, socketPath, instances: 3 });
    const client = await connectModelClient(`unix:${socketPath}`);
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.predict(requestFor("tiny"))));
    const mattes = new Set(answers.map(({ output }) => Buffer.from(output.data).toString("base64")));
    expect(mattes.size).toBe(1);
    client.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });
});

describe("a model server that requires a GPU and has none", () => {
  it("does not start on the CPU instead, and names what is missing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    writeTinyModel(folder, "tiny", 1);
    const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], logger };
    const start = () => startModelServer({ ...options, executionProviders: ["cuda", "cpu"], requireGpu: true });
    const outcome = await start().then(
      async (server) => {
        await server.stop();
        return "a GPU is here";
      },
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/a GPU is here|^model tiny version 1: .*(CUDA|cuda|backend|provider)/);
    rmSync(folder, { recursive: true });
  });

  it("rejects heavy operators placed on the CPU, but not the computation of shapes", () => {
    const cuda = { provider: "CUDAExecutionProvider", nodes: 90, operators: ["Conv", "Mul"] };
    const cpu = (operators: string[]) => ({ provider: "CPUExecutionProvider", nodes: operators.length, operators });
    expect(() => requireGpuPlacement([cuda, cpu(["Shape", "Gather"])])).not.toThrow();
    expect(() => requireGpuPlacement([cuda, cpu(["Resize"])])).toThrow("no kernel for Resize");
    expect(() => requireGpuPlacement([cpu(["Conv"])])).toThrow("no node ran on a GPU");
  });
});

describe("a model server that stops", () => {
  it("answers accepted requests, reports not ready, and is used again after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    writeTinyModel(folder, "tiny", 1);
    const options = { host: "127.0.0.1", httpPort: 0, modelDirs: [folder], threads: 1, logger };
    const first = await startModelServer({ ...options, grpcPort: 0 });
    const client = await connectModelClient(`127.0.0.1:${first.grpcPort}`);
    const inFlight = Array.from({ length: 8 }, () => client.predict(requestFor("tiny")));
    const outcomes = Promise.allSettled(inFlight);
    await inFlight[0];
    const gone = new Promise<void>((resolve) => client.onReadyChange((ready) => !ready && resolve()));
    const stopped = first.stop();
    await gone;
    await stopped;
    for (const outcome of await outcomes) {
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({ code: "model_unavailable", details: { refused: true } });
    }
    await expect(client.predict(requestFor("tiny"))).rejects.toMatchObject({
      code: "model_unavailable",
      details: { refused: true },
    });

    const back = new Promise<void>((resolve) => client.onReadyChange((ready) => ready && resolve()));
    const second = await startModelServer({ ...options, grpcPort: first.grpcPort });
    await back;
    expect((await client.predict(requestFor("tiny"))).modelVersion).toBe("1");
    client.close();
    await second.stop();
    rmSync(folder, { recursive: true });
  });

  it("names the reason why it cannot start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    const start = () => startModelServer({ host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], logger });
    await expect(start()).rejects.toThrow("no model with weights");
    mkdirSync(join(folder, "bad", "1"), { recursive: true });
    writeFileSync(join(folder, "bad", "1", "model.onnx"), "not a model");
    await expect(start()).rejects.toThrow("model bad version 1");
    writeUnbatchedModel(folder);
    rmSync(join(folder, "bad"), { recursive: true });
    const config = join(folder, "unbatched", "config.pbtxt");
    writeFileSync(config, readFileSync(config, "utf8").replace("dims:", "optional: true dims:"));
    await expect(start()).rejects.toThrow('input "image" is optional; a graph needs all of its own');
    rmSync(join(folder, "unbatched"), { recursive: true });
    cpSync(new URL("../../../models/u2net/config.pbtxt", import.meta.url), join(folder, "other", "config.pbtxt"));
    await expect(start()).rejects.toThrow("make them equal");
    rmSync(folder, { recursive: true });
  });
});
