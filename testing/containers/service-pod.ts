/**
 * The stack from the image, each process in a container of its own: read-only, without capabilities, and without a shell.
 * They share one network namespace that leads nowhere, so that it needs no bridge. Compose's networks, secrets and health checks are tried elsewhere.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { nodeEnvironment, nodeFlags, type ServiceName, serviceMains } from "../../cli/up/services.ts";
import type { Engine } from "./engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readyTimeoutMs = 120_000;
const hardening = ["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp"];
/** Debian's shells: whoever starts one is refused. */
const withoutShell = ["/usr/bin/dash", "/usr/bin/bash"].flatMap((shell) => ["--volume", `/dev/null:${shell}:ro`]);
/** Each has a port of its own for probes. */
const probePorts: Readonly<Record<ServiceName, number>> = {
  modelServer: 9091,
  worker: 9092,
  api: 9093,
  webhooks: 9094,
};

/** Prints when the probe first answered that the service is ready. */
const awaitReady = `
const [url, timeoutMs] = process.argv.slice(1);
const endsAtMs = Date.now() + Number(timeoutMs);
const look = async () => {
  const isReady = await fetch(url).then(({ ok }) => ok, () => false);
  if (isReady) return console.log(Date.now());
  if (Date.now() > endsAtMs) process.exit(1);
  setTimeout(look, 10);
};
look();`;

export interface Pod {
  /** From the engine's start of the container to the first probe that says ready. */
  readonly readyAfterMs: Readonly<Record<ServiceName, number>>;
  /** Runs Node in the container of a service. */
  node(service: ServiceName, args: readonly string[]): Promise<string>;
  /** An edit by `packshot try` in the API's container; resolves with what it printed. */
  tryEdit(): Promise<string>;
  logs(service: ServiceName): Promise<string>;
  /** Removes containers and volumes; resolves with the exit status of each service after SIGTERM. */
  stop(): Promise<Readonly<Record<ServiceName, number>>>;
}

function makeSettings(): Readonly<Record<ServiceName, Readonly<Record<string, string>>>> {
  const key = () => randomBytes(32).toString("hex");
  const ports = { PACKSHOT_API_PORT: "8080", PACKSHOT_ADMIN_PORT: "8081", PACKSHOT_ADMIN_URL: "http://127.0.0.1:8081" };
  const keys = { PACKSHOT_LINK_KEY: key(), PACKSHOT_MASTER_KEY: key() };
  return {
    modelServer: { PACKSHOT_MODEL_GRPC_PORT: "8001", PACKSHOT_MODEL_HTTP_PORT: String(probePorts.modelServer) },
    worker: { PACKSHOT_MODEL_SERVER: "127.0.0.1:8001", PACKSHOT_WORKER_SLOTS: "1" },
    api: { ...keys, PACKSHOT_ADMIN_TOKEN: key(), ...ports },
    webhooks: keys,
  };
}

const flagsOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);

export async function startPod(engine: Engine, image: string): Promise<Pod> {
  const name = `packshot-pod-${randomBytes(4).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  writeFileSync(join(folder, "users.conf"), "");
  const started: ServiceName[] = [];
  const nameOf = (service: string) => `${name}-${service}`;
  const settings = makeSettings();
  const beside = ["--network", `container:${nameOf("nats")}`, ...hardening];
  const common = {
    PACKSHOT_NATS_URL: "nats://127.0.0.1:4222",
    PACKSHOT_STORAGE_DIR: "/storage",
    PACKSHOT_PUBLIC_URL: "http://127.0.0.1:8080",
  };

  async function startNats(): Promise<void> {
    await engine.podman([
      ...["run", "--detach", "--name", nameOf("nats"), "--network", "none", ...hardening],
      ...["--volume", `${findNatsServer(process.env)}:/nats-server:ro`, "--volume", `${nameOf("log")}:/data:U`],
      ...["--volume", `${join(root, "deploy/compose/nats.conf")}:/etc/packshot/nats.conf:ro`],
      ...["--volume", `${join(folder, "users.conf")}:/etc/packshot/users/users.conf:ro`],
      ...["--entrypoint", "/nats-server", image, "--config", "/etc/packshot/nats.conf"],
    ]);
    const migrate = ["cli/packshot.ts", "migrate", "--wait", "60"];
    await engine.podman(["run", "--rm", ...beside, ...flagsOf(common), image, ...migrate]);
  }

  async function start(service: ServiceName): Promise<number> {
    const port = probePorts[service];
    const environment = { ...common, PACKSHOT_METRICS_PORT: String(port), ...settings[service] };
    const startedAtMs = Date.now();
    await engine.podman([
      ...["run", "--detach", "--name", nameOf(service), ...beside, ...withoutShell],
      ...["--volume", `${nameOf("photos")}:/storage:U`],
      ...flagsOf({ ...environment, ...nodeEnvironment[service] }),
      ...[image, ...nodeFlags[service], serviceMains[service]],
    ]);
    started.push(service);
    const probe = [`http://127.0.0.1:${port}/health/ready`, String(readyTimeoutMs)];
    const readyAtMs = await node(service, ["--eval", awaitReady, ...probe]).catch(async (error: Error) => {
      throw new Error(`${service} does not become ready: ${error.message}\n${await logs(service)}`);
    });
    return Number(readyAtMs) - startedAtMs;
  }

  const node = (service: ServiceName, args: readonly string[]) =>
    engine.podman(["exec", nameOf(service), "node", ...args]);
  const logs = (service: ServiceName) => engine.podman(["logs", "--tail", "50", nameOf(service)]);

  async function stop(): Promise<Record<ServiceName, number>> {
    const statuses: [string, number][] = [];
    for (const service of started.toReversed()) {
      await engine.podman(["stop", "--time", "60", nameOf(service)]);
      const status = await engine.podman(["inspect", "--format", "{{.State.ExitCode}}", nameOf(service)]);
      statuses.push([service, Number(status)]);
    }
    // Whose network the others have goes last.
    for (const service of [...Object.keys(probePorts), "nats"])
      await engine.podman(["rm", "--force", "--volumes", "--ignore", nameOf(service)]);
    await engine.podman(["volume", "rm", "--force", nameOf("log"), nameOf("photos")]);
    rmSync(folder, { recursive: true });
    return Object.fromEntries(statuses) as Record<ServiceName, number>;
  }

  try {
    await startNats();
    const readyAfterMs: Partial<Record<ServiceName, number>> = {};
    for (const service of Object.keys(probePorts) as ServiceName[]) readyAfterMs[service] = await start(service);
    const tryArguments = ["cli/packshot.ts", "try", "--api-url", "http://127.0.0.1:8080"];
    return {
      readyAfterMs: readyAfterMs as Record<ServiceName, number>,
      node,
      tryEdit: () => node("api", tryArguments),
      logs,
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}
