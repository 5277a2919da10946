/** An image model on servers of its own, beside those that compute masks. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../services/inference/model-server/model-server.ts";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { waitForEngines } from "../../testing/stack/wait-for-engines.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-image-pool-"));
const bottle = readFileSync(fileURLToPath(new URL("../../cli/demo/sample/bottle.jpg", import.meta.url)));
let server: ModelServer;
let stack: LiveStack;

beforeAll(async () => {
  writeImageModel(folder, "stand-in", { shift: 0.002 });
  server = await startModelServer({
    host: "127.0.0.1",
    grpcPort: 0,
    httpPort: 0,
    modelDirs: [folder],
    threads: 1,
    logger: createLogger({ name: "test", level: "silent" }),
    metricsRegistry: new Registry(),
  });
  stack = await startLiveStack({
    PACKSHOT_IMAGE_MODEL: "stand-in",
    PACKSHOT_IMAGE_MODEL_SERVER: `127.0.0.1:${server.grpcPort}`,
  });
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

test("scenes are painted there, and masks are made without it when it is gone", async () => {
  await waitForEngines(stack, ["renderer", "generative"]);
  const fields = { theme: "oak table", engine: "generative", "output.width": "256", "output.height": "256" };
  const painted = await stack.edit("ai-bg", formWith(bottle, fields));
  expect(painted.body).toMatchObject({
    status: "completed",
    report: { scene: { engine: "generative", imageModel: "stand-in@1" } },
  });
  // What the chart scales the pool by.
  const metrics = await (await fetch(`http://127.0.0.1:${server.httpPort}/metrics`)).text();
  expect(metrics).toMatch(/^packshot_inference_queue_rows\{.*model="stand-in".*\} 0$/m);
  expect(metrics).toMatch(/^packshot_inference_busy_seconds_total\{.*model="stand-in".*\} [0-9.]*[1-9]/m);
  await server.stop();
  await waitForEngines(stack, ["renderer"]);
  const { body: mask } = await stack.edit("mask", formWith(bottle));
  expect(mask.status).toBe("completed");
});
