/**
 * What a real API server says of the chart, beyond schemas: admission, custom kinds, quotas and what cannot change. The
 * node has no image of ours, so nothing runs.
 * @module-tag helm
 */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { renderChart } from "../../testing/deploy/chart.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import { ofKind } from "../../testing/deploy/kubernetes-objects.ts";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { startNodes } from "../../testing/kubernetes/nodes/start-nodes.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { defineCustomKinds } from "./custom-kinds.ts";

const chart = fileURLToPath(new URL("../../deploy/helm", import.meta.url));
const waitMs = 600_000;

describeOnNodes("test-chart", "the chart on a real API server", (podman) => {
  const cluster = suiteFixture(async () => {
    const started = await startNodes(podman, {});
    await defineCustomKinds(started);
    return started;
  });
  const jsonOf = async (...args: readonly string[]) =>
    JSON.parse(await cluster.kubectl("get", ...args, "--output=json")) as { readonly items: readonly Item[] };

  test.each(Object.entries(chartCases))(
    "%s: the API server accepts every object",
    { timeout: waitMs },
    async (name, values) => {
      const namespace = `accepts-${Object.keys(chartCases).indexOf(name)}`;
      await cluster.kubectl("create", "namespace", namespace);
      const objects = renderChart(values);
      const apply = (applied: typeof objects, ...args: readonly string[]) =>
        cluster.apply(
          applied.map((object) => JSON.stringify(object)).join("\n---\n"),
          "--namespace",
          namespace,
          ...args,
        );
      // The pod of the test is admitted only beside its account.
      await apply(ofKind(objects, "ServiceAccount"));
      const lines = await apply(objects, "--dry-run=server", "--validate=strict");
      expect(lines.trim().split("\n")).toHaveLength(objects.length);
    },
  );

  test("a wrong object of a custom kind is refused", { timeout: waitMs }, async () => {
    const scaled = {
      apiVersion: "keda.sh/v1alpha1",
      kind: "ScaledObject",
      metadata: { name: "wrong" },
      spec: { triggers: "none" },
    };
    await expect(cluster.apply(JSON.stringify(scaled))).rejects.toThrow("spec.triggers");
  });

  test("its pods pass the restricted security standard, and a quota that demands limits", {
    timeout: waitMs,
  }, async () => {
    await cluster.apply(`
apiVersion: v1
kind: Namespace
metadata: { name: strict, labels: { pod-security.kubernetes.io/enforce: restricted } }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: all, namespace: strict }
spec: { hard: { requests.cpu: "64", requests.memory: 64Gi, limits.memory: 128Gi, pods: "50", persistentvolumeclaims: "10" } }
`);
    await cluster.helm("install", "packshot", chart, "--namespace", "strict");
    const wanted = async () => {
      const owners = await jsonOf("deployments,statefulsets,jobs", "--namespace=strict");
      return owners.items.reduce((sum, { spec }) => sum + (spec.replicas ?? spec.completions ?? 0), 0);
    };
    const pods = async () => (await jsonOf("pods", "--namespace=strict")).items.length;
    await expect.poll(pods, { timeout: waitMs }).toBe(await wanted());
    const events = (await jsonOf("events", "--namespace=strict")).items;
    expect(events.filter(({ reason }) => reason === "FailedCreate").map(({ message }) => message)).toEqual([]);
  });

  test("an upgrade changes what it can, and says what it cannot", { timeout: waitMs }, async () => {
    const upgrade = (...args: readonly string[]) =>
      cluster.helm("upgrade", "packshot", chart, "--namespace", "traps", "--reuse-values", ...args);
    await cluster.helm(
      "install",
      "packshot",
      chart,
      "--namespace",
      "traps",
      "--create-namespace",
      "--set",
      "nats.replicas=1",
    );
    await upgrade("--set", "nats.resources.limits.memory=3Gi,api.replicas=3,worker.tmpSize=2Gi");
    await upgrade("--set", "nats.replicas=3");
    await upgrade("--set", "nats.storage=30Gi");
    const claims = await jsonOf(
      "persistentvolumeclaims",
      "--namespace=traps",
      "--selector=app.kubernetes.io/component=nats",
    );
    expect(claims.items.map(({ spec }) => spec.resources.requests.storage)).toEqual(["30Gi", "30Gi", "30Gi"]);
    await expect(upgrade("--set", "nats.storage=10Gi")).rejects.toThrow("field can not be less than");
    await cluster.helm("rollback", "packshot", "4", "--namespace", "traps");
    await upgrade("--set", "api.autoscaling.enabled=true,modelServer.mode=sidecar");
    await cluster.helm("uninstall", "packshot", "--namespace", "traps", "--wait");
    const kinds = "all,configmaps,serviceaccounts,poddisruptionbudgets,networkpolicies";
    const left = async () =>
      (await jsonOf(kinds, "--namespace=traps", "--selector=app.kubernetes.io/instance=packshot")).items.length;
    await expect.poll(left, { timeout: waitMs }).toBe(0);
    const kept = await jsonOf("persistentvolumeclaims", "--namespace=traps");
    expect(kept.items).toHaveLength(4);
  });
});

interface Item {
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own
  readonly spec: any;
  readonly reason?: string;
  readonly message?: string;
}
