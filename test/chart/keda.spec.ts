/**
 * The chart's workers, scaled by the real KEDA from what the real nats-servers and a real Prometheus say.
 */
import { expect, test } from "vitest";
import { openPrometheus } from "./prometheus-engines.ts";
import { describeScaledRelease, inside, scaledObject, workersMax } from "./scaled-release.ts";

describeScaledRelease("workers that KEDA scales", openPrometheus(inside("packshot-metrics")), (scaled) => {
  const kubectl = (...args: readonly string[]) => scaled.release.kubectl(...args);

  test("no worker runs where there is no work, and the photo of helm test starts one", async () => {
    const { asked, becomes, release } = scaled;
    const prometheus = `worker.autoscaling.prometheus.address=http://${inside("prometheus")}:9090`;
    await scaled.install(["worker.autoscaling.minReplicas=0", prometheus]);
    await kubectl("wait", "--for=condition=Ready", scaledObject, "--timeout=300s");
    await becomes(0);
    asked.length = 0;
    expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
    await becomes(0);
    expect(Math.max(...asked)).toBe(1);
  });

  test("a burst brings as many workers as may run, and none of them stays; each job ends once", async () => {
    const { asked, becomes, burst } = scaled;
    asked.length = 0;
    await burst();
    await becomes(0);
    const top = asked.indexOf(workersMax);
    const up = asked.slice(0, top + 1);
    const down = asked.slice(top);
    console.info(`workers asked for: ${asked.join(", ")}`);
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    expect(down).toEqual(down.toSorted((a, b) => b - a));
  });

  test("workers are taken away while others work, and no job is lost", async () => {
    const { becomes, burst, release } = scaled;
    await burst();
    await release.whileClientsWork(() => becomes(1));
    await becomes(0);
  });

  test("jobs of two lanes that have waited too long count twice", async () => {
    const { asked, becomes, stall } = scaled;
    asked.length = 0;
    // Those that two workers have no room for wait. Each account has two in lane 0 and two in lane 1: neither lane alone would ask for
    // more than two workers.
    await stall(4);
    await becomes(0);
    expect(Math.max(...asked)).toBe(4);
  });

  test("without Prometheus the lanes decide alone", async () => {
    const { becomes, burst } = scaled;
    await kubectl("scale", "deployment/prometheus", "--replicas=0");
    await kubectl("wait", "--for=delete", "pod", "--selector=app=prometheus", "--timeout=300s");
    await burst();
    await becomes(0);
    await kubectl("scale", "deployment/prometheus", "--replicas=1");
  });

  test("without nats-server, one worker waits for it", async () => {
    const { asked, becomes, release } = scaled;
    asked.length = 0;
    await kubectl("scale", "statefulset/packshot-nats", "--replicas=0");
    await becomes(1);
    await kubectl("scale", "statefulset/packshot-nats", "--replicas=3");
    await becomes(0);
    await release.whileClientsWork(() => becomes(1));
  });
});
