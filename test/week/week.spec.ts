/**
 * A week of one deployment in short: three nats-servers, Redis, S3, two of each service, as a chart runs them, under constant mixed load
 * (three tools, batches, webhooks, what the console reads), with what happens in a week: days of the ledger are closed, keys and
 * secrets change every night, the release is updated, a nats-server moves, the bucket is full for an hour, certificates are renewed, the
 * master key is replaced. Every promise of the exactness run holds, and memory, open files, disk and subjects do not grow.
 *
 * `make soak-week` takes SOAK_MINUTES (90: a day has 13 minutes, and 112 seconds pass in one) and writes `soak-week.md` in
 * bench/results; without it a week has one minute, begins with this source tree and not with the last release, keeps the old
 * master key, ends before its first certificate does, and is too short for slopes. What is scaled: retention, how long records,
 * events and attempts live (scale-lives.ts and the streams' ages), outages, how long the first certificate is valid. A day of the
 * ledger is closed by an archiver whose clock is days ahead. What is not: leases, deadlines of jobs, retries, sweeps, how long
 * batches are kept (whole hours).
 * @module-tag redis-server
 * @module-tag versitygw
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { createArchive } from "../../services/api/features/accounts/ledger-archive.ts";
import { openAccount } from "../../testing/api/accounts.ts";
import { checkOutRelease, lastRelease } from "../../testing/releases/earlier-release.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { startClients } from "../cluster/clients.ts";
import { type Cluster, publicUrl, startCluster } from "../cluster/cluster.ts";
import { violationsOf } from "../failures/check-log.ts";
import { createRetryingClient } from "../failures/exactness-client.ts";
import { waitUntilIdle } from "../failures/settle-down.ts";
import { migrate, thisFolder } from "../upgrade/running-release.ts";
import { scaledLives, scaleStreams } from "./scaled-lives.ts";
import { openShop, type Shop } from "./week-client.ts";
import { type Week, weekEvents } from "./week-events.ts";
import { createWeekFigures } from "./week-figures.ts";
import { planWeek, quarters, weekDays } from "./week-plan.ts";
import { createWeekRecords } from "./week-records.ts";
import { writeWeek } from "./write-week.ts";

const minutes = Number(process.env.SOAK_MINUTES ?? 1);
const isWhole = process.env.SOAK_MINUTES !== undefined;
/**
 * Followers may be away for two minutes, clients repeat requests, and the test must read events before they expire. A quarter of a short
 * week takes longer than two minutes on a busy machine, once an update is under way: there nothing expires before the test has timed out.
 */
const plan = planWeek(
  minutes,
  isWhole ? { retentionSecondsMin: 60, lifeSecondsMin: 120 } : { retentionSecondsMin: 30, lifeSecondsMin: 900 },
);
const processCounts = { api: 2, modelServer: 1, worker: 2, webhooks: 2 };
const shops = 3;
const clients = isWhole ? 12 : 2;
const samplesInQuarter = 12;
const marginMs = isWhole ? 600_000 : 90_000;
/** Between two looks at all processes, which must not be what they are busy with. */
const sampleEveryMsMin = 1_000;
const dayMs = 86_400_000;
const batchesOfShop = 90;
/**
 * From the beginning of a client's edit, of a shop's batch and of its read to that of the next. A whole week has the same edits and rows,
 * however long it takes: of half as many, processes that were replaced on its sixth day have not filled their caches at its end.
 */
const every = isWhole
  ? {
      editMs: (minutes * 60_000 * clients) / Number(process.env.SOAK_EDITS ?? 12_000),
      batchMs: (minutes * 60_000) / batchesOfShop,
      readMs: 5_000,
    }
  : { editMs: 1_500, batchMs: 12_000, readMs: 1_000 };

async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const sample = await readFile(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
  return new Uint8Array(await sharp(sample).resize(320).toBuffer());
}

