import { describe, expect, it } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import { completeJob, createJobError, failJob } from "../jobs/job.ts";
import { type DeliveryAttempt, deliveryFromAttempts, selectReceivers } from "./delivery.ts";
import { jobEnvelope, linkResults, testEnvelope } from "./envelope.ts";
import { type JobEndedEvent, jobEndedEvent, type WebhookTestEvent } from "./event.ts";
import { type Webhook, webhookDisabledEvent } from "./webhook.ts";

function webhook(change: Partial<Webhook>): Webhook {
  return {
    v: 1,
    id: "one",
    accountId: "a",
    url: "https://example.com/",
    live: true,
    events: ["job.completed"],
    description: "",
    metadata: {},
    status: { kind: "enabled" },
    createdAt: "2026-11-20T00:00:00.000Z",
    secrets: [],
    failingSince: null,
    ...change,
  };
}

const completed = { v: 1, kind: "completed", live: true, tool: "mask", metadata: {} } as JobEndedEvent;
const test: WebhookTestEvent = { v: 1, kind: "test", eventId: "e", createdAt: "now", accountId: "a", webhookId: "one" };
const disabled = { kind: "disabled", reason: "gone", at: "now" } as const;

const disabledOther = webhookDisabledEvent(webhook({ id: "two" }), "gone", { eventId: "e", at: "now" });

const tagged = { ...completed, metadata: { shop: "berlin", sku: "7" } };

describe("selectReceivers", () => {
  it.each([
    ["an enabled webhook that wants the kind", completed, {}, true],
    ["another kind", completed, { events: ["job.failed"] as const }, false],
    ["a disabled webhook", completed, { status: disabled }, false],
    ["a webhook of test jobs, for a live job", completed, { live: false }, false],
    ["a webhook of test jobs, for a test job", { ...completed, live: false }, { live: false }, true],
    ["a webhook of live jobs, for a test job", { ...completed, live: false }, {}, false],
    ["one that wants its tool among others", completed, { tools: ["ai-bg", "mask"] as const }, true],
    ["one that wants other tools", completed, { tools: ["ai-bg"] as const }, false],
    ["one that filters by its metadata", tagged, { metadataFilter: { shop: "berlin" } }, true],
    ["one that filters by more than it has", tagged, { metadataFilter: { shop: "berlin", season: "fall" } }, false],
    ["one that filters by another value", tagged, { metadataFilter: { shop: "Berlin" } }, false],
    ["a test of one that filters", test, { tools: ["ai-bg"] as const, metadataFilter: { shop: "x" } }, true],
    ["a test of it, whatever it wants", test, { events: [], live: false, status: disabled }, true],
    ["a test of another", test, { id: "two" }, false],
    [
      "one that is told of a disabled one",
      disabledOther,
      { events: ["webhook.disabled"] as const, tools: ["ai-bg"] as const },
      true,
    ],
    [
      "one of test jobs, of a disabled one of live jobs",
      disabledOther,
      { events: ["webhook.disabled"] as const, live: false },
      false,
    ],
    ["one that does not want to be told", disabledOther, { events: ["job.completed"] as const }, false],
  ])("%s", (_name, event, change, isReceiver) => {
    expect(selectReceivers(event, [webhook(change)]).length).toBe(isReceiver ? 1 : 0);
  });
});

