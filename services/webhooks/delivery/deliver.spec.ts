import type { DeliveryAttempt, DeliveryMessage } from "@packshot/domain/webhooks/delivery.ts";
import { retryDelaysMs } from "@packshot/domain/webhooks/delivery.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, it } from "vitest";
import { createOpenDestination } from "../destinations/open-destination.ts";
import { createBacklog } from "./backlog.ts";
import { createDeliver } from "./deliver.ts";
import { createEndpointAdmissions } from "./endpoint-admission.ts";
import { createEndpointLimits } from "./endpoint-limits.ts";
import type { SendOutcome } from "./send.ts";
import { createSendSlots } from "./send-slots.ts";

const answered: SendOutcome = { kind: "answered", status: 200, retryAfterMs: undefined, head: "", durationMs: 1 };
const unanswered: SendOutcome = { kind: "unanswered", error: "no answer", durationMs: 1 };

/** One webhook, and a queue that only keeps what is stored. */
function deliverTo(webhook: Partial<Webhook> & Pick<Webhook, "status">) {
  let outcome: SendOutcome | Promise<SendOutcome> = answered;
  let queueFill = 0;
  const sent = Promise.withResolvers<void>();
  const recorded: DeliveryAttempt[] = [];
  const scheduled: DeliveryMessage[] = [];
  const whole = { id: "w", failingSince: null, secrets: [], url: "https://shop.example/hook" };
  const find = () => ({ ...whole, ...webhook }) as unknown as Webhook;
  const backlog = createBacklog({
    promote: async () => true,
    logger: createLogger({ name: "test", level: "fatal" }),
    random: () => 0,
  });
  const deliver = createDeliver({
    webhooks: { find, refresh: async () => {} },
    admissions: createEndpointAdmissions(),
    limits: createEndpointLimits({ nowMs: () => 0, processes: () => 1 }),
    slots: createSendSlots({ nowMs: () => 0, loopUtilization: () => 0 }),
    health: { succeeded: async () => {}, failed: async () => "enabled", gone: async () => {} },
    queue: {
      schedule: async (message) => void scheduled.push(message),
      promote: async () => true,
      unschedule: async () => {},
      record: async (attempt) => void recorded.push(attempt),
      isRecorded: async () => false,
    },
    queueFill: () => queueFill,
    backlog,
    unseal(sealed) {
      if (sealed === "sealed under a lost key") throw new Error("sealed under a key that is not configured");
      return sealed;
    },
    openDestination: createOpenDestination((sealed) => sealed),
    send: async () => {
      sent.resolve();
      return await outcome;
    },
    nowMs: () => 0,
    random: () => 0,
    observe: { attempted: () => {}, postponed: () => {} },
  });
  return {
    deliver,
    backlog,
    recorded,
    scheduled,
    /** Resolves when the first request is sent. */
    sent: sent.promise,
    answer(next: SendOutcome | Promise<SendOutcome>) {
      outcome = next;
    },
    fillQueue(fill: number) {
      queueFill = fill;
    },
  };
}

const never = new AbortController().signal;

function messageOf(eventId: string): DeliveryMessage {
  const key = { accountId: "a", webhookId: "w", eventId };
  return { v: 1, ...key, event: "job.completed", jobId: "j", body: "{}", attempts: 0, failures: 0 };
}

it("keeps no deliveries in the backlog whose webhook was disabled while they waited", async () => {
  const webhook: { status: Webhook["status"] } = { status: { kind: "enabled" } };
  const { deliver, backlog, recorded, scheduled, answer } = deliverTo(webhook);
  answer(unanswered);
  for (let n = 0; n < 5; n++) await deliver(messageOf(`fails-${n}`), false, never);
  for (let n = 0; n < 100; n++) await deliver(messageOf(`waits-${n}`), false, never);
  const waiting = scheduled.filter(({ postponed }) => postponed);
  expect([waiting.length, backlog.pending("w") > 0]).toEqual([100, true]);
  webhook.status = { kind: "disabled", reason: "failing", at: "2026-11-20T00:00:00.000Z" };
  for (const message of waiting) await deliver(message, false, never);
  expect(recorded.filter(({ outcome }) => outcome === "abandoned")).toHaveLength(100);
  expect(backlog.fallbackAtMs(0)).toBe(120_000);
  expect(backlog.pending("w")).toBe(0);
});