/** Where rows of batches find their photo. */
async function startSite(bytes: Uint8Array): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "image/jpeg" }).end(bytes));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mug.jpg`;
}

async function startWeek(folder: string, from: string | undefined): Promise<Week> {
  const masterKeys = { old: randomBytes(32).toString("hex"), next: randomBytes(32).toString("hex") };
  const heapsFolder = await mkdtemp(join(tmpdir(), "packshot-heaps-"));
  onTestFinished(() => rm(heapsFolder, { recursive: true }));
  const settings = { ...scaledLives(folder, plan, heapsFolder), PACKSHOT_MASTER_KEY: masterKeys.old };
  const flags = ["--replicas", "3", "--state-streams", "4"];
  const cluster = await startCluster({
    retentionSeconds: plan.retentionSeconds,
    settings: { PACKSHOT_ALLOW_SOURCES: "127.0.0.1:*" },
    firstly: {
      folder,
      settings,
      ...(from !== undefined && { migrate: (migration) => migrate(folder, migration, flags) }),
    },
    processCounts,
  });
  onTestFinished(() => cluster.stop(), marginMs);
  await scaleStreams(cluster.log, plan);
  // In the afternoon of the day on which they are renewed.
  if (isWhole) cluster.renewCertificates(new Date(Date.now() + 5.9 * plan.daySeconds * 1000));
  return { cluster, plan, heapsFolder, masterKeys, settings };
}

async function openShops(
  { processes }: Cluster,
  onRead: (ms: number) => void,
): Promise<{ shop: Shop; told(): string[] }[]> {
  const photoUrl = await startSite(await photo());
  const apis = () => processes.running().flatMap(({ role, ready }) => (role === "api" ? [ready] : []));
  const fleet = { apis: () => apis().map((ready) => ({ url: String(ready.api), adminUrl: String(ready.admin) })) };
  const { askUntilAnswered } = createRetryingClient({ fleet, random: Math.random, count: () => {} });
  const limits = { rateLimitPerHour: 1_000_000_000, concurrentJobs: 20, maxQueuedJobs: 1_000 };
  return await Promise.all(
    Array.from({ length: shops }, async () => {
      const account = await openAccount({ adminUrl: processes.admins()[0]! }, { limits });
      const receiver = await startReceiver();
      onTestFinished(() => receiver.close());
      const shop = await openShop({
        account,
        askUntilAnswered,
        receiver,
        photoUrl,
        batchEveryMs: every.batchMs,
        readEveryMs: every.readMs,
        onRead,
      });
      const told = () => receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
      return { shop, told };
    }),
  );
}

test(
  `a week in ${minutes} min: nothing is lost, nothing is left, nothing grows`,
  async () => {
    const from = isWhole ? lastRelease.tag : undefined;
    const week = await startWeek(isWhole ? await checkOutRelease(lastRelease) : thisFolder, from);
    const { cluster } = week;
    const { log, storage, processes } = cluster;
    const figures = createWeekFigures(cluster, week.heapsFolder);
    const records = createWeekRecords(log);
    const opened = await openShops(cluster, (ms) => figures.timed("read", ms));
    const editing = startClients({
      ...processes,
      publicUrl,
      accounts: opened.map(({ shop }) => shop),
      photos: [await photo()],
      concurrency: clients,
      everyMs: every.editMs,
      onTimed: figures.timed,
    });
    const ending = new AbortController();
    const others = Promise.all(opened.map(({ shop }) => shop.run(ending.signal)));
    const logger = createLogger({ name: "week", level: "warn" });
    const archive = createArchive({ log, storage, logger, nowMs: () => Date.now() + 3 * dayMs });
    const events = weekEvents({ from, isWhole });
    const rows: Record<string, string>[] = [];
    const startedAtMs = performance.now();

    async function until(day: number): Promise<void> {
      const endMs = startedAtMs + day * plan.daySeconds * 1000;
      const everyMs = Math.max(sampleEveryMsMin, (plan.daySeconds * 1000) / quarters / samplesInQuarter);
      do {
        figures.sample();
        await pause(Math.min(everyMs, endMs - performance.now()), ending.signal);
      } while (performance.now() < endMs);
    }

    for (let day = 1; day <= weekDays; day++) {
      const acceptedBefore = editing.accepted.size;
      const today = events.filter((event) => event.day === day);
      for (let quarter = 0; quarter < quarters; quarter++) {
        const acts = quarter === 1 ? today : [];
        await Promise.all([
          until(day - 1 + (quarter + 1) / quarters),
          acts.reduce((done, { act }) => done.then(() => act(week)), Promise.resolve()),
        ]);
        const rowsEnded = opened.reduce((sum, { shop }) => sum + (shop.counts.rows ?? 0), 0);
        await figures.endQuarter(day, quarter, editing.accepted.size + rowsEnded);
        await records.keep();
        for (const { shop } of opened) shop.verifyDeliveries();
      }
      for (const { shop } of opened) await shop.rotate();
      // It ends with an edit that is paid for, however slow the machine is.
      await expect.poll(() => archive(ending.signal), { timeout: marginMs }).toBeGreaterThan(0);
      const row = {
        day: String(day),
        edits: String(editing.accepted.size - acceptedBefore),
        ...figures.endDay(),
        "that day": today.map(({ name }) => name).join("; "),
      };
      rows.push(row);
      console.info(JSON.stringify(row));
    }
    ending.abort();
    await editing.finish();
    await others;

    await waitUntilIdle(
      log,
      opened.map(({ shop }) => shop.accountId),
      marginMs,
    );
    const accepted = [...editing.accepted.keys()];
    const untold = () => {
      const ids = new Set(opened.flatMap(({ told }) => told()));
      return accepted.filter((id) => !ids.has(id));
    };
    await expect.poll(untold, { timeout: marginMs }).toEqual([]);
    await records.keep();
    const evidence = await records.evidence(storage, accepted, marginMs);
    const trends = figures.trends();
    const counts = {
      accepted: accepted.length,
      ledgerEntries: evidence.ledger.length,
      archivedEntries: evidence.archivedEntries,
      closedDays: rows.length,
      versions: evidence.history.length,
      events: evidence.events.length,
      batches: evidence.batches.length,
      ...editing.counts,
    };
    console.info(JSON.stringify(counts));
    for (const { name, slope, verdict } of trends) console.info(name, JSON.stringify(slope), verdict);
    if (isWhole) writeWeek({ plan, minutes, from, rows, trends, counts });
    // Together: after half an hour one of them should not hide the others.
    expect({
      violations: violationsOf(evidence),
      wrong: [...editing.wrong, ...opened.flatMap(({ shop }) => shop.wrong)],
      crashes: processes.crashes,
    }).toEqual({ violations: [], wrong: [], crashes: [] });
    expect(evidence.batches.length).toBeGreaterThan(shops);
    if (isWhole) expect(trends.filter(({ verdict }) => verdict === "grows")).toEqual([]);
  },
  minutes * 60_000 + 8 * marginMs,
);
