/** How long commits take while something else goes on: starts `commit-probe-main.ts` and asks it. */
import { fileURLToPath } from "node:url";
import type { NatsConnection } from "@nats-io/transport-node";
import { readyLine, startService } from "../../cli/up/start-service.ts";

export const probeSubject = "ps-bench.commits";
const answerTimeoutMs = 60_000;

/** Commits since the question before. */
export interface CommitTimes {
  readonly commits: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly over50Ms: number;
}

export interface CommitProbe {
  times(connection: NatsConnection): Promise<CommitTimes>;
  stop(): Promise<void>;
}

export async function startCommitProbe(url: string): Promise<CommitProbe> {
  const { stop } = await startService({
    name: "commit probe",
    args: [fileURLToPath(new URL("commit-probe-main.ts", import.meta.url)), "--url", url],
    environment: { PATH: process.env.PATH },
    waitForReady: readyLine,
  });
  return {
    async times(connection) {
      return (await connection.request(probeSubject, "", { timeout: answerTimeoutMs })).json<CommitTimes>();
    },
    stop,
  };
}
