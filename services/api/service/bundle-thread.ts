/**
 * Takes Scalar's script out of its package for Fastify, which has it whole, and compresses it. In a thread, because the
 * package holds those megabytes as a string as long as it is loaded.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { parentPort } from "node:worker_threads";
import { gzip } from "node:zlib";
import referencePlugin from "@scalar/fastify-api-reference";

const compress = promisify(gzip);

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: Reply) => unknown;
}

interface Reply {
  header(name: string, value: string): Reply;
  send(body: string): string;
}

/** The plugin registers routes; one of them sends the script. */
function scalarScript(): string {
  const routes: Route[] = [];
  const server = {
    initialConfig: {},
    log: { warn: () => {} },
    hasPlugin: () => false,
    route: (route: Route) => routes.push(route),
  };
  referencePlugin(server as never, { configuration: { url: "/openapi.json" } }, () => {});
  const reply: Reply = { header: () => reply, send: (body) => body };
  const script = routes.find(({ url }) => url.endsWith(".js"))?.handler(undefined, reply);
  if (typeof script !== "string") throw new Error("@scalar/fastify-api-reference has no script");
  return script;
}

const script = Buffer.from(scalarScript());
const hash = createHash("sha256").update(script).digest("hex").slice(0, 16);
parentPort!.postMessage({ hash, gzipped: await compress(script, { level: 9 }) });
