/** @module-tag long */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DeliverPolicy, jetstream } from "@nats-io/jetstream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcess, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { rendezvousOwner } from "./accept-forwarder.ts";

const apis = suiteFixture(() => startApis({ count: 3 }));
let log: Log;
const imageUrl = "https://shop.example/a.jpg";

beforeAll(() => {
  ({ log } = apis);
});

async function readAccount(accountId: string): Promise<Account> {
  return (await log.read<Account>(subjects.account(accountId))).value!;
}

/** The sum of the account's ledger entries. */
async function ledgerSum(accountId: string): Promise<number> {
  const consumer = await jetstream(log.connection).consumers.get(streams.ledger, {
    filter_subjects: subjects.ledgerCopy(accountId),
    deliver_policy: DeliverPolicy.All,
  });
  const { num_pending: pending } = await consumer.info();
  let sum = 0;
  if (pending > 0) {
    let left = pending;
    for await (const message of await consumer.fetch({ max_messages: pending })) {
      sum += message.json<LedgerEntry>().amount;
      left -= 1;
      if (left === 0) break;
    }
  }
  await consumer.delete();
  return sum;
}

async function balanced(accountId: string): Promise<void> {
  await expect
    .poll(async () => (await ledgerSum(accountId)) - (await readAccount(accountId)).credits.remaining)
    .toBe(0);
}

const edit = (api: ApiProcess, { key }: OpenedAccount, headers: Record<string, string> = {}) =>
  apiClient(api.url, key).call("POST", "/v1/tools/mask/edit", { json: { imageUrl }, headers });

test("one process accepts for an account, and every count stays exact", async () => {
  const account = await openAccount(apis.all[0]!, { limits: { concurrentJobs: 10 } });
  const replies = await Promise.all(Array.from({ length: 300 }, (_, i) => edit(apis.all[i % 3]!, account)));
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([202]));
  expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(300);
  expect(await readAccount(account.accountId)).toMatchObject({
    running: 10,
    waiting: 290,
    credits: { remaining: 999_700 },
  });
  await balanced(account.accountId);
});

test("when the owner of an account dies, each forwarded accept is made once", async () => {
  const account = await openAccount(apis.all[0]!);
  const mortal = await apis.start();
  const living = [...apis.all.slice(0, 3)];
  // When these have been accepted, all four processes know each other.
  await Promise.all(Array.from({ length: 200 }, (_, i) => edit([...living, mortal][i % 4]!, account)));
  const before = await readAccount(account.accountId);
  const pending = Array.from({ length: 120 }, (_, i) =>
    edit(living[i % 3]!, account, { "Idempotency-Key": `die-${i % 60}` }),
  );
  const killed = mortal.kill();
  const replies = await Promise.all(pending);
  await killed;
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([202]));
  expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(60);
  const after = await readAccount(account.accountId);
  expect(before.credits.remaining - after.credits.remaining).toBe(60);
  await balanced(account.accountId);
});

test.each(["accept:before-commit", "accept:after-commit", "accept:before-ack"])(
  "a process that dies at %s leaves one job and one debit when the client retries elsewhere",
  async (failpoint) => {
    const mortal = await apis.start({ PACKSHOT_FAILPOINT: failpoint });
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#333" } })
      .png()
      .toBuffer();
    let account: OpenedAccount;
    const send = (api: ApiProcess) => {
      const form = new FormData();
      form.append("image", new Blob([Uint8Array.from(png)]), "a.png");
      const headers = { "Idempotency-Key": "once" };
      return apiClient(api.url, account.key).call("POST", "/v1/tools/mask/edit", { form, headers });
    };
    // An account of another owner is forwarded to it; the first account that the mortal process owns kills it.
    let isAnswered = true;
    for (let tries = 0; isAnswered && tries < 200; tries++) {
      account = await openAccount(apis.all[0]!);
      isAnswered = await send(mortal).then(
        () => true,
        () => false,
      );
    }
    expect(isAnswered).toBe(false);
    await mortal.ended;
    const { status, body } = await send(apis.all[1]!);
    expect(status).toBe(202);
    expect(await readAccount(account!.accountId)).toMatchObject({
      running: 1,
      waiting: 0,
      credits: { remaining: 999_999 },
    });
    const folder = join(apis.storageDir, "api", account!.accountId, body.id);
    expect(existsSync(folder) && readdirSync(folder)).toEqual(["source"]);
    await balanced(account!.accountId);
  },
);

test.each([
  ["cancel:before-commit", "cancel"],
  ["cancel:after-commit", "cancel"],
  ["cancel:before-ack", "cancel"],
  ["delete:before-commit", "delete"],
  ["delete:after-commit", "delete"],
  ["delete:before-ack", "delete"],
])("a process that dies at %s has ended the job once when the client retries elsewhere", async (failpoint, verb) => {
  const account = await openAccount(apis.all[0]!);
  const { body } = await edit(apis.all[0]!, account);
  const mortal = await apis.start({ PACKSHOT_FAILPOINT: failpoint });
  const end = (api: ApiProcess) => {
    const client = apiClient(api.url, account.key);
    if (verb === "delete") return client.call("DELETE", `/v1/jobs/${body.id}`);
    return client.call("POST", `/v1/jobs/${body.id}/cancel`);
  };
  await expect(end(mortal)).rejects.toThrow();
  await mortal.ended;
  const { status } = await end(apis.all[1]!);
  const wasDone = !failpoint.endsWith("before-commit");
  expect(status).toBe(verb === "cancel" ? 200 : wasDone ? 404 : 204);
  await expect
    .poll(() => readAccount(account.accountId))
    .toMatchObject({ running: 0, waiting: 0, credits: { remaining: 1_000_000 } });
  await balanced(account.accountId);
});

test("every process finds the same owner, and a process that leaves moves only its own accounts", () => {
  const ids = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(ids, fc.uuid(), (processes, account) => {
      const owner = rendezvousOwner(processes, account);
      expect(rendezvousOwner([...processes].reverse(), account)).toBe(owner);
      const [leaver] = processes.filter((id) => id !== owner);
      expect(
        rendezvousOwner(
          processes.filter((id) => id !== leaver),
          account,
        ),
      ).toBe(owner);
    }),
  );
});
