import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryObjects } from "node:v8";
import { Client } from "@grpc/grpc-js";
import { node, value } from "@packshot/models/graph-builders.ts";
import { elementTypes, encodeModel } from "@packshot/models/onnx-file.ts";
import type { HostResolver } from "@packshot/platform/outbound/host-resolver.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide as side, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { onFreePorts } from "../../../testing/servers/free-ports.ts";
import { startTcpProxy } from "../../../testing/servers/tcp-proxy.ts";
import { type ModelServer, type ModelServerDeps, startModelServer } from "../model-server/model-server.ts";
import type { OpenInferenceClient } from "./open-inference-client.ts";

/** Fails for each pixel that is not 0, and so not while it is warmed: it looks the pixel up in a table of one entry. */
const failing = encodeModel({
  irVersion: 8,
  producerName: "packshot",
  opsetImport: [{ domain: "", version: 17 }],
  metadataProps: [],
  graph: {
    name: "failing",
    node: [node("Cast", ["image"], "index", { to: elementTypes.int64 }), node("Gather", ["table", "index"], "matte")],
    initializer: [{ name: "table", dims: [1], dataType: elementTypes.uint8, rawData: Uint8Array.of(0) }],
    input: [value("image", elementTypes.uint8, ["N", side, side, 3])],
    output: [value("matte", elementTypes.uint8, ["N", side, side, 3])],
    valueInfo: [],
  },
});

const logger = createLogger({ name: "test", level: "fatal" });
let folder: string;
const stops: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-pool-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true });
});

async function start(deps: Partial<ModelServerDeps> & { modelDirs: string[] }): Promise<ModelServer> {
  const server = await startModelServer({ host: "127.0.0.1", grpcPort: 0, httpPort: 0, threads: 1, logger, ...deps });
  stops.push(() => server.stop());
  return server;
}

/** A server at 127.0.0.2 with the first repository and one at 127.0.0.3 with the second, behind one name. */
async function connectToTwo(repositories: readonly [string, string], metricsRegistry: Registry) {
  const port = await onFreePorts(1, async ([grpcPort]) => {
    for (const [at, modelDir] of repositories.entries()) {
      await start({ host: `127.0.0.${at + 2}`, grpcPort: grpcPort!, modelDirs: [modelDir] });
    }
    return grpcPort!;
  });
  const resolve: HostResolver = async () => [2, 3].map((host) => ({ address: `127.0.0.${host}`, family: 4 }));
  const client = await connectModelClient(`models.test:${port}`, { resolve, metricsRegistry });
  stops.push(client.close);
  await expect.poll(client.servers).toMatchObject({ ready: 2 });
  return client;
}

async function infer(client: OpenInferenceClient, model = "tiny"): Promise<readonly number[]> {
  const { output } = await client.predict({
    model,
    input: { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3).fill(7) },
    tenant: "acct",
    deadlineAtMs: Date.now() + 60_000,
    signal: new AbortController().signal,
  });
  return output.shape;
}

function repository(name: string, write: (dir: string) => void): string {
  const dir = join(folder, name);
  mkdirSync(dir);
  write(dir);
  return dir;
}

