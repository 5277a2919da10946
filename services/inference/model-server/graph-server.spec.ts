/**
 * An image model whose graphs another server runs: here a model server of ours on the repository that is written for Triton, so that its
 * configurations are held against the graphs, and the picture against the one that is painted without it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toJobError } from "@packshot/domain/errors.ts";
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { decodeModel, encodeModel } from "@packshot/models/onnx-file.ts";
import { pipelineGraphs } from "@packshot/models/pipeline-file.ts";
import { graphModelName, kleinTensors } from "@packshot/models/pipeline-tensors.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeImageModel } from "../../../testing/generative/image-model-folder.ts";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { shouldRequeue } from "../consumer/claims.ts";
import type { PaintRequest } from "../model-client/painter.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

const main = fileURLToPath(new URL("../../../packages/models/triton-graphs-main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "packshot-graph-server-"));
const whole = join(folder, "whole");
const triton = join(folder, "triton");
const bare = join(folder, "bare");
const started: ModelServer[] = [];
let graphServer: ModelServer;

/** What the model servers have logged as errors. */
const logged: string[] = [];
const silent = createLogger({ name: "test", level: "silent" });
const logger = { ...silent, info() {}, warn() {}, error: (fields: object) => void logged.push(JSON.stringify(fields)) };

async function start(
  modelDirs: string | readonly string[],
  more: Partial<Parameters<typeof startModelServer>[0]> = {},
): Promise<ModelServer> {
  const server = await startModelServer({
    host: "127.0.0.1",
    grpcPort: 0,
    httpPort: 0,
    modelDirs: [modelDirs].flat(),
    threads: 1,
    logger: logger as unknown as typeof silent,
    metricsRegistry: new Registry(),
    ...more,
  });
  started.push(server);
  return server;
}

beforeAll(async () => {
  writeImageModel(whole, "painter", { shift: 0.001 });
  execFileSync(process.execPath, [main, "--to", triton, join(whole, "painter")]);
  // What the model server keeps: what lies between the graphs.
  mkdirSync(join(bare, "painter", "1"), { recursive: true });
  for (const name of ["pipeline.json", "tokenizer.json"])
    cpSync(join(whole, "painter", "1", name), join(bare, "painter", "1", name));
  graphServer = await start(triton);
});
afterAll(async () => {
  for (const server of started) await server.stop();
  rmSync(folder, { recursive: true });
});

const width = 24;
const height = 16;
const request: PaintRequest = {
  prompt: "oak",
  seed: 47,
  strength: 1,
  width,
  height,
  reference: Uint8Array.from({ length: 3 * width * height }, (_, at) => 40 + ((at * 37) % 160)),
  fill: Uint8Array.from({ length: width * height }, (_, at) => (at % width >= width / 2 ? 255 : 0)),
  tenant: "acct",
  deadlineAtMs: Date.now() + 60_000,
  signal: new AbortController().signal,
  onStep() {},
};

async function paintBy({ grpcPort }: ModelServer) {
  const client = await connectModelClient(`127.0.0.1:${grpcPort}`);
  try {
    return await client.painter("painter").paint(request);
  } finally {
    client.close();
  }
}

