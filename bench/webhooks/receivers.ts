/** Fifty healthy receivers in one process: answers 204 and tells the parent when each event's first byte arrived. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const receivers = 50;
const ports: number[] = [];
let arrivals: [id: string, atMs: number][] = [];

for (let n = 0; n < receivers; n++) {
  const server = createServer((request, response) => {
    arrivals.push([String(request.headers["webhook-id"]), performance.timeOrigin + performance.now()]);
    request.resume().on("end", () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ports.push((server.address() as AddressInfo).port);
}

setInterval(() => {
  if (arrivals.length > 0) process.send!({ arrivals });
  arrivals = [];
}, 50);
process.on("disconnect", () => process.exit(0));
process.send!({ ports });