it("records the body with the first attempt and with the one that ends the delivery as failed", async () => {
  const { deliver, recorded, scheduled, answer } = deliverTo({ status: { kind: "enabled" } });
  answer({ ...answered, status: 400 });
  for (let next = messageOf("e"); scheduled.length < retryDelaysMs.length; next = scheduled.at(-1)!) {
    await deliver(next, false, never);
  }
  await deliver(scheduled.at(-1)!, false, never);
  expect(recorded.map(({ outcome }) => outcome)).toEqual([...retryDelaysMs.map(() => "retrying"), "exhausted"]);
  expect(recorded.filter(({ body }) => body === "{}").map(({ attempt }) => attempt)).toEqual([1, 10]);
});

it("ends what would wait for a failing endpoint while the queue is more than half full, with its body and why", async () => {
  const { deliver, backlog, recorded, scheduled, answer, fillQueue } = deliverTo({ status: { kind: "enabled" } });
  answer(unanswered);
  fillQueue(0.6);
  for (let n = 0; n < 7; n++) await deliver(messageOf(`e${n}`), false, never);
  // The fifth failure opens the circuit.
  expect(scheduled.map(({ eventId }) => eventId)).toEqual(["e0", "e1", "e2", "e3"]);
  const why = "too many deliveries wait, and the endpoint is failing";
  expect(recorded.slice(4)).toMatchObject([
    { eventId: "e4", outcome: "abandoned", error: `no answer; not tried again: ${why}`, body: "{}" },
    { eventId: "e5", outcome: "abandoned", error: `nothing was sent: ${why}`, body: "{}", nextAttemptAt: null },
    { eventId: "e6", outcome: "abandoned" },
  ]);
  expect(backlog.pending("w")).toBe(0);
});

it("sends nothing to a webhook that was disabled while its deliveries waited for their turn", async () => {
  const webhook: { status: Webhook["status"]; maxConcurrent: number } = {
    status: { kind: "enabled" },
    maxConcurrent: 1,
  };
  const { deliver, recorded, sent, answer } = deliverTo(webhook);
  const held = Promise.withResolvers<SendOutcome>();
  answer(held.promise);
  const all = ["first", "waits"].map((eventId) => deliver(messageOf(eventId), false, never));
  await sent;
  webhook.status = { kind: "disabled", reason: "client", at: "2026-11-20T00:00:00.000Z" };
  held.resolve(answered);
  await Promise.all(all);
  expect(recorded).toMatchObject([
    { eventId: "first", outcome: "succeeded" },
    { eventId: "waits", outcome: "abandoned", error: "the webhook is disabled" },
  ]);
});

it("ends what would wait for a limited endpoint while the queue is more than half full, with its body and why", async () => {
  const { deliver, recorded, scheduled, answer, fillQueue } = deliverTo({
    status: { kind: "enabled" },
    maxConcurrent: 1,
  });
  const held = Promise.withResolvers<SendOutcome>();
  answer(held.promise);
  const line = Array.from({ length: 17 }, (_, n) => deliver(messageOf(`line-${n}`), false, never));
  await deliver(messageOf("waits"), false, never);
  fillQueue(0.6);
  await deliver(messageOf("ends"), false, never);
  expect(scheduled.map(({ eventId }) => eventId)).toEqual(["waits"]);
  const why = "too many deliveries wait, and its webhook is limited";
  expect(recorded).toMatchObject([
    { eventId: "waits", outcome: "postponed", attempt: 0 },
    { eventId: "ends", outcome: "abandoned", error: `nothing was sent: ${why}`, body: "{}", nextAttemptAt: null },
  ]);
  held.resolve(answered);
  await Promise.all(line);
  expect(recorded.filter(({ outcome }) => outcome === "succeeded")).toHaveLength(17);
});

