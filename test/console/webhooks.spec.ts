/**
 * The pages of webhooks and their deliveries, in a real browser against the whole stack and an endpoint of a shop.
 * @module-tag chromium
 */

import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, test } from "vitest";
import type { ConsolePage } from "../../testing/console/console-page.ts";
import { pressWithKeyboard, typeInto } from "../../testing/console/keyboard.ts";
import { faultsOfPages } from "../../testing/console/page-checks.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { type Received, startReceiver } from "../../testing/webhooks/receiver.ts";

const poll = { timeout: 60_000, interval: 100 };
/** What the shop's server answers to events. */
const shopState = { eventStatus: 204 };
const fixture = jointConsole();
const shop = suiteFixture(async () => {
  const receiver = await startReceiver((_request, response) => {
    response.writeHead(shopState.eventStatus).end("from the shop");
  });
  return { ...receiver, stop: () => receiver.close() };
});
let tab: ConsolePage;
let page: Page;

beforeAll(async () => {
  tab = await fixture.open();
  page = tab.page;
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

test("a webhook is registered, tested, and a failed delivery is sent again", async () => {
  shopState.eventStatus = 410;
  await tab.go("/webhooks");
  await button("Register a webhook").click();
  await page.getByLabel("Address").fill(`${shop.url}/hooks`);
  await page.getByLabel("Payload format").selectOption("CloudEvents 1.0");
  await page.getByLabel("Requests a second, at most").fill("5");
  await page.getByLabel("Requests at once, at most").fill("2");
  await dialog().getByRole("button", { name: "Register" }).click();
  const secret = (await dialog().locator("pre").textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await button("I have stored it").click();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("link", { name: `${shop.url}/hooks` }).click();
  await button("Send a test event").click();
  await page.getByRole("link", { name: "webhook.test" }).click();
  const status = page.getByRole("region", { name: "Facts" }).locator(".badge");
  await expect.poll(() => status.textContent(), poll).toBe("failed");
  const request = await page.getByRole("region", { name: "request as it is sent" }).textContent();
  expect(request).toContain('"type": "packshot.webhook.test"');
  await page.getByText("As curl").click();
  const curl = await page.getByRole("region", { name: "request for a shell" }).textContent();
  expect(curl).toContain("curl -i -X POST 'http");
  expect(curl).not.toMatch(/whsec_[A-Za-z0-9]/);
  expect(await page.getByRole("article", { name: "Attempt 1" }).textContent()).toContain("from the shop");

  // The endpoint that answered 410 was disabled, and is well again.
  shopState.eventStatus = 204;
  await page.getByRole("link", { name: "The webhook's deliveries" }).click();
  const notice = page.getByRole("region", { name: "Disabled" });
  expect(await notice.textContent()).toContain("The endpoint answered 410");
  const facts = await page.getByRole("region", { name: "Facts" }).textContent();
  for (const fact of ["CloudEvents 1.0", "5 at most", "2 at most"]) expect(facts).toContain(fact);
  await button("Enable").click();
  await button("Disable").waitFor();
  expect(await notice.count()).toBe(0);
  await page.getByRole("link", { name: "webhook.test" }).click();
  await button("Resend").click();
  await expect.poll(() => status.textContent(), poll).toBe("succeeded");
  const [first, second] = shop.received.filter(({ headers }) => headers["webhook-id"] !== undefined);
  expect([second!.id, second!.body]).toEqual([first!.id, first!.body]);
  const signed = second!.headers as Record<string, string>;
  expect(new Webhook(secret).verify(second!.body, signed)).toMatchObject({ type: "packshot.webhook.test" });
});

test("a topic of Kafka is registered with a password that no page shows, and gets a test event", async () => {
  shopState.eventStatus = 500;
  await tab.go("/webhooks");
  await button("Register a webhook").click();
  await page.getByLabel("Events go to").selectOption("Google Pub/Sub");
  await page.getByLabel("Topic").fill("projects/shop/topics/photos");
  await page.getByLabel("Service account's key file").fill("no JSON");
  await dialog().getByRole("button", { name: "Register" }).click();
  await dialog().getByText("The key file is not JSON").waitFor();
  await page.getByLabel("Events go to").selectOption("Kafka (REST proxy)");
  await page.getByLabel("REST proxy's URL").fill(shop.url);
  await page.getByLabel("Topic").fill("photos");
  await page.getByLabel("User name").fill("shop");
  await page.getByLabel("Password").fill("a-secret-password");
  await dialog().getByRole("button", { name: "Register" }).click();
  await button("I have stored it").click();
  await page.getByRole("link", { name: `photos at ${shop.url}` }).click();
  await button("Send a test event").click();
  await page.getByRole("link", { name: "webhook.test" }).click();
  await page.getByRole("article", { name: "Attempt 1" }).waitFor();
  expect(await page.getByText("As curl").count()).toBe(0);
  expect(await page.content()).not.toContain("a-secret-password");
  const record = shop.received.find(({ headers }) => headers.authorization !== undefined)!;
  expect(record.headers.authorization).toBe(`Basic ${Buffer.from("shop:a-secret-password").toString("base64")}`);
  const [{ value }] = JSON.parse(record.body).records;
  expect(JSON.parse(Buffer.from(value, "base64").toString())).toMatchObject({ event: "webhook.test" });
});

test("the keyboard alone registers a webhook, sends a test event, and sends it again", async () => {
  shopState.eventStatus = 204;
  const url = `${shop.url}/by-keyboard`;
  await tab.go("/webhooks");
  await pressWithKeyboard(button("Register a webhook"));
  await typeInto(page.getByLabel("Address"), url);
  await pressWithKeyboard(dialog().getByRole("button", { name: "Register" }));
  await pressWithKeyboard(button("I have stored it"));
  await pressWithKeyboard(page.getByRole("link", { name: url }));
  await pressWithKeyboard(button("Send a test event"));
  await pressWithKeyboard(page.getByRole("link", { name: "webhook.test" }));
  await expect.poll(() => page.getByRole("article").count(), poll).toBe(1);
  await pressWithKeyboard(button("Resend"));
  await expect.poll(() => page.getByRole("article").count(), poll).toBe(2);
  const isTest = ({ body }: Received) => body.includes("webhook.test");
  expect(shop.received.filter(isTest).length).toBeGreaterThanOrEqual(2);
});

test("a delivery that waits shows when it is due, and a postponement is not counted as an attempt", async () => {
  const listed = await (await fixture.stack.call("GET", "/v1/webhooks")).json();
  const [webhook] = (listed as { data: [{ id: string }] }).data;
  const now = new Date().toISOString();
  const postponed = {
    attempt: 0,
    at: now,
    outcome: "postponed",
    status: null,
    durationMs: 0,
    responseHead: "",
    error: "the endpoint is failing; nothing was sent yet",
  };
  const sent = { ...postponed, attempt: 1, outcome: "retrying", status: 503, error: "the endpoint answered 503" };
  const about = { webhookId: webhook.id, event: "job.completed", jobId: null, status: "pending", createdAt: now };
  const ids = ["01936b1e-7a52-7cc0-8d5f-2b1f6a0c9e11", "01936b1e-7a52-7cc0-8d5f-2b1f6a0c9e12"];
  const data = [
    { ...about, id: ids[0], nextAttemptAt: new Date(Date.now() + 3_600_000).toISOString(), attempts: [postponed] },
    { ...about, id: ids[1], nextAttemptAt: null, attempts: [postponed, sent] },
  ];
  await page.route("**/v1/webhooks/*/deliveries?*", (route) => route.fulfill({ json: { data } }));
  await tab.go(`/webhooks/${webhook.id}`);
  const waiting = page.getByRole("row").filter({ hasText: "nothing was sent yet" });
  const due = page.getByRole("row").filter({ hasText: "503" });
  expect(await waiting.getByRole("cell").nth(3).textContent()).toBe("0");
  expect(await due.getByRole("cell").nth(3).textContent()).toBe("1");
  expect(await waiting.getByRole("cell").nth(5).locator("time").getAttribute("datetime")).toBe(data[0]!.nextAttemptAt);
  expect(await due.getByRole("cell").nth(5).textContent()).toBe("due now");
  await page.unroute("**/v1/webhooks/*/deliveries?*");
});

test("its pages pass axe in light, in dark and on a phone, and nothing is wider than that", async () => {
  const read = async (path: string) =>
    ((await (await fixture.stack.call("GET", path)).json()) as { data: { id: string }[] }).data[0]!.id;
  const hook = `/webhooks/${await read("/v1/webhooks")}`;
  const delivery = `${hook}/deliveries/${await read(`/v1${hook}/deliveries`)}`;
  expect(await faultsOfPages(tab, ["/webhooks", hook, delivery])).toEqual([]);
  expect(tab.problems).toEqual([]);
});
