import type { Settings } from "@packshot/platform/config/settings.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import { stateStreamCounts } from "@packshot/platform/nats/state-streams.ts";
import { CommandError } from "../command-line/command.ts";

export interface MigrateOptions {
  readonly natsUrl: string;
  readonly settings: Pick<
    Settings,
    "PACKSHOT_NATS_REPLICAS" | "PACKSHOT_NATS_STATE_STREAMS" | "PACKSHOT_LOG_MAX_BYTES"
  >;
  readonly waitMs: number;
}

/** What was done, a sentence each. Rejects with a CommandError when no server answers or it refuses. */
export async function migrateAt({ natsUrl, settings, waitMs }: MigrateOptions): Promise<string[]> {
  const connecting = connectNats({ url: natsUrl, name: "packshot-migrate" });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new CommandError(`no nats-server answered in ${waitMs / 1000} s.`)),
    waitMs,
  );
  try {
    const connection = await Promise.race([connecting, late.promise]);
    return await migrateLog(connection, {
      replicas: settings.PACKSHOT_NATS_REPLICAS,
      bytesMax: settings.PACKSHOT_LOG_MAX_BYTES,
      stateStreams: stateStreamCounts.find((count) => String(count) === settings.PACKSHOT_NATS_STATE_STREAMS),
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`the log could not be migrated: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    void connecting.then((connection) => connection.close());
  }
}
