/** deploy/compose/compose.yaml as it is, run by Docker's Compose on podman's socket. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pause } from "@packshot/platform/flow/pause.ts";
import { findProgram } from "../programs.ts";
import type { Engine } from "./engine.ts";
import { runHealthChecks } from "./health-checks.ts";

const composeFile = fileURLToPath(new URL("../../deploy/compose/compose.yaml", import.meta.url));
const socketTimeoutMs = 60_000;
const healthTimeoutMs = 180_000;
const pollMs = 200;
const composeTimeoutMs = 300_000;

export const composeServices = ["nats", "redis", "model-server", "worker", "api", "webhooks"] as const;
export type ComposeService = (typeof composeServices)[number];

export interface ComposeImages {
  readonly packshot: string;
  readonly nats: string;
  readonly valkey: string;
}

/** What podman says of a container, as far as tests look at it. */
export interface ContainerState {
  readonly Image: string;
  readonly EffectiveCaps: readonly string[] | null;
  readonly RestartCount: number;
  readonly Config: { readonly User: string };
  readonly State: {
    readonly Pid: number;
    readonly Status: string;
    readonly ExitCode: number;
    readonly Health?: { readonly Status: string };
  };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly SecurityOpt: readonly string[];
    readonly Memory: number;
    readonly NanoCpus: number;
    readonly RestartPolicy: { readonly Name: string };
  };
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, object>> };
}

export interface ComposeStack {
  readonly apiUrl: string;
  /** An address of this machine that containers of the network `outside` reach, with a port that webhooks may go to. */
  readonly webhookAddress: { readonly host: string; readonly port: number };
  /** Prefix of the names of networks and volumes. */
  readonly project: string;
  /** Resolves when all is healthy. */
  up(images: ComposeImages): Promise<void>;
  exec(service: ComposeService, command: readonly string[]): Promise<string>;
  inspect(service: ComposeService | "secrets" | "migrate"): Promise<ContainerState>;
  /** Ends the first process of the container by SIGKILL, as a crash would. */
  kill(service: ComposeService): Promise<void>;
  /** Resolves when another process runs than the one given, and its check says that it is healthy. */
  untilHealthyAgain(service: ComposeService, pidBefore: number): Promise<void>;
  logs(): Promise<string>;
  /** Removes containers, networks and volumes. */
  stop(): Promise<void>;
}

async function startSocket(engine: Engine, folder: string): Promise<{ url: string; process: ChildProcess }> {
  const path = join(folder, "podman.sock");
  const url = `unix://${path}`;
  const env = engine.environment;
  const service = spawn("podman", ["system", "service", "--time", "0", url], { env, stdio: "ignore" });
  const endsAtMs = performance.now() + socketTimeoutMs;
  while (!existsSync(path)) {
    if (performance.now() > endsAtMs || service.exitCode !== null) throw new Error("podman's service does not start");
    await pause(pollMs, new AbortController().signal);
  }
  return { url, process: service };
}

/** A network whose gateway is known before it is made, so that webhooks may be sent to it. */
function overrides(subnet: string, webhookHost: string): string {
  const allowed = { environment: { PACKSHOT_ALLOW_WEBHOOKS: webhookHost } };
  return JSON.stringify({
    services: { api: allowed, webhooks: allowed },
    networks: { outside: { ipam: { config: [{ subnet: `${subnet}.0/24` }] } } },
  });
}

export async function createComposeStack(
  engine: Engine,
  ports: { api: number; webhooks: number },
): Promise<ComposeStack> {
  const program = findProgram("docker-compose");
  if (program === undefined) throw new Error("docker-compose is missing: node scripts/setup.mjs compose builds it");
  const folder = mkdtempSync(join(tmpdir(), "packshot-compose-"));
  const project = `packshot-test-${randomBytes(4).toString("hex")}`;
  const subnet = `10.${randomInt(200, 250)}.${randomInt(1, 250)}`;
  const webhookAddress = { host: `${subnet}.1`, port: ports.webhooks };
  const overrideFile = join(folder, "override.json");
  writeFileSync(overrideFile, overrides(subnet, `${webhookAddress.host}:${webhookAddress.port}`));
  const { url, process: socket } = await startSocket(engine, folder);
  const stopChecks = runHealthChecks(engine, `com.docker.compose.project=${project}`);
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  let images: ComposeImages | undefined;

  const compose = (args: readonly string[]) => {
    const settings = {
      DOCKER_HOST: url,
      PACKSHOT_IMAGE: images!.packshot,
      NATS_IMAGE: images!.nats,
      REDIS_IMAGE: images!.valkey,
      PACKSHOT_LISTEN: `127.0.0.1:${ports.api}`,
      PACKSHOT_PUBLIC_URL: apiUrl,
    };
    const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const files = ["--project-name", project, "--file", composeFile, "--file", overrideFile];
    return engine.run("env", [...assignments, program, ...files, ...args], { timeoutMs: composeTimeoutMs });
  };
  const nameOf = (service: string) => `${project}-${service}-1`;
  const inspect: ComposeStack["inspect"] = async (service) =>
    (JSON.parse(await engine.podman(["inspect", "--type", "container", nameOf(service)])) as ContainerState[])[0]!;

  return {
    apiUrl,
    webhookAddress,
    project,
    async up(wanted) {
      images = wanted;
      await compose(["up", "--detach", "--wait", "--wait-timeout", "240"]);
    },
    exec: (service, command) => engine.podman(["exec", nameOf(service), ...command]),
    inspect,
    async kill(service) {
      process.kill((await inspect(service)).State.Pid, "SIGKILL");
    },
    async untilHealthyAgain(service, pidBefore) {
      const endsAtMs = performance.now() + healthTimeoutMs;
      for (;;) {
        const { State } = await inspect(service);
        if (State.Status === "running" && State.Pid !== pidBefore && State.Health?.Status === "healthy") return;
        if (performance.now() > endsAtMs)
          throw new Error(
            `${service} is not healthy again: ${JSON.stringify(State)}\n${await compose(["logs", service])}`,
          );
        await pause(pollMs, new AbortController().signal);
      }
    },
    logs: () => compose(["logs", "--tail", "20"]),
    async stop() {
      try {
        if (images !== undefined) await compose(["down", "--volumes", "--timeout", "20"]);
      } finally {
        await stopChecks();
        socket.kill();
        rmSync(folder, { recursive: true });
      }
    },
  };
}
