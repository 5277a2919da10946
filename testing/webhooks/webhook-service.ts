/** The webhook service as a child process, receivers on loopback, and the records that others would have written. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Delivery, deliverySubjects } from "@packshot/domain/delivery.ts";
import { eventWrite, type JobEndedEvent, type WebhookTestEvent } from "@packshot/domain/event.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import { newWebhookSecret } from "@packshot/domain/webhook-secret.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { findDelivery } from "@packshot/platform/deliveries/deliveries.ts";
import { readInOrder } from "@packshot/platform/nats/event-reader.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import type { Certificate } from "../servers/certificates.ts";

const main = fileURLToPath(new URL("../../services/webhooks/webhooks-main.ts", import.meta.url));
const masterKey = randomBytes(32);
const linkKey = randomBytes(32);
const seal = createSeal({ keys: [masterKey] });

export interface WebhookService {
  readonly pid: number;
  /** `host:port` of its metrics. */
  readonly metrics: string;
  readonly logLines: readonly string[];
  /** As by `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<void>;
}

export async function startWebhookService(
  natsUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<WebhookService> {
  const child: ChildProcess = spawn(process.execPath, [main], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH ?? "",
      PACKSHOT_NATS_URL: natsUrl,
      PACKSHOT_MASTER_KEY: masterKey.toString("hex"),
      PACKSHOT_LINK_KEY: linkKey.toString("hex"),
      PACKSHOT_PUBLIC_URL: "http://127.0.0.1:8080",
      PACKSHOT_STORAGE_DIR: join(tmpdir(), "packshot-webhooks-unused"),
      PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
      PACKSHOT_PARENT_PIPE: "1",
      ...environment,
    },
  });
  const logLines: string[] = [];
  createInterface({ input: child.stderr! }).on("line", (line) => logLines.push(line));
  const ended = once(child, "close").then(() => undefined);
  const ready = await new Promise<{ metrics: string }>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const said = JSON.parse(line) as { msg: string; metrics: string };
      if (said.msg === "ready") resolve(said);
      else reject(new Error(line));
    });
    void ended.then(() => reject(new Error(logLines.join("\n"))));
  });
  return {
    pid: child.pid!,
    metrics: ready.metrics,
    logLines,
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export interface Received {
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** `webhook-id`. */
  readonly id: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Connections that were ever opened. */
  readonly connections: () => number;
  /** Resolves when `condition` holds, looked at after each request. */
  until(condition: (received: readonly Received[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** `respond` answers, or does worse. */
export type Respond = (request: IncomingMessage, response: ServerResponse, received: Received, count: number) => void;

export const takeIt: Respond = (_request, response) => void response.writeHead(204).end();

/** With a certificate it speaks TLS, as `localhost`. */
export async function startReceiver(respond: Respond = takeIt, certificate?: Certificate): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  let look = () => {};
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const atMs = Date.now();
    const chunks: Buffer[] = [];
    request.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", () => {});
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const entry = { atMs, headers: request.headers, body, id: String(request.headers["webhook-id"]) };
      received.push(entry);
      respond(request, response, entry, received.length);
      look();
    });
  };
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: certificate === undefined ? `http://127.0.0.1:${port}/hook` : `https://localhost:${port}/hook`,
    received,
    connections: () => opened,
    until(condition) {
      return new Promise((resolve) => {
        const before = look;
        look = () => {
          before();
          if (condition(received)) resolve();
        };
        look();
      });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function registerWebhook(
  log: Log,
  accountId: string,
  url: string,
  change: Partial<Webhook> = {},
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    v: 1,
    id: uuidv7(),
    accountId,
    url,
    live: true,
    events: ["job.completed", "job.failed", "job.cancelled"],
    description: "",
    metadata: {},
    status: { kind: "enabled" },
    createdAt: isoTime(Date.now()),
    secrets: [{ sealed: seal.seal(secret), validUntil: null }],
    failingSince: null,
    ...change,
  };
  await log.commit("webhook", [{ subject: subjects.webhook(accountId, webhook.id), value: webhook }]);
  return { webhook, secret };
}

export function sealedSecret(secret: string, validUntil: string | null): Webhook["secrets"][number] {
  return { sealed: seal.seal(secret), validUntil };
}

export function endedEvent(accountId: string, change: Partial<JobEndedEvent> = {}): JobEndedEvent {
  const nowMs = Date.now();
  const jobId = uuidv7();
  const file = (name: string, contentType: string) => ({
    key: `api/${accountId}/${jobId}/${name}`,
    contentType,
    bytes: 1_000,
  });
  return {
    v: 1,
    kind: "completed",
    eventId: uuidv7(),
    createdAt: isoTime(nowMs),
    accountId,
    jobId,
    tool: "mask",
    live: true,
    metadata: { sku: "A-1" },
    credits: 1,
    period: 1,
    jobCreatedAt: isoTime(nowMs - 900),
    startedAt: isoTime(nowMs - 800),
    finishedAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + 3_600_000),
    result: file("result", "image/png"),
    thumbnail: file("thumbnail", "image/webp"),
    error: null,
    ...change,
  };
}

/** Resolves when nothing is due and nothing is in anyone's hands: what waits for its time does not count. */
export async function untilNothingIsDue(log: Log): Promise<void> {
  for (;;) {
    const reply = await log.connection.request("$JS.API.CONSUMER.INFO.PS_DELIVERIES.deliveries", "");
    const info = reply.json<{ num_pending: number; num_ack_pending: number }>();
    if (info.num_pending + info.num_ack_pending === 0) return;
    await pause(200, new AbortController().signal);
  }
}

/** The log is written after the answer: resolves when the delivery has as many entries in it. */
export async function loggedDelivery(
  log: Log,
  { accountId, id: webhookId }: Webhook,
  eventId: string,
  attempts: number,
): Promise<Delivery> {
  const ending = new AbortController();
  let seen = 0;
  for await (const _ of readInOrder({
    connection: log.connection,
    stream: streams.attempts,
    filter: deliverySubjects.attemptsOf({ accountId, webhookId, eventId }),
    fromSequence: 1,
    signal: ending.signal,
    logger: createLogger({ name: "test", level: "fatal" }),
  })) {
    seen += 1;
    if (seen === attempts) break;
  }
  ending.abort();
  return (await findDelivery(log.connection, { accountId, webhookId, eventId }))!;
}

export function testEvent(webhook: Webhook): WebhookTestEvent {
  const { accountId, id } = webhook;
  return { v: 1, kind: "test", eventId: uuidv7(), createdAt: isoTime(Date.now()), accountId, webhookId: id };
}

/** Into the outbox, as finishing a job does; many in one batch. */
export async function emit(log: Log, ...events: (JobEndedEvent | WebhookTestEvent)[]): Promise<void> {
  await log.commit("event", events.map(eventWrite));
}
