/** The peers, each started as its documentation says. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { guardedByStdin, readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { descendants } from "../measuring/processor-time.ts";
import { call, formOf } from "./http-call.ts";
import { type System, suspension } from "./system.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const rembgPackages = ["rembg[cli]==2.0.86", "onnxruntime==1.30.0"];
const rembgStartMs = 180_000;
const installLimitMs = 900_000;

const pidsOf = (services: readonly { readonly pid: number }[]) =>
  services.flatMap(({ pid }) => [pid, ...descendants(pid)]);

export async function startRaw(weights: string): Promise<System> {
  const main = here("./raw-server-main.ts");
  const service = await startService({
    name: "raw",
    args: [main, weights],
    environment: process.env,
    waitForReady: readyLine,
  });
  const url = `http://127.0.0.1:${service.ready.port}/`;
  return {
    name: "raw onnxruntime-node",
    pids: () => pidsOf([service]),
    cutOut: async (photo) => () => call(url, { method: "POST", body: photo }),
    ...suspension([service]),
    stop: () => service.stop(),
  };
}

/** BullMQ's guide asks for Redis with an append-only file. */
export async function startBullmq(weights: string, folder: string): Promise<System> {
  install(
    "npm",
    ["ci", "--no-audit", "--no-fund", "--omit=peer", "--loglevel=error"],
    here("./bullmq"),
    "bullmq/node_modules",
  );
  const services: Service<unknown>[] = [];
  const stop = async () => {
    for (const service of services.toReversed()) await service.stop();
  };
  try {
    const redisFolder = join(folder, "redis");
    mkdirSync(redisFolder);
    const redisUrl = await onFreePorts(1, async ([port]) => {
      const flags = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", redisFolder];
      const redis = await startService({
        name: "redis-server",
        ...guardedByStdin("redis-server", ["--port", String(port), ...flags]),
        environment: process.env,
        waitForReady: ({ untilLine }) => untilLine((line) => line.includes("Ready to accept connections") || undefined),
      });
      services.push(redis);
      return `redis://127.0.0.1:${port}`;
    });
    const environment = { ...process.env, REDIS_URL: redisUrl, FOLDER: join(folder, "files"), WEIGHTS: weights };
    const start = async (...args: [file: string, ...stages: string[]]) => {
      const [file, ...stages] = args;
      const main = here(`./bullmq/${file}`);
      const service = await startService({ name: file, args: [main, ...stages], environment, waitForReady: readyLine });
      services.push(service);
      return service;
    };
    await start("worker.mjs", "prepare", "compose");
    await start("worker.mjs", "infer");
    const api = await start("api.mjs");
    const url = `http://127.0.0.1:${api.ready.port}`;
    return {
      name: "BullMQ pipeline",
      pids: () => pidsOf(services),
      cutOut: async (photo) => async () => {
        const answer = await call(`${url}/cut-outs`, { method: "POST", body: photo });
        return await call(url + (JSON.parse(answer.toString()) as { resultUrl: string }).resultUrl);
      },
      ...suspension(services),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `home` keeps the virtual environment from run to run. */
export async function startRembg(weights: string, folder: string, home: string): Promise<System> {
  const python = join(home, "bin", "python");
  if (!existsSync(join(home, "bin", "rembg"))) {
    process.stdout.write(`installing ${rembgPackages.join(", ")} into ${home} …\n`);
    install("python3", ["-m", "venv", home], folder);
    install(python, ["-m", "pip", "install", "--quiet", ...rembgPackages], folder);
  }
  const models = join(folder, "rembg");
  mkdirSync(models);
  copyFileSync(weights, join(models, "u2netp.onnx"));
  // The same weights from another export have another checksum.
  const settings = {
    U2NET_HOME: models,
    MODEL_CHECKSUM_DISABLED: "1",
    OMP_NUM_THREADS: String(availableParallelism()),
  };
  return await onFreePorts(1, async ([port]) => {
    const url = `http://127.0.0.1:${port}/api/remove`;
    const service = await startService({
      name: "rembg",
      ...guardedByStdin(join(home, "bin", "rembg"), [
        "s",
        "--host",
        "127.0.0.1",
        "--port",
        String(port),
        "--log_level",
        "warning",
        "--no-ui",
      ]),
      environment: { ...process.env, ...settings },
      readyTimeoutMs: rembgStartMs,
      waitForReady: ({ signal }) => untilAnswered(`http://127.0.0.1:${port}/api`, signal),
    });
    return {
      name: "rembg s",
      pids: () => pidsOf([service]),
      async cutOut(photo) {
        const form = await formOf(photo, "file", { model: "u2netp" });
        return () => call(url, { method: "POST", ...form });
      },
      ...suspension([service]),
      stop: () => service.stop(),
    };
  });
}

async function untilAnswered(url: string, signal: AbortSignal): Promise<true> {
  for (;;) {
    const isUp = await fetch(url, { signal }).then(
      () => true,
      () => false,
    );
    if (isUp) return true;
    await delay(250, undefined, { signal });
  }
}

/** Runs an installer, unless what it makes (relative to this folder) is there. */
function install(program: string, args: readonly string[], cwd: string, makes?: string): void {
  if (makes !== undefined && existsSync(here(`./${makes}`))) return;
  execFileSync(program, args, { cwd, timeout: installLimitMs, stdio: ["ignore", "ignore", "inherit"] });
}
