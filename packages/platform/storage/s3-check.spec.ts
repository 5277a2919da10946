/**
 * Readiness on S3: what the check finds, and that it costs little.
 * @module-tag versitygw
 */
import { afterEach, expect, test } from "vitest";
import { startProxiedS3 } from "../../../testing/servers/proxied-s3.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import type { PeriodicCheck } from "../lifecycle/periodic-check.ts";
import { createLogger } from "../telemetry/logger.ts";
import { createS3Check } from "./s3-check.ts";
import { createS3Access } from "./s3-client.ts";

const logger = createLogger({ name: "s3-check.spec", level: "fatal" });
const everyMs = 50;
const fixture = suiteFixture(startProxiedS3);
let check: PeriodicCheck | undefined;

async function startCheck({ mayBeFull }: { mayBeFull: boolean }): Promise<PeriodicCheck> {
  const { s3, proxy } = fixture;
  const access = createS3Access({ ...s3.settings, endpoint: proxy.url });
  check = createS3Check({ access, mayBeFull, everyMs, logger });
  await check.start();
  return check;
}

afterEach(async () => {
  await check?.stop();
  fixture.proxy.setFault(() => undefined);
});

test("the bucket is written once and then looked at, until it fails: then each check writes", async () => {
  const { requests, setFault } = fixture.proxy;
  const { reason } = await startCheck({ mayBeFull: false });
  expect(reason()).toBeUndefined();
  await expect.poll(() => requests.filter((request) => request.startsWith("HEAD")).length).toBeGreaterThan(1);
  expect(requests.slice(0, 3).map((request) => request.split("?")[0])).toEqual([
    "PUT /photos/checks/write",
    "HEAD /photos/checks/write",
    "HEAD /photos/checks/write",
  ]);
  setFault(() => ({ status: 403, code: "AccessDenied" }));
  await expect.poll(reason).toMatch(/storage cannot be used/);
  await expect.poll(reason).toBe("storage cannot be used (AccessDenied)");
  const sentWhileFailing = requests.length;
  setFault(() => undefined);
  await expect.poll(reason).toBeUndefined();
  expect(requests[sentWhileFailing]).toContain("PUT");
});

test("a full storage is a fault for a worker, and none for the API, whose clients make room", async () => {
  fixture.proxy.setFault((request) =>
    request.startsWith("PUT") ? { status: 507, code: "InsufficientStorage" } : undefined,
  );
  expect((await startCheck({ mayBeFull: true })).reason()).toBeUndefined();
  await check!.stop();
  await expect
    .poll((await startCheck({ mayBeFull: false })).reason)
    .toBe("storage cannot be used (InsufficientStorage)");
});
