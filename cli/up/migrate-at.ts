import { connectNats } from "@packshot/platform/nats/connection.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import { CommandError } from "../command-line/command.ts";

export interface MigrateOptions {
  readonly natsUrl: string;
  readonly replicas: number;
  readonly waitMs: number;
}

/** What was done, a sentence each. Rejects with a CommandError when no server answers or it refuses. */
export async function migrateAt({ natsUrl, replicas, waitMs }: MigrateOptions): Promise<string[]> {
  const connecting = connectNats({ url: natsUrl, name: "packshot-migrate" });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new CommandError(`no nats-server answered in ${waitMs / 1000} s.`)),
    waitMs,
  );
  try {
    const connection = await Promise.race([connecting, late.promise]);
    return await migrateLog(connection, { replicas });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`the log could not be migrated: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    void connecting.then((connection) => connection.close());
  }
}
