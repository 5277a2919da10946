import { expect, test } from "vitest";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { loadContract } from "../../http/contract.ts";

const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_STATUS_PAGE: "1" } }));
const contract = loadContract(new URL("../../openapi.yaml", import.meta.url));
const isServiceStatus = contract.compile({ $ref: "#/components/schemas/ServiceStatus" });

const read = async (headers: Record<string, string> = {}, url = apis.all[0]!.url) =>
  await fetch(`${url}/status`, { headers });

// biome-ignore lint/suspicious/noExplicitAny: the contract's schema is checked at each read
async function readJson(url?: string): Promise<any> {
  const response = await read({}, url);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("public, max-age=5");
  const body = await response.json();
  expect([isServiceStatus(body), isServiceStatus.errors]).toEqual([true, null]);
  return body;
}

test("everyone reads which part is away, without a key and without what is inside", async () => {
  // No worker and no webhook service runs here.
  const partsOf = async () =>
    Object.fromEntries(
      (await readJson()).parts.map(({ part, status }: { part: string; status: string }) => [part, status]),
    );
  await expect.poll(partsOf).toEqual({ api: "healthy", edits: "down", webhooks: "down", storage: "healthy" });
  const { status, incidents } = await readJson();
  expect(status).toBe("down");
  expect(incidents).toEqual([]);
  const text = JSON.stringify(await readJson());
  expect(text).not.toMatch(/pid|host|127\.0\.0\.1|nats/);
});

test("what lasts is an incident, told from its beginning", { timeout: 90_000 }, async () => {
  const incidents = async () => (await readJson()).incidents;
  await expect.poll(async () => (await incidents()).length, { timeout: 60_000 }).toBe(2);
  for (const { part, status, from, until } of await incidents()) {
    expect(["edits", "webhooks"]).toContain(part);
    expect([status, until]).toEqual(["down", null]);
    expect(Date.now() - Date.parse(from)).toBeGreaterThanOrEqual(15_000);
  }
});

test("a browser gets a page that runs nothing and loads nothing", async () => {
  const response = await read({ Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("vary")).toContain("Accept");
  const page = await response.text();
  expect(page).toContain('<h1><span class="down">Down</span></h1>');
  expect(page).toContain('<tr><td>API</td><td><span class="healthy">Healthy</span></td></tr>');
  expect(page).not.toMatch(/<script|src=|https?:/);
});

test("where the operator did not turn it on, there is none", async () => {
  const { url } = await apis.start({ PACKSHOT_STATUS_PAGE: "0" });
  const response = await read({}, url);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "not_found" });
});

test("all API processes tell the same incidents, and one that starts after all were killed does, too", {
  timeout: 90_000,
}, async () => {
  const history = async (url: string) => {
    const { incidents, since } = await readJson(url);
    return { incidents, since };
  };
  const [first] = apis.all;
  await expect.poll(async () => (await history(first!.url)).incidents.length, { timeout: 60_000 }).toBe(2);
  const told = await history(first!.url);
  const second = await apis.start();
  await expect.poll(() => history(second.url), { timeout: 30_000 }).toEqual(told);
  await Promise.all([first!.kill(), second.kill()]);
  const third = await apis.start();
  await expect.poll(() => history(third.url), { timeout: 30_000 }).toEqual(told);
});
