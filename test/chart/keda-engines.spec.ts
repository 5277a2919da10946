/**
 * The chart's workers, scaled by the real KEDA where what it asks wants HTTPS and credentials, and where there is no Prometheus: an
 * operator's own nats-server, whose monitoring speaks HTTPS, and a Prometheus behind a password, then behind a token.
 */
import { expect, test } from "vitest";
import { natsEngine } from "./engines.ts";
import { credentials, guardedPrometheus, triggerAuthentication } from "./prometheus-engines.ts";
import { egressTo } from "./release.ts";
import { describeScaledRelease, inside, namespace } from "./scaled-release.ts";

const waitMs = 600_000;
/** More than the chart's fallback waits for, and one. */
const failuresOfAnOutage = 6;

const autoscaling = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => `worker.autoscaling.${name}=${value}`);
const ownNats = [
  ...egressTo({ nats: 4222 }),
  ...["nats.url=nats://nats:4222", "nats.streamReplicas=1", "nats.tls.existingSecret=nats-tls"],
  ...autoscaling({ natsMonitoring: `${inside("nats")}:8222`, natsMonitoringHttps: "true" }),
];

const engines = [
  ...natsEngine({ names: ["nats", inside("nats")], monitoring: "https" }),
  ...guardedPrometheus(inside("packshot-metrics"), namespace),
  ...triggerAuthentication("prometheus-user", { ...credentials.basic, password: "wrong" }),
  ...triggerAuthentication("prometheus-token", { ...credentials.bearer, bearerToken: "wrong" }),
  ...triggerAuthentication("nats-monitoring", {
    natsServerMonitoringEndpoint: `${inside("nats")}:8222`,
    account: "$G",
  }),
];

describeScaledRelease("workers that KEDA scales by engines behind HTTPS", engines, (scaled) => {
  const kubectl = (...args: readonly string[]) => scaled.release.kubectl(...args);

  async function awaitStatus(status: "Happy" | "Failing"): Promise<void> {
    const statusOfPrometheus = async () => (await scaled.health())["s4-prometheus"]?.status;
    await expect.poll(statusOfPrometheus, { timeout: waitMs, interval: 1_000 }).toBe(status);
  }

  test("a Prometheus that refuses the password counts as away: the lanes decide alone, and one worker stays", async () => {
    const { asked, becomes, burst } = scaled;
    const prometheus = {
      "prometheus.address": `https://${inside("prometheus")}:9090`,
      "prometheus.authModes": "basic",
      "prometheus.authentication": "prometheus-user",
    };
    await scaled.install([...ownNats, ...autoscaling({ minReplicas: "1", ...prometheus })]);
    await awaitStatus("Failing");
    await burst();
    await becomes(1);
    console.info(`workers asked for: ${asked.join(", ")}`);
    expect(Math.min(...asked)).toBe(1);
  });

  test("with the right password its figures count: jobs that have waited too long count twice", async () => {
    const { asked, becomes, stall } = scaled;
    await scaled.apply(triggerAuthentication("prometheus-user", credentials.basic));
    await awaitStatus("Happy");
    asked.length = 0;
    await stall(4);
    await becomes(1);
    expect(Math.max(...asked)).toBe(4);
  });

  test("a token is shown where the values say so, and a wrong one counts as away", async () => {
    const gate = {
      "prometheus.address": `https://${inside("prometheus-gate")}:8443`,
      "prometheus.authModes": "bearer",
      "prometheus.authentication": "prometheus-token",
    };
    await scaled.upgrade(autoscaling(gate));
    await awaitStatus("Failing");
    await scaled.apply(triggerAuthentication("prometheus-token", credentials.bearer));
    await awaitStatus("Happy");
  });

  test("without Prometheus the lanes decide, at the address of a secret; while nats-server is away, workers stay", async () => {
    const { asked, becomes, burst } = scaled;
    const without = { "prometheus.address": "", "prometheus.authModes": "", "prometheus.authentication": "" };
    await scaled.upgrade(
      autoscaling({ ...without, natsMonitoring: "", natsAuthentication: "nats-monitoring", minReplicas: "1" }),
    );
    await burst();
    await kubectl("scale", "deployment/nats", "--replicas=0");
    await kubectl("wait", "--for=delete", "pod", "--selector=app=nats", "--timeout=300s");
    const failures = async () => {
      const counts = Object.values(await scaled.health()).map(({ numberOfFailures }) => numberOfFailures);
      return Math.max(0, ...counts);
    };
    const atLeast = (count: number) =>
      expect.poll(failures, { timeout: waitMs, interval: 1_000 }).toBeGreaterThanOrEqual(count);
    await atLeast(1);
    const held = asked.at(-1);
    expect(held).toBeGreaterThan(1);
    await atLeast(failuresOfAnOutage);
    expect(asked.at(-1)).toBe(held);
    await kubectl("scale", "deployment/nats", "--replicas=1");
    await becomes(1);
  });

  test("without Prometheus none stays where there is no work, and the photo of helm test starts one", async () => {
    const { asked, becomes, release } = scaled;
    await scaled.upgrade(autoscaling({ minReplicas: "0" }));
    await becomes(0);
    asked.length = 0;
    expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
    await becomes(0);
    expect(Math.max(...asked)).toBe(1);
  });
});
