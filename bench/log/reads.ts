/** The reads that `list-reads.ts` measures: those of the API's routes and followers, by their own code. */

import { setTimeout } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { readUsage } from "../../services/api/features/accounts/accounts.ts";
import { listApiKeys } from "../../services/api/features/accounts/api-key-actions.ts";
import { createJobView, type JobView } from "../../services/api/features/jobs/job-view.ts";
import { createKeeper } from "../../services/api/features/jobs/keeper.ts";
import { createRepair } from "../../services/api/features/jobs/repair.ts";
import { listWebhooks } from "../../services/api/features/webhooks/webhook-actions.ts";
import { operator } from "../../testing/api/accounts.ts";
import { type ApiProcess, apiEnvironment, startApi } from "../../testing/api/api-processes.ts";
import { acceptTestJobs, endTestJob, openTestAccount } from "../../testing/log/accepted-jobs.ts";
import type { TestLog } from "../../testing/log/test-log.ts";

export interface Read {
  readonly name: string;
  /** Before nats-server is restarted. */
  readonly prepare?: () => Promise<void>;
  /** Not measured. */
  readonly afterRestart?: (log: Log) => Promise<void>;
  /** One step for each time that is measured. */
  readonly run: (log: Log) => AsyncIterable<{ readonly ms: number; readonly found: number }>;
  readonly end?: () => Promise<void>;
}

export interface ReadsDeps {
  readonly log: TestLog;
  readonly accounts: readonly string[];
  /** Accounts of each round. */
  readonly accountsMax: number;
  /** Jobs of one account. */
  readonly waiting: number;
  readonly storageDir: string;
}

const logger = createLogger({ name: "list-reads", level: "error" });
const nothingMs = 5_000;
const pollMs = 20;

export async function readsOf(deps: ReadsDeps): Promise<Read[]> {
  const realm = (accountId: string) => ({ realm: { accountId, live: true } }) as Parameters<typeof listWebhooks>[1];
  const accountDeps = (log: Log) => ({
    log,
    runExclusive: createKeyedMutex().runExclusive,
    cacheAccount: () => {},
    nowMs: Date.now,
  });
  const ofAccounts = (name: string, read: (log: Log, accountId: string) => Promise<readonly unknown[]>) =>
    listOfAccounts(deps, name, read);
  const names = (log: Log, accountId: string) => Array.fromAsync(listRecordSubjects(log, subjects.job(accountId, "*")));
  return [
    {
      name: "nothing, for the commits alone",
      async *run() {
        await setTimeout(nothingMs);
        yield { ms: 0, found: 0 };
      },
    },
    ofAccounts("keys of an account", (log, accountId) => listApiKeys(accountDeps(log), { accountId })),
    ofAccounts("webhooks of an account", (log, accountId) => listWebhooks(accountDeps(log), realm(accountId))),
    ofAccounts("usage of an account", async (log, accountId) => {
      const deps = { ...accountDeps(log), refunds: { settled: async () => false } };
      const { days } = await readUsage(deps, { accountId, from: "2000-01-01", to: "2100-01-01" });
      return days;
    }),
    ofAccounts("names of an account's jobs", names),
    repairRead(),
    await keeperRead(deps),
    ...apiReads(deps),
  ];
}

async function timed<T>(act: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAtMs = performance.now();
  const result = await act();
  return { ms: performance.now() - startedAtMs, result };
}

/** Other accounts in each round: their blocks are cold, but for those that accounts share. */
function listOfAccounts(
  { accounts, accountsMax }: ReadsDeps,
  name: string,
  read: (log: Log, accountId: string) => Promise<readonly unknown[]>,
): Read {
  let next = 0;
  return {
    name,
    async *run(log) {
      for (let i = 0; i < accountsMax; i++) {
        const accountId = accounts[next++ % accounts.length]!;
        const { ms, result } = await timed(() => read(log, accountId));
        yield { ms, found: result.length };
      }
    },
  };
}

