import { readSettings } from "@packshot/platform/config/settings.ts";
import { prepareBucket } from "@packshot/platform/storage/bucket.ts";
import { type Command, CommandError, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { migrateAt } from "./up/with-nats.ts";
import { natsPlaceOf } from "./up/with-nats.ts";
import { printLine } from "./command-line/print.ts";

const help = `packshot migrate: make the streams of the log, or bring them up to date.

  packshot migrate [--wait SECONDS]

  --wait SECONDS    how long to wait for nats-server (default 60)

The only step that makes or changes streams and durable consumers; every other
process waits until it was run. Run it before the first start, after each
update of Packshot, and after a change of PACKSHOT_NATS_REPLICAS or
PACKSHOT_LOG_MAX_BYTES. It can be repeated at any time and prints what it
changed. "packshot up" runs it at each start.

PACKSHOT_NATS_URL names the servers, PACKSHOT_NATS_REPLICAS the replicas of
each stream (unset: existing streams keep theirs), PACKSHOT_NATS_STATE_STREAMS
in how many streams a new log keeps its records (1 or 4),
PACKSHOT_LOG_MAX_BYTES what they may take on disk. Where nats-server has users,
this is one of its own, named by PACKSHOT_NATS_NKEY_SEED_FILE or another such
setting: no other user may make or change streams.

  PACKSHOT_NATS_REPLICAS=3 packshot migrate`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { wait: { type: "string", default: "60" } });
  if (positionals.length > 0)
    throw new CommandError(`unknown argument for migrate: "${positionals[0]}"; --help lists the options.`);
  const settings = readSettings(environment);
  const waitMs = wholeNumber("--wait", values.wait, 1, 3_600) * 1000;
  const done = await migrateAt({ ...natsPlaceOf(settings, waitMs), settings });
  done.push(...(await prepareBucket(settings).catch(refuse)));
  for (const line of done.length === 0 ? ["nothing to change"] : done) printLine(line);
  return 0;
}

function refuse(error: unknown): never {
  throw new CommandError(`the bucket of the storage could not be prepared: ${(error as Error).message}`);
}

export const migrate: Command = { summary: "make the log's streams, or bring them up to date", help, run };
