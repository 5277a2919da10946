/**
 * A cluster on one machine: three nats-servers, Redis, S3, three API processes, two workers, two model servers and two
 * webhook services edit photos while each of them is killed, engines go away and come back, and all is restarted.
 * Whatever happens, every accepted job ends once, the ledger explains every balance, every event is delivered, no file is
 * left, and clients see no 5xx but `unavailable` with `Retry-After`. By default one process of each kind is killed and outages
 * take five seconds: some hundred edits. With CLUSTER_EDITS, as `make test-cluster` sets it, there are at least so many, each process
 * is killed, outages take ten seconds and more clients edit at once; CLUSTER_FULL_SIZE=1 edits the whole sample photo.
 * @module-tag redis-server
 * @module-tag versitygw
 */
import { readFile } from "node:fs/promises";
import { defaultQueueDeadlines } from "@packshot/domain/jobs/job.ts";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";
import { gatherEvidence, violationsOf } from "../failures/check-log.ts";
import { sweepOrphanFiles, waitUntilIdle } from "../failures/settle-down.ts";
import { type ClientAccount, type Clients, startClients } from "./clients.ts";
import { publicUrl, startCluster } from "./cluster.ts";
import { disturbancesOf } from "./disturbances.ts";

const isLong = process.env.CLUSTER_EDITS !== undefined;
const editsMin = Number(process.env.CLUSTER_EDITS ?? 60);
const disturbances = disturbancesOf(
  isLong
    ? { kills: "each", outageMs: 10_000, fullMs: 5_000 }
    : { kills: "one of each kind", outageMs: 5_000, fullMs: 3_000 },
);
const isFullSize = process.env.CLUSTER_FULL_SIZE === "1";
/** Long enough for a client to fetch its result through an outage. */
const retentionSeconds = 60;
const accountCount = 6;
/** Fewer leave processes that start some of the machine. */
const concurrency = isLong ? 6 : 4;
/** Each disturbance begins once so many more edits were accepted: work is always under way when it comes. */
const editsBetween = 3;
const editMsMax = 8_000;
const marginMs = 600_000;

const cluster = suiteFixture(() => startCluster({ retentionSeconds }));

/** Each with a webhook at the receiver. */
async function openAccounts({ url }: Receiver): Promise<ClientAccount[]> {
  const limits = { rateLimitPerHour: 1_000_000_000, concurrentJobs: 20, maxQueuedJobs: 1_000 };
  return await Promise.all(
    Array.from({ length: accountCount }, async () => {
      const account = await openAccount({ adminUrl: cluster.processes.admins()[0]! }, { limits });
      const headers = { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" };
      const body = JSON.stringify({ url });
      const made = await fetch(`${cluster.processes.apis()[0]}/v1/webhooks`, { method: "POST", headers, body });
      expect(made.status).toBe(201);
      return account;
    }),
  );
}

/** Photos have at most half a megapixel, unless full size is wanted. */
async function photos(): Promise<Uint8Array<ArrayBuffer>[]> {
  const sample = await readFile(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
  if (isFullSize) return [new Uint8Array(sample)];
  const widths = [320, 480, 640];
  return await Promise.all(widths.map(async (width) => new Uint8Array(await sharp(sample).resize(width).toBuffer())));
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;

/** How long after `atMs` the last account got its next edit accepted: accounts lie in different state streams. */
function nextAcceptsMs({ acceptedAtMs }: Clients, atMs: number): number {
  return Math.max(...[...acceptedAtMs.values()].map((times) => times.find((time) => time > atMs)! - atMs));
}

test(
  "whatever dies, goes away or is updated, every edit ends once and clients notice nothing but waiting",
  async () => {
    const receiver = await startReceiver();
    const accounts = await openAccounts(receiver);
    const { processes } = cluster;
    const clients = startClients({ ...processes, publicUrl, accounts, photos: await photos(), concurrency });
    const acceptedIs = async (count: number, timeout = marginMs) =>
      await expect.poll(() => clients.accepted.size, { timeout }).toBeGreaterThanOrEqual(count);
    const startedAtMs = Date.now();
    const rows: { readonly what: string; readonly atMs: number; readonly [figure: string]: unknown }[] = [];
    for (const { name, act } of disturbances) {
      await acceptedIs(clients.accepted.size + editsBetween);
      const atMs = Date.now();
      const before = { ...clients.counts };
      const figures = await act(cluster);
      await acceptedIs(clients.accepted.size + editsBetween);
      rows.push({
        what: name,
        atMs,
        seconds: seconds(Date.now() - atMs),
        ...figures,
        unavailable: (clients.counts["503"] ?? 0) - (before["503"] ?? 0),
        "connections lost": (clients.counts["connection lost"] ?? 0) - (before["connection lost"] ?? 0),
      });
    }
    await acceptedIs(editsMin, marginMs + editsMin * editMsMax);
    await clients.finish();
    const table = rows.map(({ atMs, ...row }) => ({
      ...row,
      "next accepts, s": seconds(nextAcceptsMs(clients, atMs)),
    }));
    console.table(table);
    console.info(JSON.stringify({ seconds: seconds(Date.now() - startedAtMs), ...clients.counts }));

    expect(clients.wrong).toEqual([]);
    expect(processes.crashes).toEqual([]);
    // Each service was let do all that it asked of nats-server.
    expect(processes.lines.filter((line) => line.includes("does not let this service"))).toEqual([]);
    const { log, storage } = cluster;
    const accountIds = accounts.map(({ accountId }) => accountId);
    await waitUntilIdle(log, accountIds, marginMs);
    const announced = () => receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
    const undelivered = () => {
      const delivered = new Set(announced());
      return [...clients.accepted.keys()].filter((id) => !delivered.has(id));
    };
    await expect.poll(undelivered, { timeout: marginMs }).toEqual([]);
    await sweepOrphanFiles(log, storage, marginMs);
    const accepted = [...clients.accepted.keys()];
    const evidence = await gatherEvidence({ log, storage, accepted, queueDeadlines: defaultQueueDeadlines });
    expect(violationsOf(evidence)).toEqual([]);
    expect(evidence.events.length).toBeGreaterThanOrEqual(accepted.length);
    await receiver.close();
  },
  disturbances.length * 60_000 + editsMin * editMsMax + marginMs,
);
