import type { ServerResponse } from "node:http";

/** Server-sent events to one client. */
export interface EventStream {
  /** Events are numbered from 1 in their `id`. */
  send(event: string, data: unknown): void;
  /** A comment line: it keeps proxies from closing a quiet stream. */
  keepAlive(): void;
  close(): void;
}

export const eventStreamType = "text/event-stream";

export function openEventStream(response: ServerResponse): EventStream {
  let eventId = 0;
  response.writeHead(200, {
    "Content-Type": eventStreamType,
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  return {
    send(event, data) {
      eventId += 1;
      response.write(`id: ${eventId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    keepAlive: () => void response.write(": still here\n\n"),
    close: () => void response.end(),
  };
}
