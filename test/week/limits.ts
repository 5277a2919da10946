/**
 * What a week in short is too short to fill. In ninety minutes no process ends more than some thousand jobs, and no log is written full:
 * what has a bound may still rise to it. Whatever rises otherwise is a leak, and so is a heap that does (its code and tables are not counted).
 */

/** What there is when the week ends. */
export interface Stored {
  /** Streams of the log. */
  readonly logs: number;
  /** Megabytes of their messages, counted once. */
  readonly log: number;
}

export interface Limit {
  readonly megabytes: number;
  readonly why: string;
}

/**
 * Megabytes at which one process of a kind levels off, with those that it has started, and an eighth: one of each kind was looked at for
 * 22,469 jobs, another for 9,251 (bench/results/2026-12-01/long-lives.md).
 */
const levels: Readonly<Record<string, number>> = { worker: 1_040, api: 415, webhooks: 218, modelServer: 263 };

const servers = 3;
/**
 * nats-server keeps the block that each log writes to in memory, in a buffer of 256 KB, 1, 4 or 8 MB, whatever has expired in it, and begins
 * another at 8 MB: three quarters of its heap after 700 jobs were these buffers. A heap may double until garbage is collected.
 */
const natsMemory = { without: 50, ofLog: 2 * 8 };
/**
 * On disk it keeps a full block until less than half of it is alive, the one that is written to until it has 8 MB, and of the servers'
 * agreement on a log one block of 4 MB more. Twelve logs of 8 MB in all, written anew twenty times, took 75 to 133 MB on three
 * servers.
 */
const natsDisk = { timesAlive: 2, ofLog: 8 + 4 };

/** @returns undefined for what must be flat */
export function limitOf(name: string, { logs, log }: Stored): Limit | undefined {
  if (name === "memory of nats-server, MB") {
    return { megabytes: natsMemory.without + natsMemory.ofLog * logs, why: `by the blocks of ${logs} logs` };
  }
  if (name === "disk of the nats-servers, MB") {
    const megabytes = servers * (natsDisk.timesAlive * log + natsDisk.ofLog * logs);
    return { megabytes, why: `by the blocks of ${logs} logs on ${servers} servers` };
  }
  const level = levels[/^memory of (\w+), MB$/.exec(name)?.[1] ?? ""];
  return level === undefined ? undefined : { megabytes: level, why: "as after 22,000 jobs of one process" };
}
