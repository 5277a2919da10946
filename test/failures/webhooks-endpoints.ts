/** Receivers of webhooks, most of them healthy, the others failing in every way seen in the field. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Log } from "@packshot/log/log.ts";
import { type Receiver, type Respond, respond204, startReceiver } from "../../testing/webhooks/receiver.ts";
import { registerWebhook } from "../../testing/webhooks/webhook-records.ts";

/** How many of each a fleet of fifty has. */
const fleetOfFifty: readonly (readonly [kind: string, count: number])[] = [
  ["healthy", 32],
  ["dead", 2],
  ["slow", 2],
  ["trickling-body", 2],
  ["trickling-header", 1],
  ["flapping", 4],
  ["breaking-off", 2],
  ["redirecting", 1],
  ["gone", 1],
  ["too-large", 1],
  ["failing", 1],
  ["endless", 1],
];

const slowMs = 29_000;
/** Kinds that accept every delivery. */
export const acceptingKinds = ["healthy", "trickling-body", "endless"];

const responders: Readonly<Record<string, Respond>> = {
  healthy: respond204,
  slow: (_request, response) => void setTimeout(() => response.writeHead(200).end(), slowMs).unref(),
  "trickling-body": (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 100);
    response.on("close", () => clearInterval(timer));
  },
  flapping: (_request, response, _received, count) => void response.writeHead(count % 3 === 0 ? 500 : 200).end(),
  "breaking-off": (request, response, _received, count) => {
    if (count % 2 === 0) {
      response.writeHead(200).end();
      return;
    }
    response.writeHead(200, { "content-length": "100" });
    request.socket.write("HTTP/1.1 2");
    request.socket.destroy();
  },
  redirecting: (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  gone: (_request, response) => void response.writeHead(410).end(),
  "too-large": (_request, response) => void response.writeHead(413).end(),
  failing: (_request, response) => void response.writeHead(500).end("x".repeat(100_000)),
  endless: (_request, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      response.once("drain", more);
    };
    more();
  },
};

export interface Endpoint {
  readonly kind: string;
  readonly webhookId: string;
  /** Absent for those that never see a whole request. */
  readonly receiver: Receiver | undefined;
  readonly close: () => Promise<void>;
}

export async function startEndpoints(log: Log, accountId: string): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (const [kind, count] of fleetOfFifty) {
    for (let n = 0; n < count; n++) {
      const { url, receiver, close } = await startEndpoint(kind);
      const { webhook } = await registerWebhook(log, accountId, url);
      endpoints.push({ kind, webhookId: webhook.id, receiver, close });
    }
  }
  return endpoints;
}

async function startEndpoint(kind: string): Promise<Omit<Endpoint, "kind" | "webhookId"> & { readonly url: string }> {
  const respond = responders[kind];
  if (respond !== undefined) {
    const receiver = await startReceiver(respond);
    return { url: receiver.url, receiver, close: receiver.close };
  }
  const trickling = await startTrickling();
  if (kind === "dead") await trickling.close();
  return { ...trickling, receiver: undefined };
}

/** Accepts connections, and sends a header that never ends. */
export async function startTrickling(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write(`X-${Math.random()}: 1\r\n`), 100);
    socket.on("close", () => clearInterval(timer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/hook`, close };
}
