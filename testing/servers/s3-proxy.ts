/** An HTTP proxy before an S3 server, for tests of what happens when it refuses, breaks off or is slow. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A response of its own in place of the server's; "break": the connection ends; "hang": nothing comes. */
export type S3Fault = { readonly status: number; readonly code: string } | "break" | "break-body" | "hang";

export interface S3Proxy {
  readonly url: string;
  /** As "PUT /photos/key?uploads"; in the order of their arrival. */
  readonly requests: readonly string[];
  /** For each request from now on; undefined: it is passed on. */
  setFault(fault: (request: string) => S3Fault | undefined): void;
  stop(): Promise<void>;
}

export async function startS3Proxy(target: string): Promise<S3Proxy> {
  const { hostname, port } = new URL(target);
  const requests: string[] = [];
  let faultFor: (request: string) => S3Fault | undefined = () => undefined;

  const server = createServer((incoming, response) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    const fault = faultFor(line);
    if (fault === "hang") return;
    if (fault === "break") {
      incoming.socket.destroy();
      return;
    }
    if (fault !== undefined && fault !== "break-body") {
      incoming.resume();
      response.writeHead(fault.status, { "Content-Type": "application/xml" });
      response.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>by the test</Message></Error>`);
      return;
    }
    // The name of the host is signed, so the headers stay as they are.
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode!, answer.headers);
      if (fault === "break-body") answer.once("data", () => incoming.socket.destroy());
      answer.pipe(response);
    });
    onward.on("error", () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setFault(fault) {
      faultFor = fault;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
