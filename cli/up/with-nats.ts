import { connectNats, findConnectionProblem } from "@packshot/log/nats/connection.ts";
import { type NatsAccess, readNatsAccess } from "@packshot/log/nats/nats-access.ts";
import type { StateStreamCount } from "@packshot/log/nats/state-streams.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { inboxPrefixOf } from "@packshot/log/operate/permissions.ts";
import type { Settings } from "@packshot/platform/config/settings.ts";
import { CommandError } from "../command-line/command.ts";

export interface NatsPlace {
  readonly natsUrl: string;
  /** How nats-server knows who this is; absent where it lets everybody in. */
  readonly access?: NatsAccess;
  readonly waitMs: number;
}

type Connection = Awaited<ReturnType<typeof connectNats>>;

const nameOf = { migrate: "the migration", backup: "the backup", restore: "the restore" } as const;

export function natsPlaceOf(settings: Settings, waitMs: number): NatsPlace {
  return { natsUrl: settings.PACKSHOT_NATS_URL, access: readNatsAccess(settings), waitMs };
}

/**
 * Connects as the user for this task (a restore is done by that of backups), and closes the connection in the end. Rejects
 * with a CommandError when no server lets it in, or `use` fails.
 */
export async function withNats<T>(
  task: keyof typeof nameOf,
  { natsUrl, access, waitMs }: NatsPlace,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const user = task === "restore" ? "backup" : task;
  const server = { url: natsUrl, name: `packshot-${user}`, access, inboxPrefix: inboxPrefixOf(user) };
  const connecting = connectNats(server);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    const problem = await findConnectionProblem(server);
    late.reject(new CommandError(`no nats-server let ${nameOf[task]} in for ${waitMs / 1000} s: ${problem}.`));
  }, waitMs);
  try {
    const connection = await Promise.race([connecting, late.promise]);
    clearTimeout(timer);
    return await use(connection);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${nameOf[task]} failed: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    void connecting.then((connection) => connection.close());
  }
}

export interface MigrateOptions extends NatsPlace {
  readonly settings: Pick<Settings, "PACKSHOT_LOG_MAX_BYTES">;
  /** Replicas of each stream. 0: existing streams keep theirs, and new ones have 1. */
  readonly replicas?: number;
  /** How many a new log gets. */
  readonly stateStreams?: StateStreamCount | undefined;
}

/** What was done, a sentence each. Rejects with a CommandError when no server answers or it refuses. */
export async function migrateAt({ settings, replicas = 0, stateStreams, ...place }: MigrateOptions): Promise<string[]> {
  return await withNats("migrate", place, (connection) =>
    migrateLog(connection, { replicas, bytesMax: settings.PACKSHOT_LOG_MAX_BYTES, stateStreams }),
  );
}
