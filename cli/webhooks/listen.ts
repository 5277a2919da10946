/** A receiver of webhooks on this machine, registered for as long as it runs. */

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { isAlive } from "@packshot/platform/lifecycle/is-alive.ts";
import { type NewWebhook, type Packshot, PackshotError, type WebhookEvent } from "@packshot/sdk/packshot.ts";
import { withoutQuery } from "../command-line/address.ts";
import { CommandError } from "../command-line/command.ts";

export interface ListenOptions {
  readonly client: Packshot;
  /** 0: a free one. */
  readonly port: number;
  readonly forward: string | undefined;
  readonly publicUrl: string | undefined;
  /** Absent: all kinds. */
  readonly events: readonly string[] | undefined;
  onEvent(event: PrintedEvent): void;
}

export interface PrintedEvent {
  /** For people. */
  readonly line: string;
  readonly isFault: boolean;
  /** The event's body, on one line. */
  readonly raw: string;
}

export interface Listener {
  readonly url: string;
  readonly secret: string;
  /** Removes the webhook. */
  stop(): Promise<void>;
}

const bodyBytesMax = 1024 * 1024;
const forwardTimeoutMs = 14_000;
const description = "packshot webhooks listen";
/** A receiver verifies the request with these. */
const forwardedHeaders = /^(webhook-|content-type$|user-agent$|traceparent$)/;

/** Rejects with a PackshotError, or a CommandError where the port or the address cannot be used. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { client, port, publicUrl, events } = options;
  // The secret comes with the webhook, and the webhook needs an address: what arrives earlier waits for it.
  const { promise: registered, resolve: register } = Promise.withResolvers<string>();
  const server = createServer((request, response) => void receive(options, registered, request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`port ${port} cannot be used (${error.code}): choose another with --port.`);
  });
  const url = publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await removeLeftOnes(client);
    const webhook: NewWebhook = {
      url,
      description: `${description} on ${hostname()}, process ${process.pid}`,
      ...(events !== undefined && { events: events as NonNullable<NewWebhook["events"]> }),
    };
    const { id, secret } = await client.webhooks.create(webhook).catch((error: unknown) => {
      const isRefused = error instanceof PackshotError && error.code === "invalid_request";
      if (!isRefused || publicUrl !== undefined) throw error;
      throw new CommandError(
        `the service cannot reach this machine by ${withoutQuery(url)} (${error.message}) Give the address of a tunnel to it with --public-url and --port.`,
      );
    });
    register(secret);
    return { url, secret, stop: () => stop(id) };
  } catch (error) {
    server.close();
    throw error;
  }

  async function stop(id: string): Promise<void> {
    await client.webhooks.delete(id).catch(() => {});
    server.close();
    server.closeAllConnections();
  }
}

/** Deletes webhooks of listeners on this machine that were killed. */
async function removeLeftOnes(client: Packshot): Promise<void> {
  const own = new RegExp(`^${description} on (.*), process (\\d+)$`);
  for await (const webhook of client.webhooks.list()) {
    const [, host, pid] = own.exec(webhook.description) ?? [];
    if (host === hostname() && !isAlive(Number(pid))) await client.webhooks.delete(webhook.id);
  }
}

async function receive(
  { client, forward, onEvent }: ListenOptions,
  registered: Promise<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readBody(request);
    const event = await client.webhooks.verify(body, request.headers, await registered);
    const status = forward === undefined ? 204 : await forwarded(forward, request.headers, body);
    onEvent({ ...printedEvent(event, forward === undefined ? undefined : status), raw: body.toString() });
    response.writeHead(status).end();
  } catch {
    // Nobody but the service knows the secret.
    response.writeHead(400).end();
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error("the event is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The status that the address answered; 502 where it did not. */
async function forwarded(url: string, given: IncomingHttpHeaders, body: Buffer): Promise<number> {
  const headers = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    forwardedHeaders.test(name) && value !== undefined ? [[name, [value].flat().join(", ")]] : [],
  );
  try {
    // The bytes as they came: the signature is over them.
    const init = { method: "POST", headers, body: new Uint8Array(body), redirect: "manual" } as const;
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(forwardTimeoutMs) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 502;
  }
}

/** `12:00:01 job.completed 0193… mask sku=MUG-1 → 204` */
function printedEvent({ event, createdAt, data }: WebhookEvent, status: number | undefined): Omit<PrintedEvent, "raw"> {
  const { id, tool, metadata = {}, error } = data as Partial<WebhookEvent["data"]>;
  const isFault = event.endsWith(".failed") || (status !== undefined && status >= 300);
  const facts = [
    ...[createdAt.slice(11, 19), event, id, tool ?? undefined, error?.code],
    ...Object.entries(metadata ?? {}).map(([name, value]) => `${name}=${value}`),
    status === undefined ? undefined : `→ ${status}`,
  ].filter((fact) => fact !== undefined);
  return { line: facts.join(" "), isFault };
}
