import { afterEach, expect, it } from "vitest";
import { createMetrics } from "../telemetry/metrics.ts";
import { createMetricsServer } from "./metrics-server.ts";
import { createReadiness } from "./readiness.ts";
import { registerReadiness } from "./readiness-metrics.ts";

const readiness = createReadiness();
const metrics = createMetrics("test");
registerReadiness(metrics.registry, readiness);
const server = createMetricsServer(metrics, { host: "127.0.0.1", port: 0, readiness });

afterEach(() => server.stop());

async function probe(path: string): Promise<unknown[]> {
  const response = await fetch(`http://${server.address()}${path}`);
  return [response.status, await response.json()];
}

it("keeps liveness and readiness apart: a process that is not ready is not restarted", async () => {
  let problem: string | undefined = "the disk is on fire";
  readiness.require("disk", () => problem);
  await server.start();
  const alive = [200, { status: "ok" }];
  const unready = (reasons: object) => [503, { status: "unavailable", reasons }];

  expect(await probe("/readyz")).toEqual(unready({ process: "starting", disk: "the disk is on fire" }));
  await readiness.start();
  expect(await probe("/readyz")).toEqual(unready({ disk: "the disk is on fire" }));
  const scraped = await (await fetch(`http://${server.address()}/metrics`)).text();
  expect(scraped).toContain('packshot_ready{requirement="disk",service="test"} 0');
  expect(scraped).toContain('packshot_ready{requirement="process",service="test"} 1');
  expect([await probe("/livez"), await probe("/healthz")]).toEqual([alive, alive]);
  problem = undefined;
  expect(await probe("/readyz")).toEqual(alive);
  await readiness.stop();
  expect(await probe("/readyz")).toEqual(unready({ process: "stopping" }));
  expect(await probe("/livez")).toEqual(alive);
});
