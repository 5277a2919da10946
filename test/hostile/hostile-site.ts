/** A web server from which photos may be fetched, and which answers as none should. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { sitePages } from "./address-attacks.ts";

export interface HostileSite {
  readonly address: string;
  readonly url: string;
  stop(): Promise<void>;
}

const tooLargeBytes = 200 * 1024 * 1024;

export async function startHostileSite(photo: Buffer): Promise<HostileSite> {
  const redirect =
    (location: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(302, { location }).end();
  const pages: Readonly<Record<(typeof sitePages)[number] | "/photo.jpg", RequestListener>> = {
    "/photo.jpg": (_request, response) => response.end(photo),
    "/missing": (_request, response) => response.writeHead(404).end(),
    "/inside": redirect("http://10.0.0.1/secret"),
    "/metadata": redirect("http://169.254.169.254/latest/meta-data/"),
    "/ring": redirect("/ring"),
    "/page": (_request, response) => response.setHeader("Content-Type", "image/jpeg").end("<html>no photo</html>"),
    "/short": (_request, response) => {
      response.writeHead(200, { "Content-Length": photo.length }).write(photo.subarray(0, 100));
      response.destroy();
    },
    "/packed": (_request, response) =>
      response.setHeader("Content-Encoding", "gzip").end(gzipSync(Buffer.alloc(4 * 1024 * 1024))),
    "/empty": (_request, response) => response.end(),
    "/large": (_request, response) => void response.writeHead(200, { "Content-Length": tooLargeBytes }).write("x"),
    "/slow": (_request, response) => void response.writeHead(200).write(photo.subarray(0, 100)),
  };
  const server = createServer((request, response) => {
    const page = pages[request.url as keyof typeof pages] ?? pages["/missing"];
    page(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    url: `http://${address}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
