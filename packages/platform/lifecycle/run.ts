import { flushCompileCache } from "node:module";
import { constants } from "node:os";
import { pause } from "../flow/pause.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Component } from "./component.ts";

export interface Process {
  readonly name: string;
  /** In the order in which they start; they stop in reverse. */
  readonly components: readonly Component[];
  readonly logger: Logger;
  /** Added to the one line on stdout that says the process is ready: its addresses. */
  readonly ready: () => Readonly<Record<string, unknown>>;
  /** The launcher holds the other end of stdin: when the launcher dies, this process stops. */
  readonly stopWhenStdinCloses: boolean;
  /** The process ends by force when its components take longer. */
  readonly stopTimeoutMs: number;
  /** What precedes the stop where others send this process requests. */
  readonly drain?: Drain;
}

export interface Drain {
  /** The process says from here on that it is not ready. */
  readonly begin: () => void;
  /** How long it still takes requests, because balancers learn of it only after a while. */
  readonly durationMs: number;
}

/** The log died with the launcher: no work can be given back any more, and unfinished work is done again. */
const orphanStopTimeoutMs = 1_000;

export async function run(options: Process): Promise<void> {
  const { name, components, logger, ready, stopTimeoutMs, drain } = options;
  const started: Component[] = [];
  const endDrain = new AbortController();
  let isUp = false;
  let stopping: Promise<void> | undefined;
  let status = 0;
  let signals = 0;
  const ending = createEnding(logger);

  function stop(reason: string, exitCode: number): Promise<void> {
    // What goes wrong during a stop that was asked for is a failure all the same.
    status = Math.max(status, exitCode);
    stopping ??= (async () => {
      logger.info({ reason }, "stopping");
      drain?.begin();
      if (isUp) await pause(drain?.durationMs ?? 0, endDrain.signal);
      ending.endAfter(stopTimeoutMs);
      await stopInReverse(started, logger);
      ending.end(status);
    })();
    return stopping;
  }

  /** The first one asks; whoever sends a second one does not want to wait. */
  function onSignal(signal: "SIGTERM" | "SIGINT"): void {
    signals += 1;
    if (signals === 1) return void stop(signal, 0);
    logger.warn({ signal }, "a second signal: ending at once");
    process.exit(128 + constants.signals[signal]);
  }

  // On a full disk log lines are lost; the process goes on.
  process.stderr.on("error", () => {});
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  onStopRequest((reason) => void stop(reason, 1));
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });
  process.on("unhandledRejection", (error) => {
    logger.fatal({ err: error }, "unhandled rejection");
    endDrain.abort();
    void stop("unhandled rejection", 1);
  });
  if (options.stopWhenStdinCloses) {
    onLauncherGone(() => {
      // This runs also during another stop: the launcher may be killed while it stops its services.
      ending.orphan();
      ending.endAfter(orphanStopTimeoutMs);
      endDrain.abort();
      void stop("launcher gone", 0);
    });
  }

  try {
    for (const component of components) {
      await component.start();
      started.push(component);
    }
    isUp = true;
  } catch (error) {
    reportFailedStart({ name, logger }, error);
    return await stop("start failed", 1);
  }
  if (stopping === undefined) process.stdout.write(`${JSON.stringify({ msg: "ready", name, ...ready() })}\n`);
}

/** `process.exit` waits for threads that native code holds, an encoder's for minutes, and nobody waits for an orphan's status. */
function createEnding(logger: Logger) {
  let isOrphan = false;

  function end(exitCode: number): void {
    if (!isOrphan) process.exit(exitCode);
    // An exit would write the modules that V8 has compiled; a kill does not.
    flushCompileCache();
    process.kill(process.pid, "SIGKILL");
  }

  return {
    end,
    orphan(): void {
      isOrphan = true;
    },
    endAfter(timeoutMs: number): void {
      setTimeout(() => {
        logger.error({ timeoutMs }, "a component did not stop in time");
        end(1);
      }, timeoutMs).unref();
    },
  };
}

async function stopInReverse(started: readonly Component[], logger: Logger): Promise<void> {
  for (const component of started.toReversed()) {
    await component
      .stop()
      .catch((error: unknown) => logger.error({ err: error, component: component.name }, "stop failed"));
  }
}

/** In the log, and on stdout for the launcher. */
export function reportFailedStart({ name, logger }: Pick<Process, "name" | "logger">, error: unknown): void {
  logger.fatal({ err: error }, "start failed");
  const reason = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ msg: "failed", name, reason })}\n`);
}

/**
 * The launcher holds the other end of stdin, which closes when the launcher ends, however it does. Returns a function that
 * removes the listener.
 */
export function onLauncherGone(listener: () => void): () => void {
  process.stdin
    .on("error", () => {})
    .on("close", listener)
    .resume();
  return () => void process.stdin.off("close", listener);
}

/**
 * A process may find out by itself that only a new one can go on. `run` stops it then as for a signal, but it is no
 * signal: a second signal ends a process at once, and jobs that are being given back would be left.
 */

let requested: string | undefined;
let onRequest: ((reason: string) => void) | undefined;

/** Whoever runs this process starts it anew. */
export function requestStop(reason: string): void {
  if (requested !== undefined) return;
  requested = reason;
  onRequest?.(reason);
}

/** Calls `listener` once, also for a request that was made before. */
export function onStopRequest(listener: (reason: string) => void): void {
  onRequest = listener;
  if (requested !== undefined) listener(requested);
}