/** The sweeps of a process whose job view has read all jobs: of all state streams, one after the other. */
function repairRead(): Read {
  const signal = new AbortController().signal;
  let view: JobView | undefined;
  return {
    name: "the repair sweep, six of them",
    async afterRestart(log) {
      view = createJobView({ log, logger, nowMs: Date.now });
      await view.start();
      while (view.lag() !== undefined) await setTimeout(pollMs);
    },
    async *run(log) {
      const deps = { log, logger, jobs: view!, retentionMs: 3_600_000 };
      const sweeps = log.stateStreams.map((stream) => createRepair(deps, stream));
      for (let i = 0; i < 6; i++) {
        let repaired = 0;
        const { ms } = await timed(async () => {
          for (const sweep of sweeps) repaired += await sweep(signal);
        });
        yield { ms, found: repaired };
      }
    },
    end: async () => await view?.stop(),
  };
}

/** A window's jobs end, and the keeper fills it from the jobs that wait. */
async function keeperRead({ log, waiting }: ReadsDeps): Promise<Read> {
  const concurrentJobs = 64;
  const limits = { concurrentJobs, maxQueuedJobs: 10_000_000 };
  const accountId = await openTestAccount(log, limits, 10_000_000);
  const jobs = await acceptTestJobs(log, accountId, waiting + concurrentJobs);
  let ended = 0;
  return {
    name: `the keeper, ${concurrentJobs} jobs of an account with ${waiting.toLocaleString("en")} waiting`,
    async prepare() {
      // The oldest run: those that the keeper promoted last are among them.
      for (const jobId of jobs.slice(ended, ended + concurrentJobs)) {
        await endTestJob(log, accountId, jobId, "completed", 3_600_000);
      }
      ended += concurrentJobs;
      // Copied before the restart, after which a copy takes seconds to go on.
      while ((await countEvents(log)) < ended) await setTimeout(pollMs);
    },
    async *run(reader) {
      const expected = waiting + concurrentJobs - ended;
      const keeper = createKeeper({ log: reader, logger });
      const { ms } = await timed(async () => {
        await keeper.start();
        for (;;) {
          const { value } = await reader.read<Account>(subjects.account(accountId));
          if (value!.running + value!.waiting <= expected) return;
          await setTimeout(pollMs);
        }
      });
      await keeper.stop();
      yield { ms, found: concurrentJobs };
    },
  };
}

async function countEvents({ connection, stateStreams }: Log): Promise<number> {
  const manager = await jetstreamManager(connection);
  const infos = await Promise.all(stateStreams.map(({ events }) => manager.streams.info(events)));
  return infos.reduce((sum, { state }) => sum + state.messages, 0);
}

async function untilReady({ metrics }: ApiProcess): Promise<void> {
  while (!(await fetch(`http://${metrics}/health/ready`)).ok) await setTimeout(pollMs);
}

/** A whole process: until it is ready, and then the first page of many accounts' jobs over HTTP. */
function apiReads({ log, accounts, accountsMax, storageDir }: ReadsDeps): Read[] {
  let api: ApiProcess | undefined;
  let next = 0;
  const start = async () => {
    const environment = apiEnvironment({ natsUrl: log.nats.url, storageDir });
    api = await startApi({ ...environment, PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: "http://127.0.0.1:1" });
    await untilReady(api);
    return api;
  };
  const stop = async () => {
    await api?.stop();
    api = undefined;
  };
  const keys: string[] = [];
  return [
    {
      name: "an API process, until it is ready",
      async *run() {
        const { ms } = await timed(start);
        yield { ms, found: 1 };
      },
      end: stop,
    },
    {
      name: "the first page of an account's jobs, over HTTP",
      async prepare() {
        const running = await start();
        keys.length = 0;
        for (let i = 0; i < accountsMax; i++) {
          const path = `/accounts/${accounts[next++ % accounts.length]}/keys`;
          const { body } = await operator(running, "POST", path, { name: "bench" });
          keys.push(String(body.key));
        }
      },
      afterRestart: () => untilReady(api!),
      async *run() {
        for (const key of keys) {
          const { ms, result } = await timed(async () => {
            const response = await fetch(`${api!.url}/v1/jobs?limit=20`, {
              headers: { Authorization: `Bearer ${key}` },
            });
            if (response.status !== 200) throw new Error(`GET /v1/jobs: ${response.status} ${await response.text()}`);
            return (await response.json()) as { data?: unknown[]; jobs?: unknown[] };
          });
          yield { ms, found: (result.data ?? result.jobs ?? []).length };
        }
      },
      end: stop,
    },
  ];
}