describe("graphs on a server of their own", () => {
  it("paint the same picture to the byte", async () => {
    const here = await paintBy(await start(whole));
    const there = await paintBy(await start(bare, { graphServer: `127.0.0.1:${graphServer.grpcPort}` }));
    expect(here.picture!.length).toBe(3 * width * height);
    expect(Buffer.from(there.picture!).equals(Buffer.from(here.picture!))).toBe(true);
  });

  it("give a picture back when their server is lost, and name its address in the log alone", async () => {
    const lost = await start(triton);
    const address = `127.0.0.1:${lost.grpcPort}`;
    const painting = await start(bare, { graphServer: address });
    expect(await paintBy(painting)).toMatchObject({ modelName: "painter" });
    logged.length = 0;
    await lost.stop();
    const error = await paintBy(painting).catch((cause: unknown) => cause);
    expect(shouldRequeue(error)).toBe(true);
    expect(toJobError(error).code).toBe("model_unavailable");
    expect(messagesOf(error)).not.toMatch(/127\.0\.0\.1/);
    expect(logged.join()).toContain(`the graph server ${address}: 14 UNAVAILABLE`);
  });

  it("fail a picture by their own fault, without the address, and leave the model server running", async () => {
    const other = join(folder, "of-other-names");
    cpSync(triton, other, { recursive: true });
    const far = await start(other);
    const fatal: Error[] = [];
    const address = `127.0.0.1:${far.grpcPort}`;
    const painting = await start(bare, { graphServer: address, onFatal: (error) => fatal.push(error) });
    const encoder = graphModelName("painter", "text_encoder");
    // The new name is what the server's error says, and of a GPU of our own it would be fatal.
    const config = join(other, encoder, "config.pbtxt");
    writeFileSync(config, readFileSync(config, "utf8").replace("input_ids", "CUDA_ids"));
    const graph = join(other, encoder, "1", "model.onnx");
    const model = decodeModel(readFileSync(graph));
    for (const node of model.graph.node)
      node.input = node.input.map((name) => (name === "input_ids" ? "CUDA_ids" : name));
    model.graph.input.find(({ name }) => name === "input_ids")!.name = "CUDA_ids";
    // The file is a link to the one of the other specs.
    rmSync(graph);
    writeFileSync(graph, encodeModel(model));
    await far.registry.load(encoder);
    logged.length = 0;
    const error = await paintBy(painting).catch((cause: unknown) => cause);
    expect(toJobError(error)).toMatchObject({ code: "internal_error", message: expect.stringMatching(/has failed$/) });
    expect(logged.join()).toMatch(new RegExp(`the graph server ${address}: 3 INVALID_ARGUMENT.*CUDA_ids`));
    expect(fatal).toEqual([]);
  });

  it("keep no other model from being served while their server is away, and are loaded once it is there", async () => {
    const masks = join(folder, "masks");
    writeTinyModel(masks, "tiny", tinyModelSide);
    const gone = await start(masks);
    const port = gone.grpcPort;
    await gone.stop();
    const address = `127.0.0.1:${port}`;
    logged.length = 0;
    const server = await start([masks, bare], { graphServer: address, graphServerRetryMs: 50 });
    expect(server.registry.isReady()).toBe(true);
    const states = () => server.registry.index().map(({ name, state, reason }) => [name, state, reason]);
    expect(states()).toContainEqual(["tiny", "READY", ""]);
    expect(states()).toContainEqual(["painter", "UNAVAILABLE", "model painter version 1: the graph server is away"]);
    expect(logged.join()).toContain(`the graph server ${address}: 14 UNAVAILABLE`);
    const isLoaded = new Promise<void>((resolve) =>
      server.registry.onChange(() => server.registry.versionsOf("painter").length > 0 && resolve()),
    );
    await start(triton, { grpcPort: port });
    await isLoaded;
    expect((await paintBy(server)).picture).toHaveLength(3 * width * height);
  });

  it("keep their model out of service while their server has not all of them, though its process lives", async () => {
    const { registry, grpcPort } = await start(triton);
    const painting = await start(bare, { graphServer: `127.0.0.1:${grpcPort}` });
    const change = (isThere: boolean) =>
      new Promise<void>((resolve) =>
        painting.registry.onChange(() => painting.registry.serves("painter") === isThere && resolve()),
      );
    const states = () => painting.registry.index().map(({ name, state, reason }) => [name, state, reason]);
    const gone = change(false);
    await registry.unload(graphModelName("painter", "vae_decoder"));
    await gone;
    expect(states()).toEqual([["painter", "UNAVAILABLE", "its graph server is away"]]);
    expect(() => painting.registry.find("painter", "")).toThrow("'painter' is not ready: its graph server is away");
    const back = change(true);
    await registry.load(graphModelName("painter", "vae_decoder"));
    await back;
    expect(states()).toEqual([["painter", "READY", ""]]);
    expect((await paintBy(painting)).picture).toHaveLength(3 * width * height);
  });

  it("are waited for, too, where their server has not loaded them yet", async () => {
    const other = join(folder, "other");
    writeTinyModel(other, "tiny", tinyModelSide);
    const without = await start(other);
    logged.length = 0;
    const server = await start(bare, { graphServer: `127.0.0.1:${without.grpcPort}` });
    expect(server.registry.all()).toEqual([]);
    expect(logged.join()).toMatch(/the graph server 127\.0\.0\.1:\d+: 5 NOT_FOUND.*painter-text_encoder/);
  });
});

