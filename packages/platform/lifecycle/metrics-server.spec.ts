import { afterEach, expect, it } from "vitest";
import { createMetrics } from "../telemetry/metrics.ts";
import { createMetricsServer } from "./metrics-server.ts";
import { createReadiness, registerReadiness } from "./readiness.ts";

const readiness = createReadiness();
const metrics = createMetrics("test");
registerReadiness(metrics.registry, readiness);
const server = createMetricsServer(metrics, { host: "127.0.0.1", port: 0, readiness });

afterEach(() => server.stop());

async function probe(path: string): Promise<unknown[]> {
  const response = await fetch(`http://${server.address()}${path}`);
  return [response.status, await response.json()];
}

it("keeps live, started and ready apart: a process that is not ready is not restarted", async () => {
  let problem: string | undefined = "the disk is on fire";
  readiness.require("disk", () => problem);
  await server.start();
  const alive = [200, { status: "ok" }];
  const unready = (reasons: object) => [503, { status: "unavailable", reasons }];

  const starting = unready({ process: "starting", disk: "the disk is on fire" });
  expect([await probe("/health/ready"), await probe("/health/started")]).toEqual([starting, starting]);
  await readiness.start();
  expect(await probe("/health/ready")).toEqual(unready({ disk: "the disk is on fire" }));
  expect(await probe("/health/started")).toEqual(alive);
  const scraped = await (await fetch(`http://${server.address()}/metrics`)).text();
  expect(scraped).toContain('packshot_ready{requirement="disk",service="test"} 0');
  expect(scraped).toContain('packshot_ready{requirement="process",service="test"} 1');
  expect(await probe("/health/live")).toEqual(alive);
  problem = undefined;
  expect(await probe("/health/ready")).toEqual(alive);
  await readiness.stop();
  expect(await probe("/health/ready")).toEqual(unready({ process: "stopping" }));
  expect([await probe("/health/live"), await probe("/health/started")]).toEqual([alive, alive]);
});
