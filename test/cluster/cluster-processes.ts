/** Every process that the chart runs, on one machine: each is killed and started again as an orchestrator does it. */
import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { nodeEnvironment, type ServiceName, serviceArguments, settingsForRestart } from "../../cli/up/services.ts";
import { type ReadyLine, readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { processEnvironment } from "../../testing/process-environment.ts";

export const roles = ["api", "modelServer", "worker", "webhooks"] as const satisfies readonly ServiceName[];
export type Role = (typeof roles)[number];

export interface ClusterProcesses {
  /** Addresses of the API processes that are up. */
  apis(): readonly string[];
  /** Addresses of their operator APIs. */
  admins(): readonly string[];
  /** As `kill -9`. Resolves when the process that is started in its place is ready. */
  kill(role: Role, index: number): Promise<void>;
  /** As a rolling update of each role by itself: SIGTERM, then another in its place. Resolves when all are ready. */
  replaceAll(update?: Update, which?: readonly Role[]): Promise<void>;
  /** Those that are up, with what each said when it was ready. */
  running(): readonly RunningProcess[];
  /** Processes that ended though nobody had ended them. */
  readonly crashes: readonly string[];
  /** What they said, warnings and worse, each with the name of its process. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

export interface RunningProcess {
  readonly role: Role;
  readonly pid: number;
  readonly ready: ReadyLine;
}

type Environment = Readonly<Record<string, string>>;

export interface Update {
  /** They go before those that all have in common. */
  readonly settings?: Environment;
  /** Where its source tree is; this one when absent. */
  readonly folder?: string | undefined;
}

export interface ClusterProcessesOptions {
  readonly counts: Readonly<Record<Role, number>>;
  /** Folder of the processes' log file. */
  readonly folder: string;
  readonly adminToken: string;
  readonly environmentOf: (role: Role) => Environment;
  /** Before the port of a model server's address. */
  readonly modelServerHost: string;
  /** What they run at first. */
  readonly firstly?: Update;
}

interface Member {
  readonly role: Role;
  readonly index: number;
  /** undefined while it starts. */
  service: Service<ReadyLine> | undefined;
  /** Fixes its ports, once it has some. */
  ports: Environment;
  /** The last one. */
  update: Update;
  isEnding: boolean;
}

export async function startClusterProcesses(options: ClusterProcessesOptions): Promise<ClusterProcesses> {
  const { counts, folder, adminToken } = options;
  const keys = { link: randomBytes(32).toString("hex"), master: randomBytes(32).toString("hex") };
  const crashes: string[] = [];
  const lines: string[] = [];
  const members = roles.flatMap((role) =>
    Array.from({ length: counts[role] }, (_, index): Member => {
      return { role, index, service: undefined, ports: {}, update: options.firstly ?? {}, isEnding: false };
    }),
  );
  const member = (role: Role, index: number) =>
    members.find((candidate) => candidate.role === role && candidate.index === index)!;

  function environmentOf({ role, index, ports, update }: Member): Record<string, string> {
    return {
      ...processEnvironment,
      PACKSHOT_LOG_LEVEL: "warn",
      PACKSHOT_API_PORT: "0",
      PACKSHOT_MODEL_GRPC_PORT: "0",
      PACKSHOT_MODEL_HTTP_PORT: "0",
      PACKSHOT_MODEL_THREADS: "1",
      PACKSHOT_LINK_KEY: keys.link,
      PACKSHOT_MASTER_KEY: keys.master,
      PACKSHOT_MODEL_SERVER: modelServerOf(index),
      ...nodeEnvironment[role],
      ...(role === "api" && { PACKSHOT_ADMIN_TOKEN: adminToken }),
      ...options.environmentOf(role),
      ...update.settings,
      ...ports,
    };
  }

  function modelServerOf(index: number): string {
    const { ports } = member("modelServer", index % counts.modelServer);
    return `${options.modelServerHost}:${ports.PACKSHOT_MODEL_GRPC_PORT ?? 0}`;
  }

  async function start(started: Member): Promise<void> {
    const { role, index, update } = started;
    const name = `${role}-${index}`;
    const service = await startService({
      name,
      args: serviceArguments(role, update.folder),
      environment: environmentOf(started),
      waitForReady: readyLine,
      onLine(line) {
        lines.push(`${name} ${line}`);
        appendFileSync(join(folder, "processes.log"), `${name} ${line}\n`);
      },
    });
    // A pod that is replaced has another address in a cluster; here it keeps the one that the others were told.
    Object.assign(started, { service, isEnding: false, ports: settingsForRestart(role, service.ready) });
    void service.ended.then((how) => {
      if (!started.isEnding) crashes.push(`${name} ${how}`);
    });
  }

  async function end(ended: Member, how: "kill" | "stop"): Promise<void> {
    const { role, index, service } = ended;
    if (service === undefined) throw new Error(`${role}-${index} is not up`);
    ended.isEnding = true;
    if (how === "kill") ended.service = undefined;
    await service[how]();
    ended.service = undefined;
  }

  const ofRole = (role: Role) => members.filter((one) => one.role === role);
  const startRole = (role: Role) => Promise.all(ofRole(role).map(start));
  /** Workers are told the addresses of the model servers. */
  const startAll = () =>
    Promise.all([startRole("api"), startRole("webhooks"), startRole("modelServer").then(() => startRole("worker"))]);
  const addresses = (field: string) =>
    members.flatMap(({ role, service }) =>
      role === "api" && service !== undefined ? [service.ready[field] as string] : [],
    );

  async function stop(): Promise<void> {
    for (const one of members) one.isEnding = true;
    await Promise.all(members.map(({ service }) => service?.stop()));
  }

  try {
    await startAll();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    apis: () => addresses("api"),
    admins: () => addresses("admin"),
    async kill(role, index) {
      const killed = member(role, index);
      await end(killed, "kill");
      await start(killed);
    },
    running: () =>
      members.flatMap(({ role, service }) =>
        service === undefined ? [] : [{ role, pid: service.pid, ready: service.ready }],
      ),
    async replaceAll(update = {}, which = roles) {
      const replaceOneByOne = async (role: Role) => {
        for (const each of ofRole(role)) {
          await end(each, "stop");
          await start(Object.assign(each, { update }));
        }
      };
      await Promise.all(which.map(replaceOneByOne));
    },
    crashes,
    lines,
    stop,
  };
}
