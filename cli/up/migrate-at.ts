import type { Settings } from "@packshot/platform/config/settings.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { stateStreamCounts } from "@packshot/log/nats/state-streams.ts";
import { type NatsPlace, withNats } from "./with-nats.ts";

export interface MigrateOptions extends NatsPlace {
  readonly settings: Pick<
    Settings,
    "PACKSHOT_NATS_REPLICAS" | "PACKSHOT_NATS_STATE_STREAMS" | "PACKSHOT_LOG_MAX_BYTES"
  >;
}

/** What was done, a sentence each. Rejects with a CommandError when no server answers or it refuses. */
export async function migrateAt({ settings, ...place }: MigrateOptions): Promise<string[]> {
  return await withNats("migrate", place, (connection) =>
    migrateLog(connection, {
      replicas: settings.PACKSHOT_NATS_REPLICAS,
      bytesMax: settings.PACKSHOT_LOG_MAX_BYTES,
      stateStreams: stateStreamCounts.find((count) => String(count) === settings.PACKSHOT_NATS_STATE_STREAMS),
    }),
  );
}
