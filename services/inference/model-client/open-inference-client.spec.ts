import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryObjects } from "node:v8";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeImageModel } from "../../../testing/generative/image-model-folder.ts";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { OpenInferenceClient } from "./open-inference-client.ts";

const calls = 40;
const jobMs = 300_000;
const folder = mkdtempSync(join(tmpdir(), "packshot-deadlines-"));
const { signal } = new AbortController();
const ofJob = () => ({ tenant: "acct", deadlineAtMs: Date.now() + jobMs, signal });
let server: ModelServer;
let client: OpenInferenceClient;

beforeAll(async () => {
  // `queryObjects` says once that it is experimental.
  vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  writeTinyModel(folder, "tiny", 1);
  writeImageModel(folder, "painter", { shift: 0 });
  const logger = createLogger({ name: "test", level: "fatal" });
  const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], threads: 1, logger };
  server = await startModelServer(options);
  client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
});
afterAll(async () => {
  client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

function predict() {
  const side = tinyModelSide;
  const input = { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3) };
  return client.predict({ model: "tiny", input, ...ofJob() });
}

function paint(seed: number) {
  const side = 8;
  return client.painter("painter").paint({
    prompt: "oak",
    seed,
    strength: 1,
    width: side,
    height: side,
    reference: new Uint8Array(side * side * 3),
    fill: new Uint8Array(side * side).fill(255),
    onStep() {},
    ...ofJob(),
  });
}

/** Signals that are left after a collection of all garbage. */
const keptSignals = () => queryObjects(AbortSignal, { format: "count" });

describe("nothing is kept of a call that has ended, however far away its deadline is", () => {
  it.each([
    ["a prediction", predict],
    ["a picture", () => paint(7)],
    ["a picture that cannot be asked for", () => expect(paint(0.5)).rejects.toThrow(RangeError)],
  ])("%s", async (_what, call) => {
    await call();
    const before = keptSignals();
    for (let made = 0; made < calls; made++) await call();
    expect(keptSignals() - before).toBeLessThan(calls / 2);
  });
});
