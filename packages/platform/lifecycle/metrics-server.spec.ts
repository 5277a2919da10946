import { afterEach, expect, it } from "vitest";
import { createMetrics } from "../telemetry/metrics.ts";
import { createMetricsServer } from "./metrics-server.ts";

const state = { healthy: true, ready: true };
const server = createMetricsServer(createMetrics("test"), {
  host: "127.0.0.1",
  port: 0,
  healthy: () => state.healthy,
  ready: () => state.ready,
});

afterEach(() => server.stop());

it("keeps health and readiness apart: a paused process is not restarted", async () => {
  await server.start();
  const probe = async () => {
    const [health, ready] = await Promise.all(
      ["healthz", "readyz"].map((path) => fetch(`http://${server.address()}/${path}`)),
    );
    return [health!.status, ready!.status];
  };
  expect(await probe()).toEqual([200, 200]);
  state.ready = false;
  expect(await probe()).toEqual([200, 503]);
  state.healthy = false;
  state.ready = true;
  expect(await probe()).toEqual([503, 503]);
});
