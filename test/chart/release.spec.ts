/**
 * The chart's default values from the first install to the end, on a real control plane, with its pods as processes: what
 * an operator does, in this order, while clients edit photos. The first install is that of the release before.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cluster } from "../../testing/kubernetes/cluster/cluster-client.ts";
import { startCluster } from "../../testing/kubernetes/cluster/start-cluster.ts";
import { describeOnCluster } from "../../testing/kubernetes/describe-on-cluster.ts";
import { checkOutRelease, lastRelease } from "../../testing/releases/earlier-release.ts";
import { chartOf, createRelease, type Release } from "./release.ts";

const timeoutMs = 1_200_000;
const waitMs = 600_000;
const namespace = "shop";
/** A volume that pods of several nodes mount; everything else is the chart's default. */
const sharedVolume = ["storage.volume.accessMode=ReadWriteMany", "storage.volume.storageClassName=shared"];
const previousTag = lastRelease.tag;

describeOnCluster("a release of the chart", () => {
  let cluster: Cluster;
  let release: Release;
  let previous: string;
  const kubectl = (...args: readonly string[]) => release.kubectl(...args);
  const component = (name: string) => `--selector=app.kubernetes.io/component=${name}`;
  beforeAll(async () => {
    previous = await checkOutRelease(lastRelease);
    cluster = await startCluster({ checkouts: { [previousTag]: previous } });
    release = createRelease(cluster, namespace);
  }, timeoutMs);
  afterAll(async () => {
    await release?.stop();
    await cluster?.stop();
  }, timeoutMs);
  const installPrevious = (timeout: string) =>
    release.install({ timeout, chart: chartOf(previous), values: [...sharedVolume, `image.tag=${previousTag}`] });

  test("without its secret, an install fails and the pods name what is missing", { timeout: timeoutMs }, async () => {
    await expect(installPrevious("20s")).rejects.toThrow("context deadline exceeded");
    const described = () => kubectl("describe", "pods", component("api"));
    await expect.poll(described, { timeout: waitMs }).toContain('secret "packshot" not found');
    expect(await kubectl("get", "pods", component("api"))).toMatch(/ContainerCreating|CreateContainerConfigError/);
  });

  test("with a wrong secret, the pods say what to do", { timeout: timeoutMs }, async () => {
    await release.writeSecret({ PACKSHOT_LINK_KEY: "short" });
    const failed = "--for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff";
    await kubectl("wait", failed, "pods", component("api"), "--timeout=600s");
    const message = "--output=jsonpath={.items[0].status.containerStatuses[0].lastState.terminated.message}";
    expect(await kubectl("get", "pods", component("api"), message)).toMatch(/PACKSHOT_LINK_KEY.*32 bytes/);
  });

  test("with its secret, it becomes ready, and helm test edits a photo", { timeout: timeoutMs }, async () => {
    await release.writeSecret();
    await installPrevious("15m");
    expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
  });

  test("an upgrade to this release, and a rollback to the one before, replace every pod and lose no job", {
    timeout: timeoutMs,
  }, async () => {
    const toThis = {
      timeout: "10m",
      values: ["image.tag=", "nats.podAnnotations.revision=second", "redis.podAnnotations.revision=second"],
    };
    const running = async () =>
      (
        await kubectl(
          "get",
          "pods",
          "--field-selector=status.phase=Running",
          "--output=jsonpath={.items[*].metadata.uid}",
        )
      ).split(" ");
    const before = await running();
    await release.whileClientsWork(() => release.upgrade(toThis));
    const leftOf = (uids: readonly string[]) => async () => (await running()).filter((uid) => uids.includes(uid));
    await expect.poll(leftOf(before), { timeout: waitMs }).toEqual([]);
    const after = await running();
    await release.whileClientsWork(() => release.rollback());
    await expect.poll(leftOf(after), { timeout: waitMs }).toEqual([]);
    const images = "--output=jsonpath={.items[*].spec.containers[0].image}";
    expect(await kubectl("get", "pods", component("worker"), images)).toContain(previousTag);
    await release.upgrade(toThis);
    expect(await kubectl("get", "deployments", component("worker"), "--output=jsonpath={..image}")).not.toContain(
      previousTag,
    );
  });

  test("an upgrade that fails is rolled back, and clients notice neither", { timeout: timeoutMs }, async () => {
    await release.whileClientsWork(async () => {
      await expect(release.upgrade({ timeout: "15s", values: ["image.tag=0.0.0-missing"] })).rejects.toThrow(
        "context deadline exceeded",
      );
      await expect.poll(() => kubectl("get", "pods"), { timeout: waitMs }).toContain("ImagePullBackOff");
      await release.rollback();
    });
  });

  test("the jobs of a drained node go on elsewhere", { timeout: timeoutMs }, async () => {
    const nodeOf = "--output=jsonpath={.items[0].spec.nodeName}";
    const node = await kubectl("get", "pods", component("worker"), nodeOf);
    await release.whileClientsWork(async () => {
      await kubectl("drain", node, "--delete-emptydir-data", "--timeout=600s");
      for (const part of ["api", "worker", "model-server", "webhooks"])
        await kubectl("rollout", "status", `deployment/packshot-${part}`, "--timeout=600s");
      await kubectl("rollout", "status", "statefulset/packshot-nats", "--timeout=600s");
    });
    const nodes = await kubectl(
      "get",
      "pods",
      "--field-selector=status.phase=Running",
      "--output=jsonpath={.items[*].spec.nodeName}",
    );
    expect(nodes).not.toContain(node);
    await kubectl("uncordon", node);
  });

  test("an uninstall leaves nothing but the volumes", { timeout: timeoutMs }, async () => {
    await cluster.helm("uninstall", "packshot", "--namespace", namespace, "--wait", "--timeout", "10m");
    const left =
      "deployments,statefulsets,jobs,services,configmaps,serviceaccounts,poddisruptionbudgets,networkpolicies";
    expect(await kubectl("get", left, "--selector=app.kubernetes.io/instance=packshot", "--output=name")).toBe("");
    const claims = await kubectl("get", "persistentvolumeclaims", "--output=name");
    expect(claims.trim().split("\n")).toHaveLength(4);
  });
});
