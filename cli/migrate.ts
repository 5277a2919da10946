import { type StateStreamCount, stateStreamCounts } from "@packshot/log/nats/state-streams.ts";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { prepareBucket } from "@packshot/platform/storage/bucket.ts";
import { type Command, CommandError, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printLine } from "./command-line/print.ts";
import { migrateAt, natsPlaceOf } from "./up/with-nats.ts";

const help = `packshot migrate: make the streams of the log, or bring them up to date.

  packshot migrate [--replicas N] [--state-streams N] [--wait SECONDS]

  --replicas N        of each stream, 1 to 5: 3 in a cluster (default: existing
                      streams keep theirs, new ones have 1)
  --state-streams N   in how many streams a new log keeps its records: 1, or 4
                      in a cluster; an existing log stays as it was made
  --wait SECONDS      how long to wait for nats-server (default 60)

The only step that makes or changes streams and durable consumers; every other
process waits until it was run. Run it before the first start, after each
update of Packshot, and after a change of PACKSHOT_LOG_MAX_BYTES, which says
what the streams may take on disk. It can be repeated at any time and prints
what it changed. "packshot up" runs it at each start. PACKSHOT_NATS_URL names
the servers. Where nats-server has users, one of them is for this command.

  packshot migrate --replicas 3`;

const flags = {
  wait: { type: "string", default: "60" },
  replicas: { type: "string" },
  "state-streams": { type: "string" },
} as const;

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, flags, 0);
  const settings = readSettings(environment);
  const waitMs = wholeNumber("--wait", values.wait, 1, 3_600) * 1000;
  const replicas = values.replicas === undefined ? 0 : wholeNumber("--replicas", values.replicas, 1, 5);
  const stateStreams = stateStreamsOf(values["state-streams"]);
  const done = await migrateAt({ ...natsPlaceOf(settings, waitMs), settings, replicas, stateStreams });
  done.push(...(await prepareBucket(settings).catch(refuse)));
  for (const line of done.length === 0 ? ["nothing to change"] : done) printLine(line);
  return 0;
}

function stateStreamsOf(value: string | undefined): StateStreamCount | undefined {
  if (value === undefined) return undefined;
  const count = stateStreamCounts.find((known) => String(known) === value);
  if (count === undefined)
    throw new CommandError(`--state-streams must be ${stateStreamCounts.join(" or ")}, not "${value}".`);
  return count;
}

function refuse(error: unknown): never {
  throw new CommandError(`the bucket of the storage could not be prepared: ${(error as Error).message}`);
}

export const migrate: Command = { summary: "make the log's streams, or bring them up to date", help, run };
