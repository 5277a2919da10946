/** Whoever has seen a job end without a result is shown its credits, whoever reads the balance, and can spend them. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import { expect, test } from "vitest";
import { type OpenedAccount, openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

// On machines of any speed: however late the keeper is, readers wait for it.
const apis = suiteFixture(() => startApis({ count: 2, environment: { PACKSHOT_REFUND_WAIT_MS: "60000" } }));
const imageUrl = "https://shop.example/a.jpg";

async function edit(by: ContractClient): Promise<string> {
  const { status, body } = await by.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
  expect(status).toBe(202);
  return body.id;
}

test("whoever has cancelled or deleted jobs has their credits at once: to see, and to spend", async () => {
  const { accountId, key } = await openAccount(apis.all[0]!);
  const here = apiClient(apis.all[0]!.url, key);
  const left = async () => (await here.call("GET", "/v1/account")).body.credits.remaining;
  const jobs = 20;
  const amount = jobs - (await left());
  await operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, { amount, note: "for twenty edits" });
  const editAll = () => Promise.all(Array.from({ length: jobs }, () => edit(here)));
  const endAll = async (ids: readonly string[], [method, path]: readonly [string, string]) =>
    await Promise.all(ids.map((id) => here.call(method, `/v1/jobs/${id}${path}`)));
  for (const end of [
    ["POST", "/cancel"],
    ["DELETE", ""],
  ] as const) {
    const shown = await editAll();
    expect(await left()).toBe(0);
    const refused = await here.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
    expect(refused.body.code).toBe("insufficient_credits");
    await endAll(shown, end);
    expect(await left()).toBe(jobs);
    await endAll(await editAll(), end);
    // Nothing has shown the balance since: it is the edits that need it.
    await endAll(await editAll(), end);
  }
});

type BalanceReader = (account: OpenedAccount) => Promise<number>;

const balanceReaders: Readonly<Record<string, BalanceReader>> = {
  "the account": async ({ key }) => (await clientOf(key).call("GET", "/v1/account")).body.credits.remaining,
  "its usage": async ({ key }) => (await clientOf(key).call("GET", "/v1/account/usage")).body.credits.remaining,
  "the drop-in": async ({ key }) => {
    const response = await fetch(`${apis.all[0]!.url}/v1.0/account`, { headers: { "X-Api-Key": key } });
    return ((await response.json()) as DropInBalance).data.attributes.credits.total;
  },
  "a dry run": async ({ key }) => {
    const json = { tool: "mask", items: [{ ref: "a", imageUrl }], dryRun: true };
    return (await clientOf(key).call("POST", "/v1/batches", { json })).body.creditsRemaining;
  },
  "the operator": async ({ accountId }) =>
    ((await operator(apis.all[0]!, "GET", `/accounts/${accountId}`)).body as unknown as Account).credits.remaining,
};

interface DropInBalance {
  readonly data: { readonly attributes: { readonly credits: { readonly total: number } } };
}

function clientOf(key: string): ContractClient {
  return apiClient(apis.all[0]!.url, key);
}

test.each(Object.entries(balanceReaders))("%s counts the refunds of jobs that were cancelled", async (_, read) => {
  const opened = await openAccount(apis.all[0]!);
  const by = clientOf(opened.key);
  const before = await read(opened);
  for (let round = 0; round < 3; round++) {
    const ids = await Promise.all(Array.from({ length: 20 }, () => edit(by)));
    await Promise.all(ids.map((id) => by.call("POST", `/v1/jobs/${id}/cancel`)));
    expect(await read(opened)).toBe(before);
  }
});
