import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import type { Log } from "@packshot/log/log.ts";
import { expect, test } from "vitest";
import { createRunOnce } from "./idempotency.ts";

const key = { subject: "ps.idem.account.key", fingerprint: "one" };
const record: IdempotencyRecord = { v: 1, fingerprint: "one", status: 202, body: {}, subjectId: "job" };

/** Holds one idempotency record, once it is stored. */
function oneRecord() {
  let value: IdempotencyRecord | undefined;
  const read = async (subject: string) => ({ subject, value, sequence: value === undefined ? 0 : 1 });
  const store = () => {
    value = record;
  };
  return { runOnce: createRunOnce({ log: { read } as unknown as Log }), store };
}

test("requests of one key run once, and the others are answered from the record", async () => {
  const { runOnce, store } = oneRecord();
  const first = async () => {
    store();
    return "first";
  };
  const replay = async ({ subjectId }: IdempotencyRecord) => subjectId;
  expect(await Promise.all([1, 2, 3].map(() => runOnce(key, first, replay)))).toEqual(["first", "job", "job"]);
});

test("after a failed first request the next one runs", async () => {
  const { runOnce } = oneRecord();
  const failing = runOnce(
    key,
    () => Promise.reject(new Error("refused")),
    async () => "replayed",
  );
  const next = runOnce(
    key,
    async () => "first",
    async () => "replayed",
  );
  await expect(failing).rejects.toThrow("refused");
  expect(await next).toBe("first");
});

test("replays of one key wait together, not one after another", async () => {
  const { runOnce, store } = oneRecord();
  store();
  const all = Promise.withResolvers<void>();
  let replays = 0;
  const replay = async () => {
    replays += 1;
    if (replays === 3) all.resolve();
    await all.promise;
  };
  await Promise.all([1, 2, 3].map(() => runOnce(key, () => Promise.reject(new Error("runs again")), replay)));
  expect(replays).toBe(3);
});
