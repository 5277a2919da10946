/** With a test key an integrator sees every state and every failure of a job on the running stack, free of charge. */
import { type ErrorCode, errorCatalog, isJobErrorCode } from "@packshot/domain/errors.ts";
import { sandboxSourceOrigin } from "@packshot/domain/jobs/sandbox-outcome.ts";
import { beforeAll, expect, test } from "vitest";
import { sandboxPhoto } from "../../services/inference/consumer/fetch-job-source.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { type FinishedEdit, formWith } from "../../testing/stack/live-stack.ts";

const failures = (Object.keys(errorCatalog) as ErrorCode[]).filter(isJobErrorCode);
const stack = jointStack();
let testKey: string;

beforeAll(async () => {
  const json = { "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "integration", live: false });
  const made = await stack.call("POST", "/v1/account/keys", { headers: json, body });
  testKey = ((await made.json()) as { key: string }).key;
});

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<FinishedEdit> {
  const answer = await stack.call(method, path, {
    headers: { Authorization: `Bearer ${testKey}`, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const edit = (words: string, prefer: string) =>
  ask("POST", "/v1/tools/mask/edit", { imageUrl: `${sandboxSourceOrigin}${words}` }, { Prefer: prefer });

test.each(failures)("failed/%s fails with that code", async (code) => {
  const { status, body } = await edit(`failed/${code}`, "wait=55");
  expect([status, body.status, body.error.code]).toEqual([200, "failed", code]);
  expect(body.error.retryable).toBe(errorCatalog[code].retryable);
});

test("a code that no job fails with is refused, with those that there are", async () => {
  for (const word of ["failed/no_product_fond", "failed", "failed/rate_limit_exceeded"]) {
    const { status, body } = await edit(word, "wait=55");
    expect([status, body]).toEqual([400, expect.objectContaining({ code: "invalid_request" })]);
    expect((body as unknown as { message: string }).message).toContain(failures.join(", "));
  }
});

test("anything else completes, with an image behind its link, the same bytes each time", async () => {
  const images = [];
  for (let i = 0; i < 2; i++) {
    const { body } = await ask(
      "POST",
      "/v1/tools/ai-shadows/edit",
      { imageUrl: `${sandboxSourceOrigin}shoe`, parameters: { seed: 7 } },
      { Prefer: "wait=55" },
    );
    expect(body).toMatchObject({ status: "completed", live: false, creditsCharged: 0 });
    images.push(Buffer.from(await (await stack.call("GET", body.resultUrl)).arrayBuffer()));
  }
  expect(images[0]!.length).toBeGreaterThan(1_000);
  expect(images[0]!.equals(images[1]!)).toBe(true);
});

test("queued stays queued and processing keeps processing, until they are cancelled", async () => {
  const waiting = await edit("queued", "wait=1");
  expect([waiting.status, waiting.body.status]).toEqual([202, "queued"]);
  const { body: running } = await edit("processing", "wait=0");
  const statusOf = async (id: string) => (await ask("GET", `/v1/jobs/${id}`)).body.status as string;
  await expect.poll(() => statusOf(running.id)).toBe("processing");
  expect(await statusOf(waiting.body.id)).toBe("queued");
  for (const { id } of [waiting.body, running]) {
    expect((await ask("POST", `/v1/jobs/${id}/cancel`)).body.status).toBe("cancelled");
  }
});

test("no test job is charged, counted as usage, or visible to the live key", async () => {
  const of = async (path: string) => (await stack.call("GET", path)).json() as Promise<FinishedEdit["body"]>;
  expect((await of("/v1/account")).credits.remaining).toBe(1_000_000);
  expect((await of("/v1/account/usage")).data).toEqual([]);
  expect((await of("/v1/jobs")).data).toEqual([]);
  expect((await ask("GET", "/v1/jobs?limit=100")).body.data.length).toBeGreaterThan(failures.length);
});

test("as many test jobs that stay queued as the account may run at once hold up no live edit", async () => {
  const { limits } = (await (await stack.call("GET", "/v1/account")).json()) as FinishedEdit["body"];
  const edits = Array.from({ length: limits.concurrentJobs + 1 }, () => edit("queued", "wait=0"));
  expect(new Set((await Promise.all(edits)).map(({ status }) => status))).toEqual(new Set([202]));
  const { body } = await stack.edit("mask", formWith(await sandboxPhoto()));
  expect(body).toMatchObject({ status: "completed", live: true });
});
