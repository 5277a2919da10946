import { expect, test } from "vitest";
import { type OpenedAccount, openAccount, operator } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { loadContract } from "../http/contract.ts";

const apis = suiteFixture(startApis);
const contract = loadContract(new URL("../admin-openapi.yaml", import.meta.url));
const isServiceStatus = contract.compile({ $ref: "#/components/schemas/ServiceStatus" });

// biome-ignore lint/suspicious/noExplicitAny: the contract's schema is checked at each read
async function readStatus(): Promise<any> {
  const { status, body } = await operator(apis.all[0]!, "GET", "/status");
  expect(status).toBe(200);
  expect([isServiceStatus(body), isServiceStatus.errors]).toEqual([true, null]);
  return body;
}

async function edit({ key }: OpenedAccount): Promise<void> {
  const json = { imageUrl: "https://shop.example/mug.jpg" };
  const { status } = await apiClient(apis.all[0]!.url, key).call("POST", "/v1/tools/mask/edit", { json });
  expect(status).toBe(202);
}

test("the operator sees the queue by lane, the log, the storage, Redis and the models at one look", async () => {
  const account = await openAccount(apis.all[0]!);
  for (let i = 0; i < 3; i++) await edit(account);
  // The first two of an account are in lane 0, the next in lane 1.
  await expect
    .poll(async () => (await readStatus()).queue.map(({ ready }: { ready: number }) => ready), { timeout: 30_000 })
    .toEqual([2, 1, 0, 0, 0]);
  const { queue, log, storage, redis, models } = await readStatus();
  expect(queue[0]).toMatchObject({ lane: 0, live: true, taken: 0, oldestSeconds: expect.any(Number) });
  expect(queue[4]).toEqual({ lane: 4, live: false, ready: 0, taken: 0, oldestSeconds: null });
  expect(log).toMatchObject({ problem: null, refusesEdits: null });
  expect(log.streams.map(({ name }: { name: string }) => name)).toContain("PS_STATE");
  expect(storage).toEqual({ kind: "disk", problem: null, isFull: false });
  expect(redis).toEqual({ isConfigured: false, problem: null });
  const [first] = models;
  expect([first.default, first.license]).toEqual([true, expect.any(String)]);
});

test("a process appears when it starts, and disappears when it is stopped or killed", async () => {
  const pids = async () => (await readStatus()).processes.map(({ pid }: { pid: number }) => pid);
  await expect.poll(pids).toEqual([apis.all[0]!.pid]);
  const stopped = await apis.start();
  await expect.poll(pids).toEqual([apis.all[0]!.pid, stopped.pid]);
  const [{ service, problems, residentBytes }] = (await readStatus()).processes;
  expect({ service, problems }).toEqual({ service: "api", problems: [] });
  expect(residentBytes).toBeGreaterThan(10_000_000);
  await stopped.stop();
  await expect.poll(pids).toEqual([apis.all[0]!.pid]);
  const killed = await apis.start();
  await expect.poll(pids).toContain(killed.pid);
  await killed.kill();
  await expect.poll(pids, { timeout: 30_000 }).toEqual([apis.all[0]!.pid]);
});

test("nobody reads it without the operator's token", async () => {
  const { key } = await openAccount(apis.all[0]!);
  for (const authorization of ["", `Bearer ${key}`]) {
    const headers = { Authorization: authorization };
    expect((await fetch(`${apis.all[0]!.adminUrl}/admin/v1/status`, { headers })).status).toBe(401);
  }
});
