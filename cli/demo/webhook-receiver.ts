/** The demo's own receiver of webhooks: it verifies events as a shop's server would. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

const bodyBytesMax = 1024 * 1024;

export interface ReceivedEvent {
  readonly event: string;
  readonly eventId: string;
  readonly createdAt: string;
  readonly data: {
    readonly id: string;
    readonly tool: string;
    readonly status: string;
    readonly error?: { code: string; message: string };
  };
}

export interface WebhookReceiver {
  readonly url: string;
  /** From now on only events signed with it are accepted. */
  useSecret(secret: string): void;
  /** Resolves with the verified event that ends this job; rejects when none came within `timeoutMs`. */
  eventOf(jobId: string, timeoutMs: number): Promise<ReceivedEvent>;
  close(): void;
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > bodyBytesMax) throw new Error("the event is larger than 1 MiB");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let verifier: Webhook | undefined;
  const events = new Map<string, ReceivedEvent>();
  const waiting = new Map<string, (event: ReceivedEvent) => void>();

  const server = createServer(async (request, response) => {
    try {
      const body = await readBody(request);
      const header = (name: string) => String(request.headers[name] ?? "");
      const event = verifier!.verify(body, {
        "webhook-id": header("webhook-id"),
        "webhook-timestamp": header("webhook-timestamp"),
        "webhook-signature": header("webhook-signature"),
      }) as ReceivedEvent;
      response.writeHead(204).end();
      // The same event may come twice.
      events.set(event.data.id, event);
      waiting.get(event.data.id)?.(event);
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/packshot`,
    useSecret(secret) {
      verifier = new Webhook(secret);
    },
    eventOf(jobId, timeoutMs) {
      const earlier = events.get(jobId);
      if (earlier) return Promise.resolve(earlier);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no event of job ${jobId} came within ${timeoutMs / 1000} s`)),
          timeoutMs,
        );
        waiting.set(jobId, (event) => {
          clearTimeout(timer);
          waiting.delete(jobId);
          resolve(event);
        });
      });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
