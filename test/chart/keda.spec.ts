/**
 * The chart's workers, scaled by the real KEDA from what the real nats-servers and a real Prometheus say.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { openPrometheus } from "./prometheus-engines.ts";
import { jobsPerWorker, type ScaledRelease, scaledObject, startScaledRelease, workersMax } from "./scaled-release.ts";

const timeoutMs = 1_800_000;
const namespace = "shop";

describeOnNodes("test-keda", "workers that KEDA scales", (podman) => {
  let scaled: ScaledRelease;
  const kubectl = (...args: readonly string[]) => scaled.release.kubectl(...args);
  beforeAll(async () => {
    scaled = await startScaledRelease(
      podman,
      namespace,
      openPrometheus(`packshot-metrics.${namespace}.svc.cluster.local`),
    );
  }, timeoutMs);
  afterAll(() => scaled?.stop(), timeoutMs);

  test("no worker runs where there is no work, and the photo of helm test starts one", {
    timeout: timeoutMs,
  }, async () => {
    const { asked, becomes, release } = scaled;
    const prometheus = `worker.autoscaling.prometheus.address=http://prometheus.${namespace}.svc.cluster.local:9090`;
    await scaled.install(["worker.autoscaling.minReplicas=0", prometheus]);
    await kubectl("wait", "--for=condition=Ready", scaledObject, "--timeout=300s");
    await becomes(0);
    asked.length = 0;
    expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
    await becomes(0);
    expect(Math.max(...asked)).toBe(1);
  });

  test("a burst brings as many workers as may run, and none of them stays; each job ends once", {
    timeout: timeoutMs,
  }, async () => {
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

  test("workers are taken away while others work, and no job is lost", { timeout: timeoutMs }, async () => {
    const { becomes, burst, release } = scaled;
    await burst();
    await release.whileClientsWork(() => becomes(1));
    await becomes(0);
  });

  test("jobs of two lanes that have waited too long count twice", { timeout: timeoutMs }, async () => {
    const { asked, becomes, release } = scaled;
    asked.length = 0;
    // Without a model server no job ends, and those that two workers have no room for wait. Each account has two in lane 0 and two in
    // lane 1: neither lane alone would ask for more than two workers.
    await kubectl("scale", "deployment/packshot-model-server", "--replicas=0");
    await release.whileClientsWork(async () => {
      await becomes(4);
      await kubectl("scale", "deployment/packshot-model-server", "--replicas=1");
    }, 2 * jobsPerWorker);
    await becomes(0);
    expect(Math.max(...asked)).toBe(4);
  });

  test("without Prometheus the lanes decide alone", { timeout: timeoutMs }, async () => {
    const { becomes, burst } = scaled;
    await kubectl("scale", "deployment/prometheus", "--replicas=0");
    await kubectl("wait", "--for=delete", "pod", "--selector=app=prometheus", "--timeout=300s");
    await burst();
    await becomes(0);
    await kubectl("scale", "deployment/prometheus", "--replicas=1");
  });

  test("without nats-server, one worker waits for it", { timeout: timeoutMs }, async () => {
    const { asked, becomes, release } = scaled;
    asked.length = 0;
    await kubectl("scale", "statefulset/packshot-nats", "--replicas=0");
    await becomes(1);
    await kubectl("scale", "statefulset/packshot-nats", "--replicas=3");
    await becomes(0);
    await release.whileClientsWork(() => becomes(1));
  });
});
