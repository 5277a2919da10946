import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { LogRecord } from "@packshot/log/log.ts";
import { expect, test } from "vitest";
import { afterRefunds, createUnsettledRefunds } from "./unsettled-refunds.ts";

const accountId = uuidv7();
const refundWaitMsMax = 60_000;
const lacking = new PackshotError("insufficient_credits", "0 credits are left");

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
  expect(await createUnsettledRefunds({ log, refundWaitMsMax }).settled(accountId)).toBe(false);
  expect(log.reads).toBe(0);
});

test("it waits until what follows the job's record is settled, and not again", async () => {
  const log = accountLog(5);
  const refunds = createUnsettledRefunds({ log, refundWaitMsMax });
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
  const refunds = createUnsettledRefunds({ log, refundWaitMsMax: 30 });
  refunds.note(accountId, 7);
  expect(await refunds.settled(accountId)).toBe(false);
  const { reads } = log;
  expect(await refunds.settled(accountId)).toBe(false);
  expect(log.reads).toBe(reads);
});

test("a hundred readers of one account read its record as often as one, whenever they come", async () => {
  const log = accountLog(0);
  const refunds = createUnsettledRefunds({ log, refundWaitMsMax });
  refunds.note(accountId, 7);
  const waits: Promise<boolean>[] = [];
  const wait = (readers: number) => {
    for (let i = 0; i < readers; i++) waits.push(refunds.settled(accountId));
  };
  await new Promise<void>((resolve) => {
    log.onRead = (reads) => {
      if (reads < 5) wait(25);
      if (reads === 5) {
        log.through = 8;
        resolve();
      }
    };
    wait(1);
  });
  expect(await Promise.all(waits)).toEqual(waits.map(() => true));
  expect([waits.length, log.reads]).toEqual([101, 5]);
});

test.each([
  ["settled", 8, "accepted"],
  ["late", 5, lacking],
])("an edit that was refused before others saw its refund %s is tried as that says", async (_, through, outcome) => {
  const log = accountLog(5);
  const refunds = createUnsettledRefunds({ log, refundWaitMsMax: through === 8 ? refundWaitMsMax : 30 });
  refunds.note(accountId, 7);
  let tries = 0;
  const accept = async (_accountId: string) => {
    tries += 1;
    if (tries > 1) return "accepted";
    // The refusal is on its way while a reader of the balance waits for the same refund.
    log.through = through;
    await refunds.settled(accountId);
    throw lacking;
  };
  const answer = await afterRefunds(accept, refunds)(accountId).catch((error: unknown) => error);
  expect([answer, tries]).toEqual([outcome, outcome === lacking ? 1 : 2]);
  expect(refunds.noted(accountId)).toBeUndefined();
});

test("an edit that lacks credits is tried once more where a refund was on its way, and no other", async () => {
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
  const waiting = afterRefunds(accept, { noted: () => undefined, settled: settleOne });
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
  const none = { noted: () => undefined, settled: async () => false };
  await expect(afterRefunds(accept, none)(accountId)).rejects.toBe(lacking);
});
