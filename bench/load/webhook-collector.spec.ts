import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startWebhookCollector } from "./webhook-collector.ts";

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const collector = suiteFixture(startWebhookCollector);

const completed = { status: "completed", resultUrl: "http://127.0.0.1/result" };

async function post(url: string, id: string, signedWith = secret, end: object = completed): Promise<number> {
  const body = JSON.stringify({ data: { id, ...end } });
  const at = new Date();
  const headers = {
    "webhook-id": "event",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(signedWith).sign("event", at, body),
  };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

function openHook(): string {
  const hook = collector.openHook();
  hook.useSecret(secret);
  return hook.url;
}

test("whoever asks for a job is answered when its webhook arrives", async () => {
  const hook = openHook();
  const asked = fetch(`${collector.url}/jobs/a?seconds=30`);
  expect(await post(hook, "a")).toBe(204);
  const answer = await asked;
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ status: "completed", resultUrl: "http://127.0.0.1/result" });
  // And once more, now that it is known.
  expect((await fetch(`${collector.url}/jobs/a?seconds=0`)).status).toBe(200);
});

test("how a job ended is told of every webhook, asked for or not", async () => {
  const hook = openHook();
  const before = collector.ended().length;
  expect([await post(hook, "e"), await post(hook, "f", secret, { status: "failed" })]).toEqual([204, 204]);
  expect(collector.ended().slice(before)).toMatchObject([
    { status: "completed", resultUrl: completed.resultUrl },
    { status: "failed", resultUrl: null },
  ]);
});

test("a job whose webhook has not arrived in time is answered with 204", async () => {
  expect((await fetch(`${collector.url}/jobs/b?seconds=0`)).status).toBe(204);
});

test("a webhook that comes twice counts once, and one with another signature not at all", async () => {
  const hook = openHook();
  const before = collector.ended().length;
  expect([await post(hook, "c"), await post(hook, "c")]).toEqual([204, 204]);
  expect(collector.ended()).toHaveLength(before + 1);
  expect(await post(hook, "d", `whsec_${Buffer.alloc(24, 8).toString("base64")}`)).toBe(400);
  expect(collector.rejected()).toBe(1);
  expect(collector.ended()).toHaveLength(before + 1);
});
