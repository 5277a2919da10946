import { uuidv7 } from "@packshot/domain/ids.ts";
import { shardOf, subjects } from "@packshot/domain/subjects.ts";
import { webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { watchSearches } from "../../../testing/log/watch-searches.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { registerWebhook } from "../../../testing/webhooks/webhook-records.ts";
import { createWebhookView, type WebhookView } from "./webhook-view.ts";

const log = suiteFixture(startLog);
let view: WebhookView;

beforeAll(async () => {
  view = createWebhookView({ log, logger: createLogger({ name: "webhook-view.spec", level: "error" }) });
  await view.start();
});

afterAll(() => view.stop());

test("after a refresh it knows each change made before, without a search of the log", async () => {
  const watch = await watchSearches(log.connection);
  const accountId = uuidv7();
  for (let round = 0; round < 20; round++) {
    const { webhook } = await registerWebhook(log, accountId, "https://shop.example/hook");
    await view.refresh(accountId);
    expect(view.find(accountId, webhook.id)).toEqual(webhook);
    const changed = { ...webhook, description: "changed" };
    await log.commit("test", webhookWrites(webhook, changed));
    await view.refresh(accountId);
    expect(view.find(accountId, webhook.id)).toEqual(changed);
    await log.commit("test", webhookWrites(webhook, null));
    await view.refresh(accountId);
    expect(view.find(accountId, webhook.id)).toBeUndefined();
  }
  expect(await watch.searches()).toEqual([]);
});

test("the first refresh after a start waits for all webhooks, also where no change of one was recorded", async () => {
  const accountId = uuidv7();
  const hooks = Array.from({ length: 50 }, () => registerWebhook(log, accountId, "https://shop.example/hook"));
  const registered = (await Promise.all(hooks)).map(({ webhook }) => webhook.id);
  await log.commit("test", [{ subject: subjects.webhookChange(shardOf(accountId)), value: null, ttlSeconds: 1 }]);
  await expect.poll(async () => (await log.read(subjects.webhookChange(shardOf(accountId)))).sequence).toBe(0);
  const started = createWebhookView({ log, logger: createLogger({ name: "webhook-view.spec", level: "error" }) });
  await started.start();
  await started.refresh(accountId);
  expect([...started.listByAccount(accountId)].map(({ id }) => id).sort()).toEqual(registered.sort());
  await started.stop();
});
