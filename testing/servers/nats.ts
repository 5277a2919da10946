/** Real nats-servers for tests: child processes on free ports with JetStream in folders of their own. */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer, type NatsServer, type NatsServerOptions, startNatsServer } from "../../cli/up/nats-server.ts";
import { onFreePorts } from "./free-ports.ts";
import { resume, suspend } from "./suspend.ts";

export interface TestNats {
  /** Comma-separated when there are several servers. */
  readonly url: string;
  /** Holds all servers' stores and logs. */
  readonly folder: string;
  /** In the order of their numbers; each is replaced when it is restarted. */
  readonly servers: readonly NatsServer[];
  /** Starts the server at `index` again on its port and store, after it was killed or stopped; stops it if it runs. */
  restart(index?: number): Promise<void>;
  kill(index?: number): Promise<void>;
  /** As a server that is moved to another machine: it stops, and starts again on its port with an empty disk. */
  move(index: number): Promise<void>;
  /** All of them lose their disks at the same time: there is no log any more. */
  moveAll(): Promise<void>;
  /** Each reads its configuration and its certificate again. */
  reload(): void;
  /** The programs themselves, in the order of their numbers. */
  pids(): readonly number[];
  /** The server keeps its connections and answers nothing. */
  pause(index?: number): Promise<void>;
  resume(index?: number): void;
  /** Stops all and removes their folders. */
  stop(): Promise<void>;
}

export interface TestNatsOptions extends Pick<NatsServerOptions, "tls" | "users"> {
  readonly cluster?: 1 | 3;
}

export async function startNats({ cluster = 1, ...access }: TestNatsOptions = {}): Promise<TestNats> {
  return await onFreePorts(cluster === 1 ? 0 : cluster, (routePorts) => startServers(cluster, routePorts, access));
}

async function startServers(
  cluster: 1 | 3,
  routePorts: readonly number[],
  access: Pick<NatsServerOptions, "tls" | "users">,
): Promise<TestNats> {
  const program = findNatsServer(process.env);
  const folder = await mkdtemp(join(tmpdir(), "packshot-nats-"));
  const plans: NatsServerOptions[] = Array.from({ length: cluster }, (_, index) => ({
    program,
    folder: join(folder, `server-${index + 1}`),
    port: 0,
    name: `packshot-${index + 1}`,
    logPath: join(folder, `server-${index + 1}.log`),
    ...access,
    ...(cluster > 1 && { cluster: { port: routePorts[index]!, routePorts } }),
  }));
  const servers = await startAll(plans).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });

  async function restart(index = 0): Promise<void> {
    const before = servers[index]!;
    await before.stop();
    servers[index] = await startNatsServer({ ...plans[index]!, port: before.port });
  }
  const pids = () => plans.map((plan) => Number(readFileSync(join(plan.folder, "nats-server.pid"), "utf8")));

  return {
    url: servers.map((server) => server.url).join(","),
    folder,
    servers,
    restart,
    async move(index) {
      await servers[index]!.stop();
      await rm(plans[index]!.folder, { recursive: true });
      await restart(index);
    },
    async moveAll() {
      await Promise.all(servers.map((server) => server.stop()));
      for (const plan of plans) await rm(plan.folder, { recursive: true });
      const again = await startAll(plans.map((plan, index) => ({ ...plan, port: servers[index]!.port })));
      servers.splice(0, servers.length, ...again);
    },
    reload: () => {
      for (const pid of pids()) process.kill(pid, "SIGHUP");
    },
    pids,
    kill: (index = 0) => servers[index]!.kill(),
    pause: (index = 0) => suspend(servers[index]!.pid),
    resume: (index = 0) => resume(servers[index]!.pid),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Together, because members of a cluster are ready only once they have found each other. Rejects with the first
 * failure.
 */
async function startAll(plans: readonly NatsServerOptions[]): Promise<NatsServer[]> {
  const giveUp = new AbortController();
  let firstFailure: unknown;
  const starts = plans.map((plan) =>
    startNatsServer({ ...plan, signal: giveUp.signal }).catch((error: unknown) => {
      firstFailure ??= error;
      giveUp.abort();
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(starts);
  const servers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  if (firstFailure === undefined) return servers;
  await Promise.all(servers.map((server) => server.stop()));
  throw firstFailure;
}
