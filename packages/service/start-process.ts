/** How every process of the log starts: settings, telemetry and probes, then the connection to the log. */

import { createLogMetrics } from "@packshot/log/commit/group-commit.ts";
import { type ConnectLogDeps, connectLog } from "@packshot/log/connect-log.ts";
import type { Log } from "@packshot/log/log.ts";
import { readNatsAccess } from "@packshot/log/nats/nats-access.ts";
import { inboxPrefixOf, type NatsService } from "@packshot/log/operate/permissions.ts";
import { readStopTimes, type StopTimes } from "@packshot/platform/config/process-times.ts";
import { loadSettings, type SettingName, type Settings } from "@packshot/platform/config/settings.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { armFailpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { createMetricsServer } from "@packshot/platform/lifecycle/metrics-server.ts";
import { createReadiness, type Readiness, registerReadiness } from "@packshot/platform/lifecycle/readiness.ts";
import { onLauncherGone, reportFailedStart, run } from "@packshot/platform/lifecycle/run.ts";
import { createLogger, type Logger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics, type Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { startTracing } from "@packshot/platform/telemetry/start-tracing.ts";
import { createProcessHeartbeat } from "./process-heartbeat.ts";

export interface ProcessOptions extends Pick<ConnectLogDeps, "streams" | "followsEvents"> {
  readonly name: NatsService;
  /** Settings without a default that it cannot work without. */
  readonly needs?: readonly SettingName[];
  /** Others send it requests, so it takes them for a while after it was asked to stop. */
  readonly drains?: boolean;
  /** The version of a worker's pipeline, which its heartbeats name. */
  readonly pipeline?: string;
}

export interface StartedProcess {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly log: Log;
  readonly stopTimes: StopTimes;
  /** Runs the process's own components, which start after the probes and the log and stop before them. */
  run(own: OwnPart): Promise<void>;
}

interface OwnPart {
  readonly components: readonly Component[];
  /** Addresses for the ready line, in addition to that of the probes. */
  readonly ready?: () => Readonly<Record<string, unknown>>;
  /** The image model that a worker's model servers have now, which its heartbeats name. */
  readonly imageModel?: () => string | undefined;
  /** Live edits that a worker takes at once, which its heartbeats name. */
  readonly slots?: number;
}

/** Resolves when the log has answered, however long that takes. Until then the process does nothing but answer probes. */
export async function startProcess({
  name,
  needs,
  drains = false,
  pipeline,
  ...log
}: ProcessOptions): Promise<StartedProcess> {
  const settings = loadSettings(needs);
  const stopTimes = readStopTimes(settings);
  const logger = createLogger({ name, level: settings.PACKSHOT_LOG_LEVEL });
  if (settings.PACKSHOT_FAILPOINT !== undefined) armFailpoint(settings.PACKSHOT_FAILPOINT);
  const stopWhenStdinCloses = settings.PACKSHOT_PARENT_PIPE;
  // `run` takes over with the first component. There is nothing to stop or to give back before.
  const ignoreLauncher = stopWhenStdinCloses ? onLauncherGone(() => process.exit(0)) : () => {};
  const metrics = createMetrics(name);
  const tracing = await startTracing({ name, settings, registry: metrics.registry, logger });
  const readiness = createReadiness();
  registerReadiness(metrics.registry, readiness);
  const metricsServer = createMetricsServer(metrics, {
    host: settings.PACKSHOT_METRICS_HOST,
    port: settings.PACKSHOT_METRICS_PORT,
    readiness,
  });
  // Before the log answers: an orchestrator must see that the process lives and waits.
  await metricsServer.start();
  const connecting = async () =>
    await connectLog({
      url: settings.PACKSHOT_NATS_URL,
      name: `packshot-${name}`,
      access: readNatsAccess(settings),
      inboxPrefix: inboxPrefixOf(name),
      ...log,
      readiness,
      logger,
      observer: createLogMetrics(metrics.registry),
    });
  const connected = await connecting().catch((error: unknown) => {
    reportFailedStart({ name, logger }, error);
    process.exit(1);
  });

  return {
    settings,
    logger,
    metrics,
    readiness,
    log: connected.log,
    stopTimes,
    async run({ components, ready, imageModel, slots }) {
      const { connection } = connected.log;
      const heartbeat = createProcessHeartbeat({ connection, service: name, readiness, pipeline, slots, imageModel });
      ignoreLauncher();
      await run({
        name,
        components: [tracing, metricsServer, ...connected.components, heartbeat, ...components],
        logger,
        stopWhenStdinCloses,
        stopTimeoutMs: stopTimes.stopMs,
        drain: { begin: () => void readiness.stop(), durationMs: drains ? stopTimes.drainMs : 0 },
        ready: () => ({ ...ready?.(), metrics: metricsServer.address() }),
      });
    },
  };
}
