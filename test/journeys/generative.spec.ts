/** Scenes by an image model on the running stack, by a stand-in whose graphs are exchanged while everything runs. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callUnary, openChannel } from "../../services/inference/model-client/grpc-channel.ts";
import type { AnalyticKlein } from "../../testing/generative/analytic-klein.ts";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { type FinishedEdit, formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-generative-"));
const bottle = readFileSync(fileURLToPath(new URL("../../cli/demo/sample/bottle.jpg", import.meta.url)));
const shift = 0.002;
const heard = { timeout: 60_000, interval: 200 };
let stack: LiveStack;

beforeAll(async () => {
  writeImageModel(folder, "stand-in", { shift });
  stack = await startLiveStack({
    PACKSHOT_MODEL_DIR: folder,
    PACKSHOT_IMAGE_MODEL: "stand-in",
    PACKSHOT_MODEL_CONTROL: "on",
  });
  await waitForEngines(["renderer", "generative"]);
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true });
});

async function waitForEngines(expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const tool = (await (await stack.call("GET", "/v1/tools/ai-bg")).json()) as { engines: string[] };
    expect(tool.engines).toEqual(expected);
  }, heard);
}

async function control(call: "RepositoryModelLoad" | "RepositoryModelUnload"): Promise<void> {
  const { inference, health } = openChannel(stack.file.modelServer);
  try {
    await callUnary(inference, call, { model_name: "stand-in" }, { deadlineAtMs: Date.now() + 60_000 });
  } finally {
    inference.close();
    health.close();
  }
}

async function exchange(graphs: AnalyticKlein): Promise<void> {
  writeImageModel(folder, "stand-in", graphs);
  await control("RepositoryModelLoad");
}

const fields = { theme: "oak table, morning light", seed: "7", "output.width": "512", "output.height": "512" };
const form = (more: Readonly<Record<string, string>> = {}) => formWith(bottle, { ...fields, ...more });
const generative = { engine: "generative", prompt: "a weathered oak table" };

async function edit(more: Readonly<Record<string, string>> = {}): Promise<FinishedEdit["body"]> {
  const { body } = await stack.edit("ai-bg", form(more));
  expect(body).toMatchObject({ status: "completed" });
  return body;
}

async function bytesOf({ resultUrl }: FinishedEdit["body"]): Promise<Buffer> {
  return Buffer.from(await (await stack.call("GET", resultUrl)).arrayBuffer());
}

async function creditsLeft(): Promise<number> {
  const account = (await (await stack.call("GET", "/v1/account")).json()) as { credits: { remaining: number } };
  return account.credits.remaining;
}

async function submit(tool: string, body: FormData): Promise<{ readonly id: string }> {
  const response = await stack.call("POST", `/v1/tools/${tool}/edit`, { body });
  expect(response.status).toBe(202);
  return (await response.json()) as { id: string };
}

test("an image model paints a scene, is said in the report and in the job's events, and costs its own price", async () => {
  const { id } = await submit("ai-bg", form(generative));
  const events = await (await stack.call("GET", `/v1/jobs/${id}/events`)).text();
  expect(events).toContain('data: {"stage":"paint"}');
  for (const step of [1, 2, 3, 4]) expect(events).toContain(`data: {"stage":"paint","step":${step},"steps":4}`);
  const job = (await (await stack.call("GET", `/v1/jobs/${id}`)).json()) as FinishedEdit["body"];
  expect(job).toMatchObject({ status: "completed", creditsCharged: 4, parameters: generative });
  expect(job.report.scene).toMatchObject({ engine: "generative", imageModel: "stand-in@1", steps: 4, redraws: 0 });
  expect(job.report).toMatchObject({
    changedOpaqueShare: 0,
    digitalSourceType: "compositeWithTrainedAlgorithmicMedia",
  });
  const plain = await edit();
  expect(plain).toMatchObject({ creditsCharged: 1, parameters: { engine: "renderer" } });
  expect((await bytesOf(plain)).equals(await bytesOf(job))).toBe(false);
});

test("a prompt that the renderer does not read is said to have had no effect", async () => {
  expect((await edit({ prompt: "a cabin" })).report.overridden).toEqual(["prompt"]);
});

test.each([
  { what: "grows the product", graphs: { shift, doubledBy: 10 }, fault: "product_grown" },
  { what: "paints a second product", graphs: { shift, doubledBy: 60 }, fault: "second_product" },
  { what: "answers no numbers", graphs: { shift: Number.NaN }, fault: "not_finite" },
])("of a model that $what the renderer's scene is the result, to the byte, and the report says so", async (given) => {
  await exchange(given.graphs);
  const before = await creditsLeft();
  const job = await edit(generative);
  expect(job.report.scene).toMatchObject({ engine: "renderer", imageModel: "stand-in@1", redraws: 2 });
  expect(job.report.scene.rejections).toEqual([given.fault, given.fault, given.fault]);
  // The renderer's scene costs the renderer's price.
  expect(job.creditsCharged).toBe(1);
  await vi.waitFor(async () => expect(await creditsLeft()).toBe(before - 1), heard);
  expect((await bytesOf(job)).equals(await bytesOf(await edit()))).toBe(true);
});

test("while a slow model paints, masks are made; a job that is cancelled ends, and the next one is painted", async () => {
  await exchange({ shift, slowBy: 2_500 });
  const { id } = await submit("ai-bg", form(generative));
  const events = stack.call("GET", `/v1/jobs/${id}/events`).then((response) => response.text());
  const { body: mask } = await stack.edit("mask", formWith(bottle));
  expect(mask.status).toBe("completed");
  expect((await stack.call("DELETE", `/v1/jobs/${id}`)).status).toBeLessThan(300);
  // The stream ends with the job.
  expect(await events).not.toContain('"step":4');
  await exchange({ shift });
  expect((await edit(generative)).report.scene.engine).toBe("generative");
});

test("without the model its edits are refused, and the renderer paints on", async () => {
  await control("RepositoryModelUnload");
  await waitForEngines(["renderer"]);
  const { status, body } = await stack.edit("ai-bg", form(generative));
  expect([status, body.code]).toEqual([422, "engine_not_available"]);
  expect((await edit({ engine: "renderer" })).report.scene.engine).toBe("renderer");
  await control("RepositoryModelLoad");
  await waitForEngines(["renderer", "generative"]);
});
