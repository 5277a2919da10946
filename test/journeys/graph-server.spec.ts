/** An image model whose graphs run in a process of their own, which loses one of them, is killed and comes back. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callUnary, openChannel } from "../../services/inference/model-client/grpc-channel.ts";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { type ModelServerProcess, startModelServerProcess } from "../../testing/models/model-server-process.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { waitForEngines } from "../../testing/stack/wait-for-engines.ts";

const main = fileURLToPath(new URL("../../packages/models/triton-graphs-main.ts", import.meta.url));
const bottle = fileURLToPath(new URL("../../cli/demo/sample/bottle.jpg", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "packshot-graphs-"));
const graphs = join(folder, "graphs");
let graphServer: ModelServerProcess;
let painter: ModelServerProcess;
let stack: LiveStack;

beforeAll(async () => {
  const whole = join(folder, "whole", "painter");
  writeImageModel(join(folder, "whole"), "painter", { shift: 0.002 });
  execFileSync(process.execPath, [main, "--to", graphs, whole]);
  const bare = join(folder, "bare", "painter", "1");
  mkdirSync(bare, { recursive: true });
  for (const name of ["pipeline.json", "tokenizer.json"]) cpSync(join(whole, "1", name), join(bare, name));
  graphServer = await startGraphServer();
  painter = await startModelServerProcess(join(folder, "bare"), { PACKSHOT_GRAPH_SERVER: graphServer.address });
  stack = await startLiveStack({ PACKSHOT_IMAGE_MODEL: "painter", PACKSHOT_IMAGE_MODEL_SERVER: painter.address });
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await painter?.stop();
  await graphServer?.stop();
  rmSync(folder, { recursive: true });
});

function startGraphServer(port = "0"): Promise<ModelServerProcess> {
  return startModelServerProcess(graphs, { PACKSHOT_MODEL_CONTROL: "on", PACKSHOT_MODEL_GRPC_PORT: port });
}

async function control(call: "RepositoryModelLoad" | "RepositoryModelUnload"): Promise<void> {
  const { inference, health } = openChannel(graphServer.address);
  const message = { model_name: "painter-transformer" };
  await callUnary(inference, call, message, { deadlineAtMs: Date.now() + 30_000 });
  inference.close();
  health.close();
}

const edit = () => {
  const fields = { theme: "oak table", engine: "generative", "output.width": "256", "output.height": "256" };
  return stack.edit("ai-bg", formWith(readFileSync(bottle), fields));
};

async function expectRefused(): Promise<void> {
  await waitForEngines(stack, ["renderer"]);
  const { status, body } = await edit();
  expect([status, body.code]).toEqual([422, "engine_not_available"]);
}

async function expectPainted(): Promise<void> {
  await waitForEngines(stack, ["renderer", "generative"]);
  const { body } = await edit();
  expect(body).toMatchObject({ status: "completed", report: { scene: { engine: "generative" } } });
}

test("the model is announced only while the graph server has all of its graphs", async () => {
  await expectPainted();
  await control("RepositoryModelUnload");
  await expectRefused();
  await control("RepositoryModelLoad");
  await expectPainted();
  await graphServer.kill();
  await expectRefused();
  graphServer = await startGraphServer(graphServer.address.split(":")[1]);
  await expectPainted();
});
