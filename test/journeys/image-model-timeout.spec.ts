/** An image model whose graph never ends, on the running stack: what becomes of the jobs, their price, and the next picture. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { type FinishedEdit, formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { waitForEngines } from "../../testing/stack/wait-for-engines.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-timeout-"));
const bottle = readFileSync(fileURLToPath(new URL("../../cli/demo/sample/bottle.jpg", import.meta.url)));
const heard = { timeout: 60_000, interval: 200 };
/** It hangs once more where it starts before the other model is written. */
const startedAnew = { timeout: 120_000, interval: 200 };
let stack: LiveStack;

beforeAll(async () => {
  writeImageModel(folder, "hung", { shift: 0.002, hangs: true });
  stack = await startLiveStack({
    PACKSHOT_MODEL_DIR: folder,
    PACKSHOT_IMAGE_MODEL: "hung",
    PACKSHOT_IMAGE_MODEL_TIMEOUT_MS: "10000",
    PACKSHOT_SCENE_ENGINE: "generative",
  });
  await waitForEngines(stack, ["renderer", "generative"], 60_000);
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true });
});

async function edit(more: Readonly<Record<string, string>> = {}): Promise<FinishedEdit["body"]> {
  const fields = { theme: "oak table", seed: "7", "output.width": "256", "output.height": "256", ...more };
  return (await stack.edit("ai-bg", formWith(bottle, fields))).body;
}

async function creditsLeft(): Promise<number> {
  const account = (await (await stack.call("GET", "/v1/account")).json()) as { credits: { remaining: number } };
  return account.credits.remaining;
}

test("an open engine gets the renderer's scene, generative fails for nothing, and the model is started anew", async () => {
  const before = await creditsLeft();
  const [open, asked] = await Promise.all([edit(), edit({ engine: "generative" })]);
  expect(open).toMatchObject({ status: "completed", creditsCharged: 1 });
  expect(open.report.scene).toMatchObject({ engine: "renderer", rejections: ["timed_out"] });
  expect(asked).toMatchObject({ status: "failed", error: { code: "image_model_timeout", retryable: true } });
  await vi.waitFor(async () => expect(await creditsLeft()).toBe(before - 1), heard);
  // The next process finds a model that paints.
  writeImageModel(folder, "hung", { shift: 0.002 });
  await vi.waitFor(async () => {
    const next = await edit({ engine: "generative" });
    expect(next).toMatchObject({ status: "completed", report: { scene: { engine: "generative" } } });
  }, startedAnew);
}, 300_000);
