/** A log for tests: all its streams on nats-servers of its own. */

import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import type { StateStreamCount } from "@packshot/log/nats/state-streams.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { startNats, type TestNats } from "../servers/nats.ts";

export interface TestLog extends Log {
  readonly nats: TestNats;
  stop(): Promise<void>;
}

export interface TestLogOptions {
  readonly stateStreams?: StateStreamCount;
  /** nats-servers, and replicas of each stream. */
  readonly cluster?: 1 | 3;
}

export async function startLog({ stateStreams = 1, cluster = 1 }: TestLogOptions = {}): Promise<TestLog> {
  const nats = await startNats({ cluster });
  const connection = await connectNats({ url: nats.url, name: "test" });
  await migrateLog(connection, { replicas: cluster, stateStreams });
  return {
    ...createLog(connection, { stateStreamCount: stateStreams }),
    nats,
    async stop() {
      await connection.close();
      await nats.stop();
    },
  };
}