describe("the client of several model servers", () => {
  it("asks another one when a run fails, and sends nothing to one that fails again and again", async () => {
    const broken = repository("broken", (dir) => {
      mkdirSync(join(dir, "tiny", "1"), { recursive: true });
      writeFileSync(join(dir, "tiny", "1", "model.onnx"), failing);
    });
    const registry = new Registry();
    const client = await connectToTwo([broken, repository("whole", (dir) => writeTinyModel(dir, "tiny", 1))], registry);
    for (let at = 0; at < 30; at += 1) expect(await infer(client)).toEqual([1, side, side, 1]);
    // Five failures eject it; on a slow machine it is tried again, after ever longer times. Half of 30 would go there else.
    const [, failed] = /retries_total\{reason="failed"\} (\d+)/.exec(await registry.metrics())!;
    expect(Number(failed)).toBeGreaterThanOrEqual(5);
    expect(Number(failed)).toBeLessThanOrEqual(10);
    expect(client.ready()).toBe(true);
  });

  it("does not forget failures because of a refusal", async () => {
    const broken = repository("broken", (dir) => {
      mkdirSync(join(dir, "tiny", "1"), { recursive: true });
      writeFileSync(join(dir, "tiny", "1", "model.onnx"), failing);
    });
    const whole = repository("whole", (dir) => {
      for (const name of ["tiny", "other"]) writeTinyModel(dir, name, 1);
    });
    const registry = new Registry();
    const client = await connectToTwo([broken, whole], registry);
    for (let at = 0; at < 30; at += 1) await infer(client, at % 2 === 0 ? "tiny" : "other");
    const [, failed] = /retries_total\{reason="failed"\} (\d+)/.exec(await registry.metrics())!;
    expect(Number(failed)).toBeGreaterThanOrEqual(5);
    expect(Number(failed)).toBeLessThanOrEqual(10);
  });

  it("asks another one when the first has not loaded the model yet, and trusts it further", async () => {
    const only = (name: string) => repository(name, (dir) => writeTinyModel(dir, name, 1));
    const client = await connectToTwo([only("old"), only("new")], new Registry());
    for (let at = 0; at < 20; at += 1) expect(await infer(client, at % 2 === 0 ? "old" : "new")).toHaveLength(4);
    await expect(infer(client, "none")).rejects.toMatchObject({ code: "model_unavailable", details: undefined });
    expect(client.servers()).toEqual({ ready: 2, not_ready: 0, ejected: 0 });
  });
});

describe("the client of servers of which one has the model", () => {
  it("tells why that one did not answer, whatever the others say of it", async () => {
    const broken = repository("broken", (dir) => {
      mkdirSync(join(dir, "tiny", "1"), { recursive: true });
      writeFileSync(join(dir, "tiny", "1", "model.onnx"), failing);
    });
    const others = repository("others", (dir) => writeTinyModel(dir, "other", 1));
    const client = await connectToTwo([broken, others], new Registry());
    const codes = new Set<string>();
    for (let at = 0; at < 4; at += 1) await infer(client).catch(({ code }) => codes.add(code));
    expect([...codes]).toEqual(["internal_error"]);
  });
});

describe("the client of a model server that ends connections by age", () => {
  it("changes to another connection before the old one ends, and loses no request", async () => {
    const models = repository("models", (dir) => writeTinyModel(dir, "tiny", 1));
    const server = await start({ modelDirs: [models], connectionAgeMs: 200 });
    let connections = 0;
    const proxy = await startTcpProxy({
      port: server.grpcPort,
      onData(data, from) {
        if (from === "client" && data.toString("latin1", 0, 5) === "PRI *") connections += 1;
        return true;
      },
    });
    stops.push(() => proxy.stop());
    const client = await connectModelClient(`127.0.0.1:${proxy.port}`);
    stops.push(client.close);
    const changes: boolean[] = [];
    client.onReadyChange((ready) => changes.push(ready));
    while (connections < 5) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => infer(client)));
      expect(answers).toEqual(Array.from({ length: 4 }, () => [1, side, side, 1]));
    }
    expect(changes).toEqual([]);
  });

  it("keeps nothing of a connection that has ended", async () => {
    const models = repository("models", (dir) => writeTinyModel(dir, "tiny", 1));
    const server = await start({ modelDirs: [models], connectionAgeMs: 200 });
    // The inferences' and the health service's.
    const clientsOfConnection = 2;
    const alive = () => Number(queryObjects(Client, { format: "count" }));
    const before = alive();
    const client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
    stops.push(client.close);
    // Two connections overlap while one takes over from the other.
    do await infer(client);
    while (alive() < before + 2 * clientsOfConnection);
    async function aliveAfterRequest(): Promise<number> {
      await infer(client);
      return alive();
    }
    await expect.poll(aliveAfterRequest, { timeout: 20_000 }).toBeLessThanOrEqual(before + clientsOfConnection);
  });
});
