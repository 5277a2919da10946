/** What `kubectl logs` reads: the API server asks a node for it. */

import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:https";
import { createCertificate } from "../../servers/certificates.ts";
import { gatewayAddress } from "../network/pod-network.ts";

/** The file with the output of a container's run; undefined where there was none. */
export type FindLog = (order: {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly isPrevious: boolean;
}) => string | undefined;

/** Resolves with its port. The API server does not check the certificate. */
export async function startLogsServer(findLog: FindLog): Promise<number> {
  const server = createServer(createCertificate({ names: ["kubelet"] }), (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "https://kubelet");
    const [, kind, namespace = "", pod = "", container = ""] = pathname.split("/");
    const isPrevious = searchParams.get("previous") === "true";
    const path = kind === "containerLogs" ? findLog({ namespace, pod, container, isPrevious }) : undefined;
    if (path === undefined || !existsSync(path)) return void response.writeHead(404).end("no such log\n");
    response.writeHead(200, { "content-type": "text/plain" });
    createReadStream(path).pipe(response);
  });
  server.listen(0, gatewayAddress);
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}
