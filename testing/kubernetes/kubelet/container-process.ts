/** One run of a container: a process in the pod's network and in mount, PID and UTS namespaces of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ContainerRoot, containerScript } from "./container-root.ts";

export interface ContainerStart {
  readonly root: ContainerRoot;
  readonly networkPath: string;
  readonly command: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly logPath: string;
}

export interface ContainerEnd {
  readonly exitCode: number;
}

export interface ContainerProcess {
  readonly ended: Promise<ContainerEnd>;
  signal(name: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Runs a command inside and resolves with its status; null when it takes longer than that. */
  execute(command: readonly string[], timeoutMs: number): Promise<number | null>;
}

const forkPauseMs = 5;
/** As container runtimes have them. */
const statuses = { notStarted: 128, killed: 137 } as const;

export function startContainerProcess({
  root,
  networkPath,
  command,
  environment,
  logPath,
}: ContainerStart): ContainerProcess {
  mkdirSync(dirname(logPath), { recursive: true });
  const log = openSync(logPath, "a");
  const inside = ["unshare", "--mount", "--pid", "--uts", "--fork", "--kill-child=SIGKILL"];
  const args = [`--net=${networkPath}`, "--", ...inside, "sh", "-c", containerScript(root), "sh", ...command];
  const env = Object.fromEntries(environment);
  const child = spawn("nsenter", args, { env, stdio: ["ignore", log, log] });
  closeSync(log);
  let isKilled = false;
  const ended = new Promise<ContainerEnd>((resolve) => {
    child.once("error", () => resolve({ exitCode: statuses.notStarted }));
    // unshare does not always tell by which signal its child ended.
    child.once("exit", (code) => resolve({ exitCode: isKilled ? statuses.killed : (code ?? statuses.killed) }));
  });

  /** The first process in the container; undefined after its end. nsenter has become unshare, which is its parent. */
  async function firstProcess(): Promise<number | undefined> {
    while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const path = `/proc/${child.pid}/task/${child.pid}/children`;
      const [pid] = (await readFile(path, "utf8").catch(() => "")).split(" ");
      if (pid) return Number(pid);
      await pause(forkPauseMs);
    }
    return undefined;
  }

  return {
    ended,
    async signal(name) {
      const pid = await firstProcess();
      if (pid === undefined) return;
      isKilled ||= name === "SIGKILL";
      try {
        process.kill(pid, name);
      } catch {
        // It has just ended.
      }
    },
    async execute(run, timeoutMs) {
      const pid = await firstProcess();
      if (pid === undefined) return 255;
      const target = [`--target=${pid}`, "--mount", "--net", "--pid", "--uts", "--root", `--wdns=${root.workingDir}`];
      const probe = spawn("nsenter", [...target, "--", ...run], {
        env,
        stdio: "ignore",
        timeout: timeoutMs,
        killSignal: "SIGKILL",
      });
      const [code] = (await once(probe, "exit").catch(() => [255])) as [number | null];
      return code;
    },
  };
}
