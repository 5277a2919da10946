import { readSettings } from "@packshot/platform/config/settings.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import { type Command, CommandError, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";

const help = `packshot migrate: make the streams of the log, or bring them up to date.

  packshot migrate [--wait SECONDS]

  --wait SECONDS          how long to wait for nats-server (default 60)

The only step that makes or changes streams and durable consumers; every other process waits until it was run. Run it
before the first start, after each update of Packshot, and after a change of PACKSHOT_NATS_REPLICAS. It can be repeated
at any time and prints what it changed. "packshot up" runs it at each start.

PACKSHOT_NATS_URL names the servers, PACKSHOT_NATS_REPLICAS the replicas of each stream (unset: existing streams keep
theirs).`;

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

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { wait: { type: "string", default: "60" } });
  if (positionals.length > 0)
    throw new CommandError(`unknown argument for migrate: "${positionals[0]}"; --help lists the options.`);
  const { PACKSHOT_NATS_URL: natsUrl, PACKSHOT_NATS_REPLICAS: replicas } = readSettings(environment);
  const waitMs = wholeNumber("--wait", values.wait, 1, 3_600) * 1000;
  const done = await migrateAt({ natsUrl, replicas, waitMs });
  for (const line of done.length === 0 ? ["nothing to change"] : done) process.stdout.write(`${line}\n`);
  return 0;
}

export const migrate: Command = { summary: "make the log's streams, or bring them up to date", help, run };
