import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryObjects } from "node:v8";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, onTestFinished, test } from "vitest";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide as side, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { startModelServer } from "../model-server/model-server.ts";

const calls = 40;
const jobMs = 300_000;

test("nothing is kept of a call that has ended, however far away its deadline is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-deadlines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeTinyModel(folder, "tiny", 1);
  const logger = createLogger({ name: "test", level: "fatal" });
  const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], threads: 1, logger };
  const server = await startModelServer(options);
  onTestFinished(() => server.stop());
  const client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
  onTestFinished(() => client.close());
  const { signal } = new AbortController();
  const input = { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3) };
  const predict = () =>
    client.predict({ model: "tiny", input, tenant: "acct", deadlineAtMs: Date.now() + jobMs, signal });
  // After a collection of all garbage.
  const signals = () => queryObjects(AbortSignal, { format: "count" });

  await predict();
  const before = signals();
  for (let call = 0; call < calls; call++) await predict();
  expect(signals() - before).toBeLessThan(calls / 2);
});
