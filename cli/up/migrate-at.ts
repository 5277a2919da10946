import type { Settings } from "@packshot/platform/config/settings.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { findConnectionProblem } from "@packshot/platform/nats/connection-problem.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import type { NatsAccess } from "@packshot/platform/nats/nats-access.ts";
import { inboxPrefixOf } from "@packshot/platform/nats/permissions.ts";
import { stateStreamCounts } from "@packshot/platform/nats/state-streams.ts";
import { CommandError } from "../command-line/command.ts";

export interface MigrateOptions {
  readonly natsUrl: string;
  /** How nats-server knows the migration; absent where it lets everybody in. */
  readonly access?: NatsAccess;
  readonly settings: Pick<
    Settings,
    "PACKSHOT_NATS_REPLICAS" | "PACKSHOT_NATS_STATE_STREAMS" | "PACKSHOT_LOG_MAX_BYTES"
  >;
  readonly waitMs: number;
}

/** What was done, a sentence each. Rejects with a CommandError when no server answers or it refuses. */
export async function migrateAt({ natsUrl, access, settings, waitMs }: MigrateOptions): Promise<string[]> {
  const server = { url: natsUrl, name: "packshot-migrate", access, inboxPrefix: inboxPrefixOf("migrate") };
  const connecting = connectNats(server);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    const problem = await findConnectionProblem(server);
    late.reject(new CommandError(`no nats-server let the migration in for ${waitMs / 1000} s: ${problem}.`));
  }, waitMs);
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
