/**
 * An image model whose graphs another server runs: here a model server of ours on the repository that is written for Triton, so that its
 * configurations are held against the graphs, and the picture against the one that is painted without it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { decodeModel, encodeModel } from "@packshot/models/onnx-file.ts";
import { graphModelName, kleinTensors } from "@packshot/models/pipeline-tensors.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeImageModel } from "../../../testing/generative/image-model-folder.ts";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { kleinGraphs } from "../generative/klein-pipeline.ts";
import type { PaintRequest } from "../model-client/painter.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

const main = fileURLToPath(new URL("../../../packages/models/triton-graphs-main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "packshot-graph-server-"));
const whole = join(folder, "whole");
const triton = join(folder, "triton");
const bare = join(folder, "bare");
const started: ModelServer[] = [];
let graphServer: ModelServer;

async function start(modelDir: string, more: { readonly graphServer?: string } = {}): Promise<ModelServer> {
  const server = await startModelServer({
    host: "127.0.0.1",
    grpcPort: 0,
    httpPort: 0,
    modelDirs: [modelDir],
    threads: 1,
    logger: createLogger({ name: "test", level: "silent" }),
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

  it("fail a start that does not find them, and a picture when they are gone, by the server's address", async () => {
    const other = join(folder, "other");
    writeTinyModel(other, "tiny", tinyModelSide);
    const without = await start(other);
    const address = `127.0.0.1:${without.grpcPort}`;
    await expect(start(bare, { graphServer: address })).rejects.toThrow(
      new RegExp(`model painter version 1: the graph server ${address}: .*painter-text_encoder`),
    );
    const lost = await start(triton);
    const painting = await start(bare, { graphServer: `127.0.0.1:${lost.grpcPort}` });
    await lost.stop();
    await expect(paintBy(painting)).rejects.toThrow(/the graph server 127\.0\.0\.1/);
  });
});

describe("the repository that is written for Triton", () => {
  const configOf = (graph: string) => {
    const file = join(triton, graphModelName("painter", graph), "config.pbtxt");
    return parseModelConfig(readFileSync(file, "utf8"), file);
  };

  it("has each graph of the pipeline, with the names, types and shapes that it gives and reads", () => {
    expect(Object.keys(kleinTensors).toSorted()).toEqual([...kleinGraphs].toSorted());
    expect(readdirSync(triton).toSorted()).toEqual(
      kleinGraphs.map((graph) => graphModelName("painter", graph)).toSorted(),
    );
    for (const graph of kleinGraphs) {
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
