/** The webhook service: follows the events, queues one delivery per endpoint, and delivers what is due. */
import { streams } from "@packshot/domain/subjects.ts";
import { createFollowerLag } from "@packshot/log/follow/follower-lag.ts";
import { createLogWatch } from "@packshot/log/operate/watch.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createGuardedAgent } from "@packshot/platform/outbound/guarded-agent.ts";
import { openStorage } from "@packshot/platform/storage/open-storage.ts";
import { createProcessList } from "@packshot/service/process-list.ts";
import { startProcess } from "@packshot/service/start-process.ts";
import { createDeliveryConsumer } from "./consumers/delivery-consumer.ts";
import { createDeliveryWatch } from "./consumers/delivery-watch.ts";
import { createEventFanOut } from "./consumers/event-fan-out.ts";
import { createWebhookView } from "./consumers/webhook-view.ts";
import { createBacklog } from "./delivery/backlog.ts";
import { createDeliver } from "./delivery/deliver.ts";
import { createDeliveryMetrics } from "./delivery/delivery-metrics.ts";
import { createEndpointAdmissions } from "./delivery/endpoint-admission.ts";
import { createEndpointHealth } from "./delivery/endpoint-health.ts";
import { createEndpointLimits } from "./delivery/endpoint-limits.ts";
import { createJetStreamQueue } from "./delivery/jetstream-queue.ts";
import { send } from "./delivery/send.ts";
import { createSendSlots } from "./delivery/send-slots.ts";
import { createOpenDestination } from "./destinations/open-destination.ts";

const connectTimeoutMs = 10_000;
/** Webhooks of several accounts may share one origin; each has a concurrency limit of its own. */
const connectionsPerOriginMax = 256;

const { settings, logger, metrics, readiness, log, stopTimes, run } = await startProcess({
  name: "webhooks",
  needs: ["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY"],
  streams: [streams.deliveries],
  followsEvents: true,
});
const seal = createSeal({ keys: settings.PACKSHOT_MASTER_KEY! });
const unseal = createUnsealCache(seal.unseal);
// Only links are signed here.
const { storage } = await openStorage({ settings, logger, forWorker: false });
const agent = createGuardedAgent({
  allow: parseAllowList(settings.PACKSHOT_ALLOW_WEBHOOKS),
  connectTimeoutMs,
  connectionsMax: connectionsPerOriginMax,
});

const admissions = createEndpointAdmissions();
// A clock that is set back must not stop them.
const steadyMs = () => performance.now();
const slots = createSendSlots({ nowMs: steadyMs, loopUtilization: createLoopUtilization() });
const processes = createProcessList({ log, nowMs: steadyMs });
const limits = createEndpointLimits({ nowMs: steadyMs, processes: () => processes.count("webhooks") });
const webhooks = createWebhookView({ log, logger });
const observe = createDeliveryMetrics(metrics, {
  inFlight: () => consumer.inFlight(),
  circuits: () => admissions.circuits(Date.now()),
});
const queue = createJetStreamQueue(log);
const watch = createLogWatch({ log, logger, registry: metrics.registry });
const deliver = createDeliver({
  webhooks,
  admissions,
  limits,
  slots,
  health: createEndpointHealth({ log, logger, nowMs: Date.now, onDisabled: observe.disabled }),
  queue,
  queueFill: () => watch.fill(streams.deliveries),
  backlog: createBacklog({ promote: queue.promote, logger, random: Math.random }),
  unseal,
  openDestination: createOpenDestination(unseal),
  send: (post) => send(agent, post),
  nowMs: Date.now,
  random: Math.random,
  observe,
});
const consumer = createDeliveryConsumer({
  log,
  logger,
  deliver,
  queuedForSlot: slots.queued,
  giveBackWaiting() {
    limits.close();
    slots.close();
  },
  finishTimeoutMs: stopTimes.finishMs,
});
const lag = createFollowerLag(metrics.registry);
const fanOut = createEventFanOut({ log, logger, webhooks, storage, bypassFrom: watch.bypassFrom, lag });
const deliveryWatch = createDeliveryWatch({ log, logger, registry: metrics.registry });
readiness.require("webhooks", webhooks.lag);

const outbound: Component = { name: "outbound", start: async () => {}, stop: async () => await agent.destroy() };

await run({ components: [watch, processes, webhooks, outbound, consumer, fanOut, deliveryWatch, readiness] });

/** Share of the time since the last call in which the event loop was busy. */
function createLoopUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Unsealing a secret for every attempt would cost more than signing. There is about one secret per webhook. */
function createUnsealCache(unseal: (sealed: string) => string): (sealed: string) => string {
  const secrets = new Map<string, string>();
  const secretsMax = 20_000;
  return (sealed) => {
    const known = secrets.get(sealed);
    if (known !== undefined) return known;
    if (secrets.size >= secretsMax) secrets.clear();
    const secret = unseal(sealed);
    secrets.set(sealed, secret);
    return secret;
  };
}
