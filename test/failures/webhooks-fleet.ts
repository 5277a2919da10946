/**
 * A fleet of healthy and failing receivers, while the webhook service and nats-server are killed. Afterward every pair
 * of event and endpoint must be accounted for.
 */
import type { JsMsg } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { DeliveryAttempt } from "@packshot/domain/webhooks/delivery.ts";
import { retryDelaysMs } from "@packshot/domain/webhooks/delivery.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { startLog } from "../../testing/log/test-log.ts";
import type { TestNats } from "../../testing/servers/nats.ts";
import { patientRequest } from "../../testing/webhooks/delivery-log.ts";
import { emit, endedEvent } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService, type WebhookService } from "../../testing/webhooks/webhook-service.ts";
import { acceptingKinds, type Endpoint, startEndpoints } from "./webhooks-endpoints.ts";

export interface FleetOptions {
  /** Each goes to all fifty endpoints. */
  readonly events: number;
  readonly serviceKills: number;
  readonly natsKills: number;
  readonly say: (line: string) => void;
}

export interface FleetReport {
  readonly pairs: number;
  readonly delivered: number;
  readonly scheduled: number;
  /** Exhausted, or abandoned after a 410. */
  readonly ended: number;
  /** Events after the 410 that disabled their webhook. */
  readonly notDue: number;
  /** `kind webhook event` of deliveries that are neither logged nor queued. */
  readonly lost: readonly string[];
  /** Retries that are not due at the time of the schedule. */
  readonly offSchedule: readonly string[];
  /** Requests that reached a receiver completely. */
  readonly requests: number;
  /** Requests beyond the attempts in the log: their log entry died with a process. */
  readonly duplicates: number;
  /** The duplicates, by kind of endpoint. */
  readonly duplicatesOf: Readonly<Record<string, number>>;
  /** Requests whose webhook-id belongs to no event of the run. */
  readonly unknownIds: number;
  /** Bodies under one webhook-id that differ. */
  readonly changedBodies: number;
  readonly healthyMissing: number;
  readonly seconds: number;
}

export async function runFleet(options: FleetOptions): Promise<FleetReport> {
  const { events, serviceKills, natsKills, say } = options;
  const startedMs = performance.now();
  const log = await startLog();
  const accountId = uuidv7();
  const endpoints = await startEndpoints(log, accountId);
  let service = await startWebhookService(log.nats.url, { PACKSHOT_LOG_LEVEL: "warn" });

  const eventIds: string[] = [];
  const kills = scheduleKills(events, serviceKills, natsKills);
  for (let n = 0; n < events; n++) {
    const event = endedEvent(accountId);
    eventIds.push(event.eventId);
    await commitWithRetry(() => emit(log, event));
    for (const victim of kills.get(n) ?? []) {
      say(`${victim} killed after event ${n + 1} of ${events}`);
      service = await kill(victim, service, log.nats);
    }
  }
  const attempts = await followAttempts(log, accountId);
  await attempts.untilAllAreLogged(endpoints, eventIds);
  // The service finishes and logs what it is sending. From here on the receivers' lists are final.
  await service.stop();
  const history = await attempts.toTheEnd();
  const waiting = await queuedDeliveries(log);
  // A schedule that fires while the subjects are listed may be missing from the list: a second list has it.
  for (const pair of await queuedDeliveries(log)) waiting.add(pair);
  const disabled = await disabledWebhooks(log, accountId, endpoints);
  const report = evaluate({ endpoints, eventIds, history, waiting, disabled });

  await log.stop();
  for (const endpoint of endpoints) await endpoint.close();
  return { ...report, seconds: Math.round((performance.now() - startedMs) / 1000) };
}

type Victim = "service" | "nats";

/** Spreads them over the run, nats-server at other moments than the service. */
function scheduleKills(events: number, serviceKills: number, natsKills: number): Map<number, Victim[]> {
  const plan = new Map<number, Victim[]>();
  const add = (victim: Victim, count: number, offset: number) => {
    for (let n = 0; n < count; n++) {
      const at = Math.floor(((n + offset) / count) * events * 0.95);
      plan.set(at, [...(plan.get(at) ?? []), victim]);
    }
  };
  add("service", serviceKills, 0.5);
  add("nats", natsKills, 0.7);
  return plan;
}

async function kill(victim: Victim, service: WebhookService, nats: TestNats): Promise<WebhookService> {
  if (victim === "nats") {
    await nats.kill();
    await nats.restart();
    return service;
  }
  await service.kill();
  return await startWebhookService(nats.url, { PACKSHOT_LOG_LEVEL: "warn" });
}

/**
 * Repeats a write that a killed server left unanswered. It is the same event, so the follower sees it once or twice.
 */
