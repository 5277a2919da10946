/** The running stack while its disk is full: nothing new is taken, nothing fails, and afterward everything is done. */
import { tools } from "@packshot/domain/edits/tools.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sandboxPhoto } from "../../services/inference/consumer/fetch-job-source.ts";
import { type FinishedEdit, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { type SmallDisk, startSmallDisk } from "../../testing/storage/small-disk.ts";

const disk: SmallDisk = await startSmallDisk({ megabytes: 64 });
const jobsCount = 3;
let stack: LiveStack;

beforeAll(async () => {
  stack = await startLiveStack({
    PACKSHOT_STORAGE_DIR: disk.dir,
    PACKSHOT_STORAGE_FREE_BYTES_MIN: String(16 * 1024 * 1024),
  });
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await disk.stop();
});

async function ask(method: string, path: string, json?: object): Promise<FinishedEdit> {
  const headers = { "Content-Type": "application/json" };
  const response = await stack.call(method, path, json === undefined ? {} : { headers, body: JSON.stringify(json) });
  return { status: response.status, body: await response.json() };
}

async function upload(): Promise<string> {
  const photo = await sandboxPhoto();
  const order = { contentType: "image/jpeg", filename: "mug.jpg", sizeBytes: photo.length };
  const { body } = await ask("POST", "/v1/uploads", order);
  const put = await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: new Uint8Array(photo) });
  expect(put.status).toBe(200);
  return body.uploadSessionId;
}

const workerReadiness = async () =>
  (await fetch(stack.file.metrics.worker!.replace(/metrics$/, "health/ready"))).status;
const statusesOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await ask("GET", `/v1/jobs/${id}`)).body.status as string));
const remainingCredits = async () => (await ask("GET", "/v1/account")).body.credits.remaining as number;

test.skipIf(!disk.isMounted)(
  "a full disk refuses uploads and pauses the worker, and no job fails or costs twice",
  async () => {
    const sessions = await Promise.all(Array.from({ length: jobsCount }, upload));
    const creditsBefore = await remainingCredits();
    expect(await workerReadiness()).toBe(200);
    await disk.fill();
    expect((await ask("GET", "/healthz")).body).toEqual({ status: "ok", storage: "full" });
    const refused = await ask("POST", "/v1/uploads", { contentType: "image/jpeg", filename: "a.jpg", sizeBytes: 9 });
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    const edits = await Promise.all(
      sessions.map((uploadSessionId) => ask("POST", "/v1/tools/mask/edit", { uploadSessionId })),
    );
    expect(edits.map(({ status }) => status)).toEqual(sessions.map(() => 202));
    const ids = edits.map(({ body }) => body.id as string);
    await expect.poll(workerReadiness, { timeout: 60_000 }).toBe(503);
    await expect.poll(() => statusesOf(ids), { timeout: 60_000 }).toEqual(ids.map(() => "queued"));
    await disk.empty();
    await expect.poll(() => statusesOf(ids), { timeout: 90_000 }).toEqual(ids.map(() => "completed"));
    await expect.poll(workerReadiness).toBe(200);
    expect(await remainingCredits()).toBe(creditsBefore - jobsCount * tools.mask.creditsPerEdit);
  },
  240_000,
);
