import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { LogRecord } from "@packshot/log/log.ts";
import { expect, test } from "vitest";
import { afterRefunds, createUnsettledRefunds } from "./unsettled-refunds.ts";

const accountId = uuidv7();

/** A log whose keeper has settled through `through`, and settles more when it is told, or never. */
function accountLog(through: number) {
  const log = { through, reads: 0, onRead: (_reads: number) => {} };
  return Object.assign(log, {
    async read<T>(): Promise<LogRecord<T>> {
      log.onRead(++log.reads);
      return { value: { settledThrough: log.through } as Account as T, sequence: 1 } as LogRecord<T>;
    },
  });
}

test("nothing is read for an account without a refund on its way", async () => {
  const log = accountLog(0);
  expect(await createUnsettledRefunds({ log }).settled(accountId)).toBe(false);
  expect(log.reads).toBe(0);
});

test("it waits until what follows the job's record is settled, and not again", async () => {
  const log = accountLog(5);
  const refunds = createUnsettledRefunds({ log, waitMsMax: 60_000 });
  refunds.note(accountId, 7);
  // An earlier end, which the view of jobs tells later, does not end the wait before its time.
  refunds.note(accountId, 6);
  log.onRead = (reads) => {
    if (reads === 2) log.through = 7;
    if (reads === 4) log.through = 8;
  };
  expect(await refunds.settled(accountId)).toBe(true);
  expect(log.reads).toBe(4);
  expect(await refunds.settled(accountId)).toBe(false);
  expect(log.reads).toBe(4);
});

test("nobody waits for long for a keeper that is behind, and nobody twice", async () => {
  const log = accountLog(0);
  const refunds = createUnsettledRefunds({ log, waitMsMax: 30 });
  refunds.note(accountId, 7);
  expect(await refunds.settled(accountId)).toBe(false);
  const { reads } = log;
  expect(await refunds.settled(accountId)).toBe(false);
  expect(log.reads).toBe(reads);
});

test("an edit that lacks credits is tried once more where a refund was on its way, and no other", async () => {
  const lacking = new PackshotError("insufficient_credits", "0 credits are left");
  const answers: (string | Error)[] = [];
  let settled = 0;
  const settleOne = async () => {
    settled += 1;
    return true;
  };
  const accept = async (_accountId: string) => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const waiting = afterRefunds(accept, { settled: settleOne });
  answers.push("accepted");
  expect(await waiting(accountId)).toBe("accepted");
  answers.push(new PackshotError("queue_full", "full"));
  await expect(waiting(accountId)).rejects.toMatchObject({ code: "queue_full" });
  expect(settled).toBe(0);
  answers.push(lacking, "accepted");
  expect(await waiting(accountId)).toBe("accepted");
  answers.push(lacking, lacking);
  await expect(waiting(accountId)).rejects.toBe(lacking);
  expect([settled, answers]).toEqual([2, []]);
  answers.push(lacking);
  await expect(afterRefunds(accept, { settled: async () => false })(accountId)).rejects.toBe(lacking);
});
