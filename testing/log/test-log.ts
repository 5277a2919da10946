/** A log for tests: all its streams on a nats-server of its own. */
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { createLog, type Log } from "@packshot/platform/nats/log.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import { startNats, type TestNats } from "../servers/nats.ts";

export interface TestLog extends Log {
  readonly nats: TestNats;
  stop(): Promise<void>;
}

export async function startLog(): Promise<TestLog> {
  const nats = await startNats();
  const connection = await connectNats({ url: nats.url, name: "test" });
  await migrateLog(connection, { replicas: 1 });
  return {
    ...createLog(connection),
    nats,
    async stop() {
      await connection.close();
      await nats.stop();
    },
  };
}
