/**
 * The receivers in one process: fifty that answer 204, three more of them whose arrivals do not count, one that answers
 * after 29 s, one that trickles a header forever, and the address of one that is dead. Tells the parent when each
 * event's first byte arrived at one of the fifty.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";

const healthyCount = 50;
/** As many as there are unhealthy ones. */
const controlCount = 3;
const slowMs = 29_000;
let arrivals: [id: string, atMs: number][] = [];

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function listenHealthy(onArrival: (eventId: string) => void): Promise<number> {
  const server = createServer((request, response) => {
    onArrival(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  return await listen(server);
}

const healthy: number[] = [];
for (let n = 0; n < healthyCount; n++) {
  healthy.push(await listenHealthy((id) => arrivals.push([id, performance.timeOrigin + performance.now()])));
}
const control: number[] = [];
for (let n = 0; n < controlCount; n++) control.push(await listenHealthy(() => {}));

const slow = await listen(
  createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(200).end(), slowMs);
  }),
);
const trickling = await listen(
  createSocketServer((socket) => {
    socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("X-More: 1\r\n"), 500);
    socket.on("close", () => clearInterval(timer));
  }),
);
const gone = createSocketServer();
const dead = await listen(gone);
gone.close();

setInterval(() => {
  if (arrivals.length > 0) process.send!({ arrivals });
  arrivals = [];
}, 50);
process.on("disconnect", () => process.exit(0));
process.send!({ healthy, control, unhealthy: [dead, slow, trickling] });
