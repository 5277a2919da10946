/**
 * A container from its first start to its end: started again when it ends, as the pod's restart policy says and later
 * each time, and stopped by its preStop hook, SIGTERM and, when its grace is over, SIGKILL.
 */
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LifecycleHandler, Pod } from "kubernetes-types/core/v1.d.ts";
import { apiTime } from "../api/api-time.ts";
import { type ContainerProcess, startContainerProcess } from "./container-process.ts";
import type { ContainerRoot, Mount } from "./container-root.ts";
import type { ContainerRecord } from "./container-state.ts";
import { PodConfigError } from "./environment.ts";
import { expandReferences } from "./expand-references.ts";
import { contentsOfImage, ImagePullError } from "./images.ts";
import { probeContainer } from "./probe-loop.ts";

/** Kubernetes waits 10 s before the second restart, and twice as long each time up to 5 minutes. Tests cannot. */
const backoffMsMin = 1_000;
const backoffMsMax = 10_000;
const hookTimeoutMs = 60_000;
const messageBytesMax = 4096;
const messageBytesFromLogMax = 2048;

export interface ContainerRunDeps {
  readonly pod: Pod;
  readonly record: ContainerRecord;
  readonly address: string;
  readonly networkPath: string;
  /** Logs and termination messages of this container lie there. */
  readonly folder: string;
  /** Rejects with a PodConfigError while something is missing. */
  readonly environment: () => Promise<ReadonlyMap<string, string>>;
  readonly root: (mounts: readonly Mount[]) => Promise<Omit<ContainerRoot, "workingDir">>;
  readonly restartPolicy: "Always" | "OnFailure" | "Never";
  /** The record has changed. */
  readonly onChange: () => void;
  readonly onEvent: (reason: string, message: string) => void;
}

export interface ContainerRun {
  /** Resolves when it has ended and is not started again. */
  readonly done: Promise<void>;
  /** Resolves when it has started, or ended before. */
  readonly started: Promise<void>;
  stop(graceMs: number): Promise<void>;
}

export const logPathOf = (folder: string, run: number): string => join(folder, `${run}.log`);