async function commitWithRetry(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await write();
      return;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

type History = ReadonlyMap<string, readonly DeliveryAttempt[]>;

/** Reads the log of attempts as it grows. */
async function followAttempts(log: Log, accountId: string) {
  const history = new Map<string, DeliveryAttempt[]>();
  const { signal } = new AbortController();
  const messages = readInOrder({
    connection: log.connection,
    stream: streams.attempts,
    filters: [`psa.${accountId}.>`],
    fromSequence: 1,
    signal,
    logger: createLogger({ name: "fleet", level: "fatal" }),
  });

  async function next(): Promise<{ attempt: DeliveryAttempt; pair: string; sequence: number }> {
    const { value: message } = (await messages.next()) as { value: JsMsg };
    const attempt = message.json<DeliveryAttempt>();
    const pair = `${attempt.webhookId} ${attempt.eventId}`;
    history.set(pair, [...(history.get(pair) ?? []), attempt]);
    return { attempt, pair, sequence: message.seq };
  }

  let read = 0;
  return {
    /** Every pair at least once; what goes to an endpoint that takes everything, as a success. */
    async untilAllAreLogged(endpoints: readonly Endpoint[], eventIds: readonly string[]): Promise<void> {
      const open = new Set<string>();
      const kinds = new Map(endpoints.map(({ webhookId, kind }) => [webhookId, kind]));
      for (const { kind, webhookId } of endpoints) {
        if (kind === "gone") continue; // Disabled by its first answer: what comes later is not queued.
        for (const eventId of eventIds) open.add(`${webhookId} ${eventId}`);
      }
      while (open.size > 0) {
        const { attempt, pair, sequence } = await next();
        read = sequence;
        if (!acceptingKinds.includes(kinds.get(attempt.webhookId)!) || attempt.outcome === "succeeded")
          open.delete(pair);
      }
    },

    async toTheEnd(): Promise<History> {
      const reply = await log.connection.request(`$JS.API.STREAM.INFO.${streams.attempts}`, "", patientRequest);
      const { last_seq: last } = reply.json<{ state: { last_seq: number } }>().state;
      while (read < last) read = (await next()).sequence;
      await messages.return(undefined);
      return history;
    },
  };
}

async function disabledWebhooks(log: Log, accountId: string, endpoints: readonly Endpoint[]) {
  const disabled = new Set<string>();
  for (const { webhookId } of endpoints) {
    const { value } = await log.read<Webhook>(subjects.webhook(accountId, webhookId));
    if (value?.status.kind === "disabled") disabled.add(webhookId);
  }
  return disabled;
}

/** Every delivery in the queue, due or scheduled, as `webhook event`. */
async function queuedDeliveries(log: Log): Promise<Set<string>> {
  const found = new Set<string>();
  for (let offset = 0; ; ) {
    const reply = await log.connection.request(
      `$JS.API.STREAM.INFO.${streams.deliveries}`,
      JSON.stringify({ subjects_filter: "psd.>", offset }),
      patientRequest,
    );
    const { state } = reply.json<{ state: { subjects?: Record<string, number> } }>();
    const listed = Object.keys(state.subjects ?? {});
    for (const subject of listed) found.add(subject.split(".").slice(3).join(" "));
    if (listed.length < 100_000) return found;
    offset += listed.length;
  }
}

function evaluate(run: {
  endpoints: readonly Endpoint[];
  eventIds: readonly string[];
  history: History;
  waiting: ReadonlySet<string>;
  disabled: ReadonlySet<string>;
}): Omit<FleetReport, "seconds"> {
  const tally = {
    requests: 0,
    delivered: 0,
    scheduled: 0,
    ended: 0,
    notDue: 0,
    duplicates: 0,
    unknownIds: 0,
    changedBodies: 0,
  };
  const duplicatesOf: Record<string, number> = {};
  const lost: string[] = [];
  const offSchedule: string[] = [];
  const known = new Set(run.eventIds);
  let healthyMissing = 0;
  for (const { kind, webhookId, receiver } of run.endpoints) {
    const bodies = new Map<string, string[]>();
    for (const { id, body } of receiver?.received ?? []) bodies.set(id, [...(bodies.get(id) ?? []), body]);
    for (const id of bodies.keys()) if (!known.has(id)) tally.unknownIds += 1;
    for (const eventId of run.eventIds) {
      const pair = `${webhookId} ${eventId}`;
      const attempts = run.history.get(pair) ?? [];
      const got = bodies.get(eventId) ?? [];
      if (new Set(got).size > 1) tally.changedBodies += 1;
      const sent = new Set(attempts.filter(({ attempt }) => attempt > 0).map(({ attempt }) => attempt));
      const repeated = Math.max(0, got.length - Math.max(1, sent.size));
      tally.duplicates += repeated;
      if (repeated > 0) duplicatesOf[kind] = (duplicatesOf[kind] ?? 0) + repeated;
      tally.requests += got.length;
      if (kind === "healthy" && got.length === 0) healthyMissing += 1;
      offSchedule.push(...attempts.filter(isOffSchedule).map(({ attempt }) => `${kind} ${pair} attempt ${attempt}`));
      if (attempts.some(({ outcome }) => outcome === "succeeded")) tally.delivered += 1;
      else if (run.waiting.has(pair)) tally.scheduled += 1;
      else if (attempts.some(({ outcome }) => outcome === "exhausted" || outcome === "abandoned")) tally.ended += 1;
      else if (run.disabled.has(webhookId)) tally.notDue += 1;
      else lost.push(`${kind} ${pair}`);
    }
  }
  const pairs = run.endpoints.length * run.eventIds.length;
  return { pairs, ...tally, duplicatesOf, lost, offSchedule, healthyMissing };
}

/** The delay counts from the end of the attempt, up to 15 s and some writing after it began. */
function isOffSchedule({ outcome, attempt, at, nextAttemptAt, durationMs }: DeliveryAttempt): boolean {
  if (outcome !== "retrying") return false;
  const waitMs = Date.parse(nextAttemptAt!) - Date.parse(at) - durationMs;
  const wantedMs = retryDelaysMs[attempt - 1]!;
  return waitMs < wantedMs - 5 || waitMs > wantedMs * 1.1 + 30_000;
}
