/** @module-tag long */
import { createWindowCounts } from "@packshot/platform/redis/window-counts.ts";
import { expect, it } from "vitest";
import { adminToken, startApis } from "../../../testing/api/api-processes.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createOperatorCheck } from "./operator-token.ts";

const apis = suiteFixture(() => startApis());
const failuresPerMinuteMax = 20;

it("refuses every token of an address that has guessed too often, also the right one", async () => {
  const api = await apis.start();
  const listPlans = (token: string) =>
    fetch(`${api.adminUrl}/admin/v1/plans`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await listPlans(adminToken)).status).toBe(200);
  for (let guess = 0; guess < failuresPerMinuteMax; guess++)
    expect((await listPlans(`guess-${guess}`)).status).toBe(401);
  for (const token of ["guess", adminToken]) {
    const refused = await listPlans(token);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, "rate_limit_exceeded"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
});

it("believes no address that a request names, and counts none without a token", async () => {
  const api = await apis.start({ PACKSHOT_TRUSTED_PROXIES: "1" });
  const listPlans = async (headers: Record<string, string>) =>
    (await fetch(`${api.adminUrl}/admin/v1/plans`, { headers })).status;
  for (let request = 0; request < failuresPerMinuteMax; request++) {
    expect(await listPlans({ "X-Forwarded-For": `192.0.2.${request}` })).toBe(401);
  }
  for (let guess = 0; guess < failuresPerMinuteMax; guess++) {
    const headers = { Authorization: `Bearer guess-${guess}`, "X-Forwarded-For": `192.0.2.${guess}` };
    expect(await listPlans(headers)).toBe(401);
  }
  expect(await listPlans({ Authorization: "Bearer guess", "X-Forwarded-For": "192.0.2.99" })).toBe(429);
});

it("leaves other addresses alone", async () => {
  const check = createOperatorCheck(adminToken, { counts: createWindowCounts(undefined), requestsPerMinuteMax: 1 });
  const attempt = (token: string, address: string) => check({ authorization: `Bearer ${token}`, address });
  for (let guess = 0; guess < failuresPerMinuteMax; guess++) {
    await expect(attempt("guess", "192.0.2.1")).rejects.toMatchObject({ code: "unauthenticated" });
  }
  await expect(attempt(adminToken, "192.0.2.1")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(await attempt(adminToken, "192.0.2.2")).toBeUndefined();
});

it("limits the requests with the right token, whatever their addresses, and no guess uses them up", async () => {
  const api = await apis.start({ PACKSHOT_ADMIN_REQUESTS_PER_MINUTE: "3" });
  const listPlans = (token: string) =>
    fetch(`${api.adminUrl}/admin/v1/plans`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await listPlans("guess")).status).toBe(401);
  for (let request = 0; request < 3; request++) expect((await listPlans(adminToken)).status).toBe(200);
  const refused = await listPlans(adminToken);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, "rate_limit_exceeded"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await listPlans("guess")).status).toBe(401);
});

it("an API process does not start with a short token, and says so", async () => {
  await expect(apis.start({ PACKSHOT_ADMIN_TOKEN: "secret" })).rejects.toThrow(
    "PACKSHOT_ADMIN_TOKEN must have at least 32 characters and no spaces",
  );
});
