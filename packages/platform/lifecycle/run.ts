import type { Logger } from "../telemetry/logger.ts";
import type { Component } from "./component.ts";
import { onLauncherGone } from "./parent-pipe.ts";

export interface Process {
  readonly name: string;
  /** In the order in which they start; they stop in reverse. */
  readonly components: readonly Component[];
  readonly logger: Logger;
  /** Added to the one line on stdout that says the process is ready: its addresses. */
  readonly ready: () => Readonly<Record<string, unknown>>;
  /** The launcher holds the other end of stdin: when the launcher dies, this process stops. */
  readonly stopWhenStdinCloses: boolean;
}

const stopTimeoutMs = 40_000;
/** The log died with the launcher: no work can be given back any more, and unfinished work is done again. */
const orphanStopTimeoutMs = 3_000;

export async function run({ name, components, logger, ready, stopWhenStdinCloses }: Process): Promise<void> {
  const started: Component[] = [];
  let stopping: Promise<void> | undefined;

  function exitAfter(timeoutMs: number): void {
    setTimeout(() => {
      logger.error({ timeoutMs }, "a component did not stop in time");
      process.exit(1);
    }, timeoutMs).unref();
  }

  function stop(reason: string, exitCode: number): Promise<void> {
    stopping ??= (async () => {
      logger.info({ reason }, "stopping");
      exitAfter(stopTimeoutMs);
      for (const component of started.reverse()) {
        await component
          .stop()
          .catch((error: unknown) => logger.error({ err: error, component: component.name }, "stop failed"));
      }
      process.exit(exitCode);
    })();
    return stopping;
  }

  // On a full disk log lines are lost; the process goes on.
  process.stderr.on("error", () => {});
  process.once("SIGTERM", () => void stop("SIGTERM", 0));
  process.once("SIGINT", () => void stop("SIGINT", 0));
  process.on("unhandledRejection", (error) => {
    logger.fatal({ err: error }, "unhandled rejection");
    void stop("unhandled rejection", 1);
  });
  if (stopWhenStdinCloses) {
    onLauncherGone(() => {
      // This runs also during another stop: the launcher may be killed while it stops its services.
      exitAfter(orphanStopTimeoutMs);
      void stop("launcher gone", 0);
    });
  }

  try {
    for (const component of components) {
      await component.start();
      started.push(component);
    }
  } catch (error) {
    reportFailedStart({ name, logger }, error);
    return await stop("start failed", 1);
  }
  if (stopping === undefined) process.stdout.write(`${JSON.stringify({ msg: "ready", name, ...ready() })}\n`);
}

/** In the log, and on stdout for the launcher. */
export function reportFailedStart({ name, logger }: Pick<Process, "name" | "logger">, error: unknown): void {
  logger.fatal({ err: error }, "start failed");
  const reason = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ msg: "failed", name, reason })}\n`);
}
