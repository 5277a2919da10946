/**
 * The worker's pause: after a fault of the infrastructure nothing is pulled, so that a full disk or a log that is out of
 * reach does not send the whole queue through the worker. The pause ends when a probe finds the part working, and each
 * further fault makes the next one longer until a job is done. The job is requeued and its attempt does not count. Where the
 * part works without the job (one unreadable file, a photo too large for the memory) the attempt counts and nothing pauses.
 * A result that is done while the log is down is recorded when it is back, up to the job's deadline.
 */
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Metrics } from "@packshot/platform/telemetry/metrics.ts";
import type { InfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import { Counter, Gauge } from "prom-client";

type Part = InfrastructureFault["part"];
/** Each rejects while its part does not work. */
export type Probes = Readonly<Record<Part, () => Promise<void>>>;

export interface WorkerPause extends Component {
  readonly isPaused: boolean;
  /**
   * Begins a pause and resolves with true where the part itself is at fault, so that the job is blameless. Resolves with
   * false where the part works without the job, which may then be the reason: a hostile photo must not pause a worker.
   */
  report(fault: InfrastructureFault, error: unknown): Promise<boolean>;
  /** Resolves when there is no pause, or when `signal` aborts. */
  wait(signal: AbortSignal): Promise<void>;
  /** A job is done: the next pause is short again. */
  recordSuccess(): void;
}

export interface WorkerPauseDeps {
  readonly probes: Probes;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly firstPauseMs?: number;
  readonly pauseMsMax?: number;
}

export function createWorkerPause(deps: WorkerPauseDeps): WorkerPause {
  const { probes, logger, firstPauseMs = 1_000, pauseMsMax = 30_000 } = deps;
  const { faults, paused } = createPauseMetrics(deps.metrics, Object.keys(probes));
  const stopping = new AbortController();
  let pausedBy: Part | undefined;
  let resumed = Promise.resolve();
  let pausesSinceSuccess = 0;

  async function works(part: Part): Promise<boolean> {
    return await probes[part]().then(
      () => true,
      () => false,
    );
  }

  async function resumeWhenItWorks(part: Part): Promise<void> {
    do {
      pausesSinceSuccess += 1;
      const pauseMs = jitteredBackoffMs(pausesSinceSuccess, { firstMs: firstPauseMs, maxMs: pauseMsMax });
      await pause(pauseMs, stopping.signal);
    } while (!stopping.signal.aborted && !(await works(part)));
    pausedBy = undefined;
    paused.set({ part }, 0);
    logger.info({ part }, "the worker pulls again");
  }

  return {
    name: "worker pause",
    get isPaused() {
      return pausedBy !== undefined;
    },

    async report({ part, isCertain }, error) {
      faults.inc({ part });
      if (!isCertain && (await works(part))) return false;
      if (pausedBy === undefined) {
        pausedBy = part;
        paused.set({ part }, 1);
        logger.error({ err: error, part }, `the worker is paused: nothing is pulled until the ${part} works again`);
        resumed = resumeWhenItWorks(part);
      }
      return true;
    },

    async wait(signal) {
      if (pausedBy === undefined) return;
      const aborted = Promise.withResolvers<void>();
      const onAbort = () => aborted.resolve();
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      await Promise.race([resumed, aborted.promise]);
      signal.removeEventListener("abort", onAbort);
    },

    recordSuccess() {
      if (pausedBy === undefined) pausesSinceSuccess = 0;
    },

    async start() {},
    async stop() {
      stopping.abort();
      await resumed;
    },
  };
}

/** As much as a result has; a smaller file would find room on a disk that has none for results. */
const probeBytes = 1024 * 1024;
/** One for all workers: what a killed one leaves is overwritten. */
const probeKey = "probes/worker";
/** What an edit of a photo of 12 MP takes. */
const probeMemoryBytes = 512 * 1024 * 1024;

export interface ProbesDeps {
  readonly storage: Storage;
  readonly log: Log;
  /** Rejects where no process starts that decodes. */
  readonly tryDecoder: () => Promise<void>;
}

export function createProbes({ storage, log, tryDecoder }: ProbesDeps): Probes {
  return {
    async storage() {
      await storage.write(probeKey, Buffer.alloc(probeBytes), { bytesMax: probeBytes });
      await storage.read(probeKey, { bytesMax: probeBytes });
      await storage.deletePrefix(probeKey);
    },
    async log() {
      await log.read(subjects.lease(0, "worker-probe"));
    },
    async memory() {
      new ArrayBuffer(probeMemoryBytes);
    },
    decoder: tryDecoder,
  };
}

function createPauseMetrics({ registry }: Metrics, parts: readonly string[]) {
  const common = { labelNames: ["part"], registers: [registry] };
  const metrics = {
    faults: new Counter({
      ...common,
      name: "packshot_worker_infrastructure_faults_total",
      help: "Faults of storage, log, memory and decoders that jobs met.",
    }),
    paused: new Gauge({
      ...common,
      name: "packshot_worker_paused",
      help: "1 while the worker pulls nothing because of a fault of this part.",
    }),
  };
  // A series that is not there looks like one that was lost.
  for (const part of parts) metrics.paused.set({ part }, 0);
  return metrics;
}