describe("deliveryFromAttempts", () => {
  const attempt = (change: Partial<DeliveryAttempt>): DeliveryAttempt => ({
    v: 1,
    accountId: "a",
    webhookId: "one",
    eventId: "e",
    event: "job.completed",
    jobId: "j",
    attempt: 1,
    at: "2026-11-20T00:00:01.000Z",
    outcome: "retrying",
    status: 500,
    durationMs: 3,
    responseHead: "",
    error: "the endpoint answered 500",
    nextAttemptAt: "2026-11-20T00:00:06.000Z",
    ...change,
  });

  it("is what its latest attempt says, each attempt once and in order", () => {
    const second = attempt({ attempt: 2, at: "2026-11-20T00:00:06.000Z", outcome: "succeeded", nextAttemptAt: null });
    const delivery = deliveryFromAttempts([second, attempt({}), attempt({})], "2026-11-20T00:00:00.000Z");
    expect(delivery).toMatchObject({ status: "succeeded", nextAttemptAt: null });
    expect(delivery.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it.each([
    ["retrying", "pending"],
    ["postponed", "pending"],
    ["exhausted", "failed"],
    ["abandoned", "failed"],
  ] as const)("%s is %s", (outcome, status) => {
    expect(deliveryFromAttempts([attempt({ outcome })], "x").status).toBe(status);
  });
});

/** What the receiver reads. */
function sent(event: Parameters<typeof jobEnvelope>[0], links: Parameters<typeof jobEnvelope>[1] = {}): unknown {
  return JSON.parse(JSON.stringify(jobEnvelope(event, links).data));
}

describe("jobEnvelope", () => {
  const times = { nowMs: Date.UTC(2026, 10, 20), retentionMs: 3_600_000 };
  const file = { key: "k", contentType: "image/png", bytes: 1 };
  const checks = [{ name: "sRGB JPEG", value: "jpeg, srgb", passed: true }];
  const measured = { quality: "review", reasons: ["much of the edge is uncertain"] };
  const complete = (report: Record<string, unknown>) =>
    completeJob(
      processingJob(),
      { result: file, thumbnail: file, model: null, report, timings: { decode: 12, encode: 40 }, inferenceMs: 0 },
      null,
      times,
    );

  it("of a completed job has its quality, its preset's checks, what it cost and where the time went", () => {
    const event = jobEndedEvent(complete({ ...measured, checks, coverage: 0.4 }), "e");
    expect(jobEnvelope(event, {}).data).toMatchObject({
      ...measured,
      checks,
      timings: { decode: 12, encode: 40 },
      creditsCharged: 1,
    });
    expect(jobEnvelope(event, {}).data).not.toHaveProperty("coverage");
  });

  it("of a job with several results has a link to each, and of any other none", async () => {
    const result = { ...file, width: 2, height: 1 };
    const results = [
      { ...result, name: "variation-1", seed: 7 },
      { ...result, key: "k2", name: "variation-2", seed: 8 },
    ];
    const event = jobEndedEvent({ ...complete(measured), results }, "e");
    const links = await linkResults(
      { result: file, results: event.results! },
      async ({ key }, part) => `${key}/${part}`,
    );
    const shown = { contentType: "image/png", bytes: 1, width: 2, height: 1 };
    expect(jobEnvelope(event, { resultUrl: "k/result", ...links }).data.results).toEqual([
      { name: "variation-1", seed: 7, ...shown, url: "k/result" },
      { name: "variation-2", seed: 8, ...shown, url: "k2/variation-2" },
    ]);
    expect(jobEndedEvent(complete(measured), "e")).not.toHaveProperty("results");
    const failed = failJob(processingJob(), createJobError("no_product_found", "test"), times);
    expect(jobEndedEvent(failed, "e")).not.toHaveProperty("results");
  });

  it("of a job with named files has each with its checks, and one that failed with its error", async () => {
    const size = { width: 2, height: 1 };
    const error = createJobError("max_bytes_unreachable", "test");
    const job = {
      ...complete(measured),
      results: [
        { ...file, ...size, name: "amazon", checks },
        { ...file, ...size, key: "k2", name: "web", report: { encoding: {} } },
      ],
      failedResults: [{ name: "tiny", position: 1, error }],
    };
    const event = jobEndedEvent(job, "e");
    const links = await linkResults({ ...event, result: file }, async ({ key }, part) => `${key}/${part}`);
    const made = { contentType: "image/png", bytes: 1, ...size };
    const none = { url: null, contentType: null, bytes: null, width: null, height: null };
    expect(sent(event, links)).toMatchObject({
      results: [
        { name: "amazon", ...made, checks, url: "k/result" },
        { name: "tiny", ...none, error },
        { name: "web", ...made, url: "k2/web" },
      ],
    });
    expect(JSON.stringify(event), "the job has the reports").not.toContain("encoding");
  });

  it("without a preset has no checks", () => {
    expect(sent(jobEndedEvent(complete(measured), "e"))).not.toHaveProperty("checks");
  });

  it("of a failed job has none of it", () => {
    const failed = failJob(processingJob(), createJobError("no_product_found", "test"), times);
    const data = sent(jobEndedEvent(failed, "e"));
    expect(data).toMatchObject({ creditsCharged: 0, error: { code: "no_product_found" } });
    for (const field of ["quality", "reasons", "timings"]) expect(data).not.toHaveProperty(field);
  });
});

describe("testEnvelope", () => {
  it("has a job event's fields, and the webhook's id", () => {
    expect(testEnvelope(test)).toMatchObject({
      event: "webhook.test",
      data: { id: "one", status: "test", tool: null },
    });
  });
});
