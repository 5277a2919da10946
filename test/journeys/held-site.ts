/** A site whose photos keep jobs open until a drill goes on. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Photos for jobs; those of `/held.jpg` come when they are released. */
export async function startHeldSite(photo: Buffer) {
  const held = new Set<ServerResponse>();
  let isReleased = false;
  const server = createServer((request, response) => {
    if (request.url === "/held.jpg" && !isReleased) held.add(response);
    else response.writeHead(200, { "content-type": "image/jpeg" }).end(photo);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    heldUrl: `http://${address}/held.jpg`,
    isHolding: () => held.size > 0,
    /** Who waits gets no photo, who asks again does. */
    release() {
      isReleased = true;
      for (const response of held) response.destroy();
    },
    stop: () => server.close(),
  };
}
