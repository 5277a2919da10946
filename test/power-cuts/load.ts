/** The load under which power is cut: the operations of the exactness run, and a client that remembers files. */
import { readyWrite } from "@packshot/domain/accounts/queue-entry.ts";
import { windowKinds } from "@packshot/domain/accounts/window.ts";
import type { createRandom } from "@packshot/domain/random.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import sharp from "sharp";
import { expect } from "vitest";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { historyHas } from "../failures/check-log.ts";
import { createRetryingClient } from "../failures/exactness-client.ts";
import { createTraffic, type TestAccount } from "../failures/exactness-traffic.ts";
import { type AcknowledgedFiles, createAcknowledgedFiles } from "./acknowledged-files.ts";
import type { Deployment } from "./deployment.ts";

const accountCount = 4;
/** Low, so that what is left in the end is edited in a minute, on a machine that others use too. */
const clients = 3;
const clientPauseMs = 60;
const queuedMax = 10;
/** As many as the traffic's changes ever allow: a cut may hide such a change from the history, which looks at what is allowed. */
const concurrentJobs = 6;
const batchesTimeoutMs = 300_000;

export interface Load {
  readonly files: AcknowledgedFiles;
  readonly accountIds: readonly string[];
  /** Jobs that clients know. */
  accepted(): string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly unexpectedAnswers: readonly string[];
  /** Resolves when every client has the answer to its last request, and every batch has ended. */
  end(): Promise<void>;
  /** Clients send nothing more, whatever is under way. */
  abandon(): void;
}

async function openAccounts({ apis, adminToken }: Deployment): Promise<TestAccount[]> {
  const [api] = apis();
  const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
  async function post<T>(path: string, body: object): Promise<T> {
    const answer = await fetch(`${api!.adminUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  const limits = { rateLimitPerHour: 1_000_000_000, maxQueuedJobs: queuedMax, concurrentJobs };
  const accounts: TestAccount[] = [];
  for (let i = 0; i < accountCount; i++) {
    const { accountId } = await post<{ accountId: string }>("/admin/v1/accounts", {
      name: "cuts",
      plan: "dev",
      limits,
    });
    const keys = `/admin/v1/accounts/${accountId}/keys`;
    const { key: liveKey } = await post<{ key: string }>(keys, { name: "live" });
    const { key: testKey } = await post<{ key: string }>(keys, { name: "test", live: false });
    accounts.push({ accountId, liveKey, testKey });
  }
  return accounts;
}

/** @param logNow the connection of the moment */
export async function startLoad(
  deployment: Deployment,
  random: ReturnType<typeof createRandom>,
  logNow: () => Log,
): Promise<Load> {
  const ending = new AbortController();
  const accounts = await openAccounts(deployment);
  const isInHistory = ({ accountId }: TestAccount) => historyHas(logNow(), subjects.account(accountId));
  const areInHistory = async () => (await Promise.all(accounts.map(isInHistory))).every(Boolean);
  await expect.poll(areInHistory).toBe(true);
  const [own, ...others] = accounts;
  const fleet = { apis: deployment.apis };

  /** Another ready message for a job inside its account's window, as a repair may write it. */
  async function duplicate(accountId: string, jobId: string): Promise<void> {
    const log = logNow();
    const waits = windowKinds.map((window) => log.read(subjects.wait[window](accountId, jobId)));
    const doesWait = (await Promise.all(waits)).some(({ value }) => value !== undefined);
    if (!doesWait) await log.commit("test", [readyWrite({ v: 1, accountId, jobId, lane: 0 })]);
  }

  const { traffic, run, endBatches } = createTraffic({
    fleet,
    accounts: others,
    busyAccounts: others.length,
    random: random.next,
    adminToken: deployment.adminToken,
    signal: ending.signal,
    duplicate: (...job) => duplicate(...job).catch(() => {}), // The power was cut.
    photo: await sharp(await drawnMug("#7a2f1d", 96, 72))
      .png()
      .toBuffer(),
    pauseMs: clientPauseMs,
  });
  const { askUntilAnswered } = createRetryingClient({ fleet, random: random.next, count: () => {} });
  const files = createAcknowledgedFiles({
    askUntilAnswered,
    storage: deployment.storage,
    accountId: own!.accountId,
    apiKey: own!.liveKey,
    random: random.next,
    signal: ending.signal,
  });
  const running = Promise.all([run(clients), files.run()]);
  return {
    files,
    accountIds: accounts.map(({ accountId }) => accountId),
    accepted: () => [...traffic.accepted, ...files.accepted],
    counts: traffic.counts,
    unexpectedAnswers: traffic.unexpectedAnswers,
    async end() {
      ending.abort();
      await running;
      await endBatches(batchesTimeoutMs);
    },
    abandon: () => ending.abort(),
  };
}
