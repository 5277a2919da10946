/**
 * A node of a cluster: a nats-server, and on one of them the services, as a chart's pods have them. It says "node is up" when
 * all are ready. A node that has power again starts all of it without being told anything else.
 */
import { join } from "node:path";
import { findNatsServer, startNatsServer } from "../../cli/up/nats-server.ts";
import { nodeEnvironment, type ServiceName, serviceArguments } from "../../cli/up/services.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";

export interface NodePlan {
  readonly folder: string;
  readonly name: string;
  readonly port: number;
  readonly cluster: { readonly port: number; readonly routePorts: readonly number[] };
  /** Their environment; absent where a node has none. */
  readonly services?: Readonly<Record<string, string>>;
}

const { NODE_PLAN, PATH } = process.env;
const { folder, name, port, cluster, services } = JSON.parse(NODE_PLAN!) as NodePlan;

async function startNats(): Promise<void> {
  await startNatsServer({
    name,
    port,
    cluster,
    program: findNatsServer(process.env),
    folder: join(folder, "nats"),
    logPath: join(folder, "nats-server.log"),
    say: (line) => console.info(line),
  });
}

async function start(service: ServiceName): Promise<void> {
  await startService({
    name: service,
    args: serviceArguments(service),
    environment: { ...process.env, PATH, ...nodeEnvironment[service], ...services },
    logPath: join(folder, `${service}.log`),
    waitForReady: readyLine,
  });
}

const all = services === undefined ? [] : (["api", "webhooks", "modelServer", "worker"] as const);
await Promise.all([startNats(), ...all.map(start)]);
console.info("node is up");
