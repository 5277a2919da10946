/** POST /cut-outs takes a photo and answers when its last stage has ended; GET /results/ID has the PNG. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";
import { Queue, QueueEvents } from "bullmq";
import { connection, fileOf, jobOptions, ready, stages } from "./queues.mjs";

const first = new Queue(stages[0], { connection: connection() });
const waiting = new Map();

for (const stage of stages) {
  const events = new QueueEvents(stage, { connection: connection() });
  events.on("failed", ({ jobId, failedReason }) => waiting.get(jobId)?.(new Error(failedReason)));
  if (stage === stages.at(-1)) events.on("completed", ({ jobId }) => waiting.get(jobId)?.());
  await events.waitUntilReady();
}

async function accept(request, response) {
  const id = randomUUID();
  await pipeline(request, createWriteStream(fileOf(id, "photo")));
  const ended = new Promise((resolve) => waiting.set(id, resolve));
  await first.add(stages[0], { id }, { ...jobOptions, jobId: id });
  const error = await ended;
  waiting.delete(id);
  if (error) throw error;
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ resultUrl: `/results/${id}` }));
}

async function send(id, response) {
  const path = fileOf(id, "png");
  response.writeHead(200, { "Content-Type": "image/png", "Content-Length": (await stat(path)).size });
  await pipeline(createReadStream(path), response);
}

const server = createServer(async (request, response) => {
  try {
    if (request.method === "POST") await accept(request, response);
    else await send(/^\/results\/([\w-]+)$/.exec(request.url)[1], response);
  } catch (error) {
    if (!response.headersSent) response.writeHead(500);
    response.end(String(error));
  }
});
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");
ready({ port: server.address().port });
