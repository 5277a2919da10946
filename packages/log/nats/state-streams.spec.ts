import { uuidv7 } from "@packshot/domain/ids.ts";
import { shardOf, shards, subjects } from "@packshot/domain/subjects.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { listRecordSubjects } from "../follow/list-subjects.ts";
import { listStateStreams, stateStreamIndex } from "./state-streams.ts";

const log = suiteFixture(() => startLog({ stateStreams: 4 }));

test("four streams have each shard once, and each stream four of them", () => {
  const stored = listStateStreams(4).flatMap((stream) => stream.subjects);
  expect(new Set(stored).size).toBe(stored.length);
  for (const shard of shards) expect(stored).toContain(`ps.${shard}.>`);
  for (const { index, subjects: own } of listStateStreams(4)) {
    expect(own.filter((subject) => /^ps\.\d\d\./.test(subject))).toHaveLength(4);
    expect(own).toContain(`ps.log${index}.>`);
  }
});

test.each(["ps.*.job.*.*", "ps.16.job.a.b", "ps.log4.cursor.keeper", "other"])("%s names no stream", (subject) => {
  expect(() => stateStreamIndex(subject, 4)).toThrow(RangeError);
});

test("a record is stored in its account's stream and read from there; names are listed from all", async () => {
  const accountIds = Array.from({ length: 40 }, () => uuidv7());
  for (const accountId of accountIds) {
    await log.commit("test", [
      { subject: subjects.account(accountId), value: { accountId }, expected: 0 },
      { subject: subjects.keyByHash(shardOf(accountId), accountId), value: { accountId } },
    ]);
  }
  expect(new Set(accountIds.map((id) => log.streamOf(subjects.account(id)).index))).toEqual(new Set([0, 1, 2, 3]));
  for (const accountId of accountIds) {
    expect((await log.read(subjects.account(accountId))).value).toEqual({ accountId });
    expect(await Array.fromAsync(listRecordSubjects(log, subjects.account(accountId)))).toHaveLength(1);
  }
  expect(await Array.fromAsync(listRecordSubjects(log, subjects.account("*")))).toHaveLength(40);
});

test("a batch over two streams is refused before anything is sent", async () => {
  const writes = log.stateStreams.map(({ index }) => ({ subject: subjects.cursor(index, "test"), value: { v: 1 } }));
  await expect(log.commit("test", writes)).rejects.toThrow(/one state stream, not in 4/);
  for (const { subject } of writes) expect((await log.read(subject)).sequence).toBe(0);
});
