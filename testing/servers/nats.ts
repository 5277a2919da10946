/** Real nats-servers for tests: child processes on free ports with JetStream in folders of their own. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  findNatsServer,
  launchNatsServer,
  type NatsServer,
  type NatsServerOptions,
} from "../../cli/up/nats-server.ts";
import { onFreePorts } from "./free-ports.ts";

export interface TestNats {
  /** Comma-separated when there are several servers. */
  readonly url: string;
  /** In the order of their numbers; each is replaced when it is restarted. */
  readonly servers: readonly NatsServer[];
  /** Starts server `place` again on its port and store, after `kill` or `stop` of it (it is stopped if it runs). */
  restart(place?: number): Promise<void>;
  kill(place?: number): Promise<void>;
  /** Stops all and removes their folders. */
  stop(): Promise<void>;
}

export function natsServerProgram(): string {
  return findNatsServer({
    explicit: process.env.PACKSHOT_NATS_SERVER,
    searchPath: process.env.PATH ?? "",
    toolsFolder: fileURLToPath(new URL("../../.tools", import.meta.url)),
  });
}

export async function startNats({ cluster = 1 }: { cluster?: 1 | 3 } = {}): Promise<TestNats> {
  return await onFreePorts(cluster === 1 ? 0 : cluster, (routePorts) => startServers(cluster, routePorts));
}

async function startServers(cluster: 1 | 3, routePorts: readonly number[]): Promise<TestNats> {
  const program = natsServerProgram();
  const folder = await mkdtemp(join(tmpdir(), "packshot-nats-"));
  const plans: NatsServerOptions[] = Array.from({ length: cluster }, (_, place) => ({
    program,
    folder: join(folder, `server-${place + 1}`),
    port: 0,
    name: `packshot-${place + 1}`,
    logPath: join(folder, `server-${place + 1}.log`),
    ...(cluster > 1 && { cluster: { port: routePorts[place]!, routePorts } }),
  }));
  const launches = await Promise.allSettled(plans.map(launchNatsServer));
  const launched = launches.flatMap((launch) => (launch.status === "fulfilled" ? [launch.value] : []));
  const failed = launches.find((launch) => launch.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(launched.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
    throw failed.reason;
  }
  await Promise.all(launched.map((server) => server.healthy()));
  const servers: NatsServer[] = launched;

  return {
    url: servers.map((server) => server.url).join(","),
    servers,
    async restart(place = 0) {
      const before = servers[place]!;
      await before.stop();
      const server = await launchNatsServer({ ...plans[place]!, port: before.port });
      await server.healthy();
      servers[place] = server;
    },
    kill: (place = 0) => servers[place]!.kill(),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