const kafka = { kind: "kafka", url: "https://kafka.example", topic: "t", clusterId: null, username: null } as const;
const toKafka: Pick<Webhook, "status" | "destination"> = {
  status: { kind: "enabled" },
  destination: { ...kafka, sealedCredentials: "{}" },
};

it("tries again what a destination refuses in an answer of 200", async () => {
  const { deliver, recorded, scheduled, answer } = deliverTo(toKafka);
  answer({ ...answered, head: '{"offsets":[{"error_code":50003}]}' });
  await deliver(messageOf("refused"), false, never);
  answer({ ...answered, head: '{"offsets":[{"offset":3,"error_code":null}]}' });
  await deliver(messageOf("stored"), false, never);
  expect(scheduled).toMatchObject([{ eventId: "refused", failures: 1 }]);
  expect(recorded).toMatchObject([
    { eventId: "refused", outcome: "retrying", status: 200, error: "the proxy answered 200 without a stored record" },
    { eventId: "stored", outcome: "succeeded", error: null },
  ]);
});

it.each(["null", "7", '"stored"', "[]", ""])("tries again where a proxy answers 200 with %j", async (head) => {
  const { deliver, recorded, answer } = deliverTo(toKafka);
  answer({ ...answered, head });
  await deliver(messageOf("odd"), false, never);
  expect(recorded).toMatchObject([{ eventId: "odd", outcome: "retrying" }]);
});

it("counts an event whose request cannot be made as a failure", async () => {
  const topic = {
    kind: "pubsub",
    topic: "projects/p/topics/t",
    endpoint: "https://pubsub.example",
    clientEmail: "a@b",
  } as const;
  const sealedCredentials = JSON.stringify({ privateKeyId: "1", privateKey: "no key" });
  const { deliver, recorded, scheduled } = deliverTo({
    status: { kind: "enabled" },
    destination: { ...topic, sealedCredentials },
  });
  await deliver(messageOf("unsigned"), false, never);
  expect(scheduled).toMatchObject([{ eventId: "unsigned", failures: 1 }]);
  expect(recorded).toMatchObject([
    { outcome: "retrying", error: expect.stringContaining("the request cannot be made") },
  ]);
});

it("sends nothing that is longer than its destination takes, and keeps it for a redelivery", async () => {
  const { deliver, recorded, scheduled } = deliverTo(toKafka);
  const body = JSON.stringify("ü".repeat(600_000));
  await deliver({ ...messageOf("long"), body }, false, never);
  const error = "nothing was sent: the event has 1200002 bytes, and its destination takes 1000000";
  expect(recorded).toMatchObject([{ eventId: "long", outcome: "abandoned", status: null, error, body }]);
  expect(scheduled).toEqual([]);
});

it("signs with the new secret alone where the old one was sealed under a lost key, and sends nothing before", async () => {
  const lost = "sealed under a lost key";
  const webhook: { status: Webhook["status"]; secrets: Webhook["secrets"] } = {
    status: { kind: "enabled" },
    secrets: [{ sealed: lost, validUntil: null }],
  };
  const { deliver, recorded } = deliverTo(webhook);
  await expect(deliver(messageOf("waits"), false, never)).rejects.toThrow("not configured");
  webhook.secrets = [
    { sealed: "whsec_bmV3", validUntil: null },
    { sealed: lost, validUntil: "2026-11-20T00:00:00.000Z" },
  ];
  await deliver(messageOf("waits"), true, never);
  expect(recorded).toMatchObject([{ eventId: "waits", outcome: "succeeded" }]);
});
