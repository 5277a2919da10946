/**
 * A backup that is restored long after it was taken: what it announces has outlived its time since, and is restored all the
 * same. Announcements live for an hour; here they live for seconds.
 * @module-tag long
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { startNats } from "../../../testing/servers/nats.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createLog } from "../log.ts";
import { connectNats } from "../nats/connection.ts";
import { backUpLog, type LogBackup, restoreLog } from "./backup.ts";
import { migrateLog } from "./migrate.ts";

const say = () => {};
/** Longer than two backups take, or a restore, on a busy machine. */
const ttlSeconds = 30;
const waiting = { timeout: 4_000 * ttlSeconds, interval: 100 };

async function connectTo({ url }: { readonly url: string }) {
  const connection = await connectNats({ url, name: "test" });
  return { connection, manager: await jetstreamManager(connection) };
}

/** As if what was written between the two had been written after the snapshot of the copies and before that of the state. */
async function takeCopiesFrom(earlier: string, later: string): Promise<void> {
  const read = async (path: string) => JSON.parse(await readFile(join(path, "backup.json"), "utf8")) as LogBackup;
  const first = await read(earlier);
  const second = await read(later);
  const isCopy = (stream: LogBackup["streams"][number]) => stream.config.sources !== undefined;
  const mixed = second.streams.map((stream, index) => (isCopy(stream) ? first.streams[index]! : stream));
  for (const { file } of mixed.filter(isCopy)) await cp(join(earlier, file), join(later, file));
  await writeFile(join(later, "backup.json"), JSON.stringify({ ...second, streams: mixed }));
}

const copies = [streams.ready, streams.events, streams.ledger];

interface Copied {
  readonly job: string;
  readonly time: Date;
}

/** What each copy has. nats-server copies again what a restored state stream still has, which is known by its content. */
async function readCopies(manager: JetStreamManager): Promise<Map<string, readonly Copied[]>> {
  const found = copies.map(async (name) => {
    const { state } = await manager.streams.info(name);
    const sequences = Array.from({ length: state.messages }, (_none, index) => state.first_seq + index);
    const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(name, { seq })));
    return [name, messages.map((message) => ({ ...message!.json<{ job: string }>(), time: message!.time }))] as const;
  });
  return new Map(await Promise.all(found));
}

const jobsIn = (found: ReadonlyMap<string, readonly Copied[]>) =>
  copies.map((name) => [...new Set(found.get(name)!.map(({ job }) => job))].sort());

const announcementsOf = (job: string) => [
  subjects.ready(0, "account", job),
  subjects.event("account", job, "completed"),
  subjects.ledger("account", 202611, job, "debit"),
];

const old = suiteFixture(async () => {
  const nats = await startNats();
  const folder = await mkdtemp(join(tmpdir(), "packshot-backup-"));
  const { connection, manager } = await connectTo(nats);
  await migrateLog(connection, { replicas: 1, stateStreams: 1 });
  const log = createLog(connection, { stateStreamCount: 1 });
  const announce = async (job: string, known: readonly string[]) => {
    const writes = announcementsOf(job).map((subject) => ({ subject, value: { job }, expected: 0, ttlSeconds }));
    await log.commit("test", writes);
    const isCopied = async () => expect(jobsIn(await readCopies(manager))).toEqual(copies.map(() => known));
    await vi.waitFor(isCopied, waiting);
  };
  const earlier = join(folder, "earlier");
  const later = join(folder, "later");
  await announce("first", ["first"]);
  await backUpLog(connection, { folder: earlier, say });
  await announce("second", ["first", "second"]);
  const copied = await readCopies(manager);
  await backUpLog(connection, { folder: later, say });
  await takeCopiesFrom(earlier, later);
  const left = async () => (await log.read(announcementsOf("second")[0]!)).value;
  await vi.waitFor(async () => expect(await left()).toBeUndefined(), waiting);
  return {
    backup: later,
    copied,
    async stop() {
      await connection.close();
      await nats.stop();
      await rm(folder, { recursive: true });
    },
  };
});

test.each([1, 3])("copies have what they had and what they lacked, with %i replicas", async (replicas) => {
  const fresh = await startNats(replicas === 3 ? { cluster: 3 } : {});
  onTestFinished(() => fresh.stop());
  const { connection, manager } = await connectTo(fresh);
  onTestFinished(() => connection.close());
  await restoreLog(connection, { folder: old.backup, replicas, say });
  const jobs = async () => jobsIn(await readCopies(manager));
  await expect.poll(jobs).toEqual(copies.map(() => ["first", "second"]));

  const restored = await readCopies(manager);
  const firstTime = (found: typeof restored, name: string) => found.get(name)![0]!.time.getTime();
  // The ledger's days follow from the times; events are removed by their age, which is what it was.
  expect(firstTime(restored, streams.ledger)).toBe(firstTime(old.copied, streams.ledger));
  const grownMs = firstTime(restored, streams.events) - firstTime(old.copied, streams.events);
  expect(grownMs).toBeGreaterThan((ttlSeconds * 1000) / 2);
  expect(firstTime(restored, streams.events)).toBeLessThan(Date.now());
});
