/**
 * Raw onnxruntime-node behind HTTP: one process, no queue, nothing stored beyond the answer. What a prototype looks like,
 * and a floor for the others' cost. Arguments: the network's file.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { compose, openNetwork, prepare } from "./cut-out.ts";

const network = await openNetwork(process.argv[2]!);
const server = createServer(async (request, response) => {
  try {
    const photo = await buffer(request);
    const png = await compose(photo, await network.run(await prepare(photo)));
    response.writeHead(200, { "Content-Type": "image/png", "Content-Length": png.length }).end(png);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdin.resume().on("end", () => process.exit(0));
process.stdout.write(`${JSON.stringify({ msg: "ready", port: (server.address() as AddressInfo).port })}\n`);
