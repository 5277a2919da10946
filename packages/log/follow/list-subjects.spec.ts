import { streams } from "@packshot/domain/subjects.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { LogRefused } from "../nats/errors.ts";
import { listSubjects } from "./list-subjects.ts";

const log = suiteFixture(startLog);

async function list(filter: string, stream: string = streams.state): Promise<string[]> {
  const names: string[] = [];
  for await (const name of listSubjects(log.connection, stream, filter)) names.push(name);
  return names;
}

test("lists the names that match, tombstones too, as soon as they are committed", async () => {
  const subjects = ["ps.job.a.3", "ps.job.a.1", "ps.job.b.1", "ps.job.a.2"];
  await log.commit(
    "test",
    subjects.map((subject) => ({ subject, value: { v: 1 } })),
  );
  await log.commit("test", [{ subject: "ps.job.a.2", value: null, ttlSeconds: 60 }]);
  expect(await list("ps.job.a.*")).toEqual(["ps.job.a.1", "ps.job.a.2", "ps.job.a.3"]);
  expect(await list("ps.job.c.*")).toEqual([]);
});

test("goes through all pages", { timeout: 120_000 }, async () => {
  const count = 100_500;
  for (let from = 0; from < count; from += 1_000) {
    const writes = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => ({
      subject: `ps.job.many.${from + i}`,
      value: { v: 1 },
    }));
    await log.commit("test", writes);
  }
  const names = await list("ps.job.many.*");
  expect(names).toHaveLength(count);
  expect(new Set(names).size).toBe(count);
});

test("an error of the server is told", async () => {
  await expect(list("ps.>", "PS_NONE")).rejects.toThrow(LogRefused);
});