/** What the error and its causes say. */
function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.message} ${messagesOf(error.cause)}`;
}

describe("the repository that is written for Triton", () => {
  const configOf = (graph: string) => {
    const file = join(triton, graphModelName("painter", graph), "config.pbtxt");
    return parseModelConfig(readFileSync(file, "utf8"), file);
  };

  it("has each graph of the pipeline, with the names, types and shapes that it gives and reads", () => {
    expect(Object.keys(kleinTensors).toSorted()).toEqual([...pipelineGraphs["flux2-klein"]].toSorted());
    expect(readdirSync(triton).toSorted()).toEqual(
      pipelineGraphs["flux2-klein"].map((graph) => graphModelName("painter", graph)).toSorted(),
    );
    for (const graph of pipelineGraphs["flux2-klein"]) {
      const { name, maxBatchSize, input, output } = configOf(graph);
      expect({ name, maxBatchSize }).toEqual({ name: graphModelName("painter", graph), maxBatchSize: 0 });
      const { inputs, outputRank } = kleinTensors[graph]!;
      const found = input.map((each) => [each.name, [each.dataType.replace("TYPE_", ""), each.dims.length]]);
      expect(Object.fromEntries(found)).toEqual(inputs);
      expect(output.map(({ dataType, dims }) => [dataType, dims.length])).toEqual([["TYPE_FP32", outputRank]]);
    }
    expect(configOf("text_encoder").input).toContainEqual(
      expect.objectContaining({ name: "input_ids", dataType: "TYPE_INT64", dims: [1, -1] }),
    );
  });

  function written(change: (file: string) => void) {
    const model = join(folder, "changed", "painter");
    writeImageModel(join(folder, "changed"), "painter", { shift: 0.001 });
    change(join(model, "1", "vae_decoder.onnx"));
    const to = join(folder, "changed-triton");
    rmSync(to, { recursive: true, force: true });
    const { status, stderr } = spawnSync(process.execPath, [main, "--to", to, model], { encoding: "utf8" });
    return { status, stderr, to };
  }

  it("is not written of a graph whose tensors have other names or types", () => {
    const rename = (file: string) => {
      const model = decodeModel(readFileSync(file));
      for (const node of model.graph.node)
        node.input = node.input.map((name) => (name === "latents" ? "sample" : name));
      model.graph.input[0]!.name = "sample";
      writeFileSync(file, encodeModel(model));
    };
    const { status, stderr, to } = written(rename);
    expect([status, stderr]).toEqual([1, "vae_decoder takes sample; the pipeline gives latents\n"]);
    expect(existsSync(to)).toBe(false);
    const half = written((file) => {
      const model = decodeModel(readFileSync(file));
      model.graph.input[0]!.type!.tensorType!.elemType = 10;
      writeFileSync(file, encodeModel(model));
    });
    expect(half.stderr).toBe("vae_decoder: latents is FP16, and the pipeline has FP32\n");
  });

  function nameWeights(file: string, value: string): void {
    const model = decodeModel(readFileSync(file));
    const entry = { key: "location", value };
    model.graph.initializer.push({ name: "far", dims: [1], dataType: 1, dataLocation: 1, externalData: [entry] });
    writeFileSync(file, encodeModel(model));
  }

  it.each(["../victim", "/victim", "deeper/victim", "..", ""])(
    "is not written of a graph with weights in %j",
    (location) => {
      const { status, stderr, to } = written((file) => {
        writeFileSync(join(dirname(file), "..", "victim"), "weights");
        nameWeights(file, location);
      });
      expect(status).toBe(1);
      expect(stderr).toContain(`vae_decoder.onnx: its weights must lie beside it, not in ${JSON.stringify(location)}`);
      expect(existsSync(to)).toBe(false);
    },
  );

  it("has the files of weights that a graph names", () => {
    const { status, stderr, to } = written((file) => {
      nameWeights(file, "vae_decoder.onnx.data");
      writeFileSync(`${file}.data`, "weights");
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(readdirSync(join(to, "painter-vae_decoder", "1")).toSorted()).toEqual([
      "model.onnx",
      "vae_decoder.onnx.data",
    ]);
    expect(readdirSync(join(to, "painter-vae_encoder", "1"))).toEqual(["model.onnx"]);
  });
});
