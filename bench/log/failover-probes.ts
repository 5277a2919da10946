/** Clients of the log that read, commit and transact all the time, as services do, and keep when each came through. */
import { setTimeout as delay } from "node:timers/promises";
import { subjects } from "@packshot/domain/subjects.ts";
import { connectLog } from "@packshot/log/connect-log.ts";
import type { Log } from "@packshot/log/log.ts";
import { createReadiness } from "@packshot/platform/lifecycle/readiness.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";

export const probeKinds = ["read", "commit", "transact"] as const;
export type ProbeKind = (typeof probeKinds)[number];

export interface Passed {
  readonly kind: ProbeKind;
  readonly client: number;
  readonly streamIndex: number;
  readonly endedAtMs: number;
}

export interface FailoverProbes {
  /** What came through since `forget`, in its order. */
  readonly passed: readonly Passed[];
  forget(): void;
  stop(): Promise<void>;
}

/** As long as a client has no answer, it asks about as often as the cluster test does. */
const pauseAfterMs = { success: 100, failure: 50 } as const;

/** One client for each address; it knows the others from its server. */
export async function startFailoverProbes(urls: readonly string[]): Promise<FailoverProbes> {
  const stopping = new AbortController();
  let passed: Passed[] = [];
  const clients = await Promise.all(urls.map(connectClient));

  async function probe(kind: ProbeKind, client: number, log: Log, streamIndex: number): Promise<void> {
    const subject = subjects.cursor(streamIndex, `failover-${kind}-${client}`);
    while (!stopping.signal.aborted) {
      const outcome = await acts[kind](log, subject).then(
        () => "success" as const,
        () => "failure" as const,
      );
      if (outcome === "success") passed.push({ kind, client, streamIndex, endedAtMs: performance.now() });
      await delay(pauseAfterMs[outcome]);
    }
  }

  const running = clients.flatMap(({ log }, client) =>
    probeKinds.flatMap((kind) => log.stateStreams.map(({ index }) => probe(kind, client, log, index))),
  );
  return {
    get passed() {
      return passed;
    },
    forget() {
      passed = [];
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
      for (const { components } of clients) for (const component of components.toReversed()) await component.stop();
    },
  };
}

async function connectClient(url: string) {
  const connected = await connectLog({
    url,
    name: "failover",
    streams: [],
    readiness: createReadiness(),
    observer: { batchAnswered() {}, committed() {} },
    logger: createLogger({ name: "failover", level: "silent" }),
  });
  for (const component of connected.components) await component.start();
  return connected;
}

const acts: Readonly<Record<ProbeKind, (log: Log, subject: string) => Promise<unknown>>> = {
  read: (log, subject) => log.read(subject),
  commit: (log, subject) => log.commit("bench", [{ subject, value: { v: 1 } }]),
  transact: (log, subject) =>
    log.transact("bench", async () => {
      const { sequence } = await log.read(subject);
      return { writes: [{ subject, value: { v: 1 }, expected: sequence }], result: undefined };
    }),
};