export function runContainer(deps: ContainerRunDeps): ContainerRun {
  const { pod, record, onChange, onEvent, restartPolicy } = deps;
  const { container } = record;
  const started = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let current: { readonly process: ContainerProcess; readonly stop: (graceMs: number) => Promise<void> } | undefined;

  async function start(): Promise<ContainerProcess> {
    const contents = contentsOfImage(container.image!);
    const environment = await deps.environment();
    const messagePath = join(deps.folder, `${record.restarts}.message`);
    await writeFile(messagePath, "");
    const at = container.terminationMessagePath ?? "/dev/termination-log";
    const expand = (words: readonly string[]) => words.map((word) => expandReferences(word, environment));
    const entrypoint = container.command ?? contents.entrypoint;
    const args = container.args ?? (container.command === undefined ? contents.command : []);
    const command = expand([...entrypoint, ...args]);
    // As the entry points of these images do: a first argument that is an option belongs to the server.
    if (entrypoint.length === 0 && command[0]?.startsWith("-")) command.unshift(...contents.command);
    return startContainerProcess({
      root: {
        ...(await deps.root([{ source: messagePath, at, readOnly: false }])),
        workingDir: container.workingDir ?? contents.workingDir,
      },
      networkPath: deps.networkPath,
      command,
      environment,
      logPath: logPathOf(deps.folder, record.restarts),
    });
  }

  /** Resolves when the process has ended, with its status in the record. */
  async function runOnce(process: ContainerProcess): Promise<number> {
    const startedAt = apiTime();
    const probing = new AbortController();
    let killed: string | undefined;
    const stop = async (graceMs: number) => {
      const killer = setTimeout(() => void process.signal("SIGKILL"), Math.max(graceMs, 1_000));
      await runHook(container.lifecycle?.preStop, process);
      await process.signal("SIGTERM");
      await process.ended;
      clearTimeout(killer);
    };
    current = { process, stop };
    Object.assign(record, { state: { running: { startedAt } }, isStarted: false, isReady: false });
    onChange();
    const listener = {
      onStarted() {
        record.isStarted = true;
        started.resolve();
        onChange();
      },
      onReady(isReady: boolean) {
        if (record.isReady === isReady) return;
        record.isReady = isReady;
        onChange();
      },
      onDead(reason: string) {
        killed = reason;
        onEvent("Killing", `Container ${container.name} failed ${reason}, will be restarted`);
        void stop((pod.spec!.terminationGracePeriodSeconds ?? 30) * 1000);
      },
      onFailure: (kind: string, reason: string) => onEvent("Unhealthy", `${kind} probe failed: ${reason}`),
    };
    const probes = probeContainer({ container, address: deps.address }, listener, probing.signal);
    const { exitCode } = await process.ended;
    probing.abort();
    await probes;
    const reason = exitCode === 0 && killed === undefined ? "Completed" : "Error";
    const message = await terminationMessage(deps, exitCode);
    const terminated = { exitCode, reason, startedAt, finishedAt: apiTime(), ...(message && { message }) };
    Object.assign(record, { state: { terminated }, isReady: false, isStarted: false });
    current = undefined;
    return exitCode;
  }

  async function waitFor(reason: string, message: string, ms: number): Promise<void> {
    const terminated = record.state.terminated;
    if (terminated !== undefined) record.lastState = { terminated };
    record.state = { waiting: { reason, message } };
    onEvent(reason === "CrashLoopBackOff" ? "BackOff" : "Failed", message);
    onChange();
    await pause(ms, undefined, { signal: stopping.signal }).catch(() => {});
  }

  async function run(): Promise<void> {
    let backoffMs = 0;
    while (!stopping.signal.aborted) {
      try {
        const process = await start();
        if (stopping.signal.aborted) await process.signal("SIGKILL");
        const exitCode = await runOnce(process);
        onChange();
        if (restartPolicy === "Never" || (restartPolicy === "OnFailure" && exitCode === 0)) break;
        if (stopping.signal.aborted) break;
        const message = `back-off ${backoffMs / 1000}s restarting failed container=${container.name} pod=${pod.metadata!.name}`;
        await waitFor("CrashLoopBackOff", message, backoffMs);
        backoffMs = Math.min(Math.max(backoffMs * 2, backoffMsMin), backoffMsMax);
        if (!stopping.signal.aborted) record.restarts += 1;
      } catch (error) {
        if (error instanceof ImagePullError) await waitFor("ImagePullBackOff", error.message, backoffMsMin);
        else if (error instanceof PodConfigError)
          await waitFor("CreateContainerConfigError", error.message, backoffMsMin);
        else throw error;
      }
    }
  }

  const done = run().finally(started.resolve);
  return {
    done,
    started: started.promise,
    async stop(graceMs) {
      stopping.abort();
      await current?.stop(graceMs);
      await done;
    },
  };
}

async function runHook(hook: LifecycleHandler | undefined, process: ContainerProcess): Promise<void> {
  if (hook === undefined) return;
  if (hook.exec === undefined) throw new Error("this kubelet knows hooks that run a command only");
  // A container that ends by itself does not wait for its hook.
  await Promise.race([process.execute(hook.exec.command!, hookTimeoutMs), process.ended]);
}

/** What the container wrote for its operator; or the end of its log, when it failed and its policy says so. */
async function terminationMessage({ folder, record }: ContainerRunDeps, exitCode: number): Promise<string> {
  const written = await readFile(join(folder, `${record.restarts}.message`), "utf8");
  if (written !== "") return written.slice(-messageBytesMax);
  if (exitCode === 0 || record.container.terminationMessagePolicy !== "FallbackToLogsOnError") return "";
  const file = await open(logPathOf(folder, record.restarts));
  try {
    const { size } = await file.stat();
    const length = Math.min(size, messageBytesFromLogMax);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await file.close();
  }
}
