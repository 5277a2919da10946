import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { streams } from "@packshot/domain/subjects.ts";
import { expect, onTestFinished, test } from "vitest";
import { startNats } from "../../../testing/servers/nats.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createLog } from "../log.ts";
import { connectNats } from "../nats/connection.ts";
import { listStateStreams } from "../nats/state-streams.ts";
import { backUpLog, restoreLog } from "./backup.ts";
import { migrateLog } from "./migrate.ts";

const records = 2_000;
/** So that the snapshot takes longer than some of the writes. */
const padding = "x".repeat(4_000);
const say = () => {};

const old = suiteFixture(() => startNats());
/** Servers without a log. */
const fresh = suiteFixture(() => startNats({ cluster: 3 }));
const folder = suiteFixture(async () => {
  const path = await mkdtemp(join(tmpdir(), "packshot-backup-"));
  return { path, stop: () => rm(path, { recursive: true }) };
});

interface Counted {
  readonly count: number;
  readonly before: number;
}

test("records that are written while the backup is taken are in it as one batch left them", async () => {
  const connection = await connectNats({ url: old.url, name: "test" });
  onTestFinished(() => connection.close());
  await migrateLog(connection, { replicas: 1, stateStreams: 4 });
  const log = createLog(connection, { stateStreamCount: 4 });
  const pair = (n: number) => [`ps.00.account.${n}`, `ps.00.job.${n}.job`] as const;
  const sequences = new Map<string, number>();
  /** Both records of one number in one batch; each says at which sequence it stood before. */
  const writePair = async (n: number, count: number) => {
    const writes = pair(n).map((subject) => ({
      subject,
      value: { count, before: sequences.get(subject) ?? 0, padding },
      expected: sequences.get(subject) ?? 0,
    }));
    const { firstSequence } = await log.commit("test", writes);
    for (const [index, { subject }] of writes.entries()) sequences.set(subject, firstSequence + index);
  };
  for (let n = 0; n < records; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_none, index) => writePair(n + index, 1)));

  const over = new AbortController();
  const write = async (first: number) => {
    for (let turn = 2; !over.signal.aborted; turn++)
      for (let n = first; n < records && !over.signal.aborted; n += 8) await writePair(n, turn);
  };
  const writing = Promise.all(Array.from({ length: 8 }, (_none, first) => write(first)));
  const path = join(folder.path, "under-load");
  const taking = backUpLog(connection, { folder: path, say }).finally(() => over.abort());
  const [taken, written] = await Promise.allSettled([taking, writing]);
  if (taken.status === "rejected") throw taken.reason;
  expect(written.status).toBe("fulfilled");
  const backup = taken.value;
  const { tail, state } = backup.streams.find(({ config }) => config.name === streams.state)!;
  expect(tail!.bytes).toBeGreaterThan(0);

  const target = await connectNats({ url: fresh.url, name: "test" });
  onTestFinished(() => target.close());
  await restoreLog(target, { folder: path, replicas: 3, say });
  const restored = createLog(target, { stateStreamCount: 4 });
  const found = await Promise.all(
    Array.from({ length: records }, async (_none, n) => {
      const [account, job] = await Promise.all(pair(n).map((subject) => restored.read<Counted>(subject)));
      return { n, account, job };
    }),
  );
  const torn = found.filter(
    ({ account, job }) =>
      account!.value === undefined ||
      account!.value.count !== job!.value?.count ||
      job!.sequence !== account!.sequence + 1,
  );
  expect(torn).toEqual([]);
  // Sequences are as they were: what a record says of the one before it is true of what was before it.
  const later = found.filter(({ account }) => account!.sequence > state.last_seq);
  expect(later.length).toBeGreaterThan(0);
  for (const { account, job } of later) expect(job!.value!.before).toBe(account!.value!.before + 1);

  expect(await migrateLog(target, { replicas: 3 })).toEqual([
    expect.stringMatching(/^changed stream PS_STATE: subjects/),
  ]);
  const { streams: manager } = await jetstreamManager(target);
  const { config } = await manager.info(streams.state);
  expect(config.subjects).toEqual(listStateStreams(4)[0]!.subjects);
  await expect(target.request(`psr.${streams.state}.ps.00.account.0`, "{}", { timeout: 5_000 })).rejects.toThrow();
  await restored.commit("test", [{ subject: "ps.00.account.new", value: { v: 1 }, expected: 0 }]);
});

test("a backup that names a file outside of its folder is refused before anything is read", async () => {
  const path = await mkdtemp(join(tmpdir(), "packshot-backup-"));
  onTestFinished(() => rm(path, { recursive: true }));
  const sha256 = createHash("sha256").update("").digest("hex");
  for (const file of ["../../../../../../dev/null", "/dev/null", "."]) {
    const backup = { v: 2, startedAt: "2026-11-23T00:00:00Z", schema: { v: 1 }, streams: [{ file, bytes: 0, sha256 }] };
    await writeFile(join(path, "backup.json"), JSON.stringify(backup));
    await expect(restoreLog(undefined as never, { folder: path, replicas: 1, say })).rejects.toThrow(
      "which is not in the backup's folder",
    );
  }
});

test("a replica that hears of a restored tail only after migrate has its records under their names", async () => {
  const nats = await startNats({ cluster: 3 });
  onTestFinished(() => nats.stop());
  const connection = await connectNats({ url: nats.url, name: "test" });
  onTestFinished(() => connection.close());
  await migrateLog(connection, { replicas: 3, stateStreams: 1 });
  const manager = await jetstreamManager(connection);
  const src = "psr.PS_STATE.ps.>";
  const { config } = await manager.streams.update(streams.state, {
    subjects: ["ps.>", src],
    subject_transform: { src, dest: "ps.>" },
  });
  expect(config.subject_transform).toBeDefined();

  const { cluster } = await manager.streams.info(streams.state);
  const behind = nats.servers.findIndex(
    ({ url }, index) => cluster!.leader !== `packshot-${index + 1}` && !url.endsWith(connection.getServer()),
  );
  await nats.pause(behind);
  const subjects = Array.from({ length: 100 }, (_none, n) => `ps.00.account.${n}`);
  const publish = (subject: string) =>
    expect
      .poll(() => connection.request(`psr.PS_STATE.${subject}`, "{}", { timeout: 5_000 }).then((one) => one.json()))
      .toMatchObject({ stream: streams.state });
  await Promise.all(subjects.map(publish));
  expect(await migrateLog(connection, { replicas: 0 })).toEqual([
    expect.stringMatching(/^changed stream PS_STATE: subjects/),
  ]);
  nats.resume(behind);

  // A server answers itself what it can: this is what the replica has.
  const own = await connectNats({ url: nats.servers[behind]!.url, name: "test" });
  onTestFinished(() => own.close());
  const missing = async () => {
    const found = await Promise.all(
      subjects.map((subject) => own.request(`$JS.API.DIRECT.GET.PS_STATE.${subject}`, "", { timeout: 5_000 })),
    );
    return found.filter(({ headers }) => headers?.hasError).length;
  };
  await expect.poll(missing).toBe(0);
});
