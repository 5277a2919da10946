import type { Account } from "@packshot/domain/accounts/account.ts";
import { creditPeriodMs } from "@packshot/domain/accounts/account.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { beforeAll, expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));
let log: Log;

beforeAll(() => {
  ({ log } = apis);
});

const opening = ["grant 1000000", "grant -999960"];

/** An account with 40 credits left, whose period ended an hour ago. */
async function accountOfAnOldPeriod() {
  const opened = await openAccount(apis.all[0]!);
  await operator(apis.all[0]!, "POST", `/accounts/${opened.accountId}/grants`, {
    amount: 40 - 1_000_000,
    note: "test",
  });
  const { value, sequence } = await log.read<Account>(subjects.account(opened.accountId));
  const endedAt = isoTime(Date.now() - 3_600_000);
  const account = { ...value!, credits: { ...value!.credits, periodEndsAt: endedAt } };
  await log.commit("test", [{ subject: subjects.account(opened.accountId), value: account, expected: sequence }]);
  return { ...opened, endedAt, clients: apis.all.map(({ url }) => apiClient(url, opened.key)) };
}

/** Entries of all periods: the opening ones in their order, the others sorted. */
async function ledgerOf(accountId: string): Promise<string[]> {
  const kinds: string[] = [];
  for (let from = 1; ; ) {
    const entry = await log.readNext<{ kind: string; amount: number }>(subjects.ledger(accountId, "*", "*", "*"), from);
    if (entry === undefined) return [...kinds.slice(0, 2), ...kinds.slice(2).sort()];
    kinds.push(`${entry.value?.kind} ${entry.value?.amount}`);
    from = entry.sequence + 1;
  }
}

test("the first read after periodEndsAt renews the credits, once, however many processes read", async () => {
  const { accountId, endedAt, clients } = await accountOfAnOldPeriod();
  const reads = await Promise.all(Array.from({ length: 10 }, (_, i) => clients[i % 2]!.call("GET", "/v1/account")));
  const periodEndsAt = isoTime(Date.parse(endedAt) + creditPeriodMs);
  for (const { body } of reads) expect(body.credits).toEqual({ remaining: 1_000_000, periodEndsAt });
  expect(await ledgerOf(accountId)).toEqual([...opening, "expire -40", "grant 1000000"]);
});

test("the first edit after periodEndsAt renews them in its own batch", async () => {
  const { accountId, clients } = await accountOfAnOldPeriod();
  const json = { imageUrl: "https://shop.example/a.jpg" };
  expect((await clients[1]!.call("POST", "/v1/tools/mask/edit", { json })).status).toBe(202);
  expect(await ledgerOf(accountId)).toEqual([...opening, "debit -1", "expire -40", "grant 1000000"]);
  expect((await clients[0]!.call("GET", "/v1/account")).body.credits.remaining).toBe(999_999);
});
