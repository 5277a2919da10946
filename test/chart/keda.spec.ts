/**
 * The chart's workers, scaled by the real KEDA from what the real nats-servers and a real Prometheus say, on a real control
 * plane with its pods as processes.
 */
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchObjects } from "../../testing/kubernetes/api/watched-objects.ts";
import type { Cluster } from "../../testing/kubernetes/cluster/cluster-client.ts";
import { startCluster } from "../../testing/kubernetes/cluster/start-cluster.ts";
import { describeOnCluster } from "../../testing/kubernetes/describe-on-cluster.ts";
import { findProgram, programs } from "../../testing/programs.ts";
import { defineCustomKinds } from "./custom-kinds.ts";
import { installKeda, prometheusEngine } from "./keda.ts";
import { createRelease, type Release } from "./release.ts";

const timeoutMs = 1_800_000;
const waitMs = 900_000;
const namespace = "shop";
const scaledObject = "scaledobject/packshot-worker";
const workersMax = 6;
const jobsPerWorker = 4;
const values = [
  ...["storage.volume.accessMode=ReadWriteMany", "storage.volume.storageClassName=shared"],
  ...["api.replicas=1", "webhooks.replicas=1", "modelServer.replicas=1"],
  ...["worker.autoscaling.enabled=true", "worker.autoscaling.minReplicas=0"],
  ...[`worker.autoscaling.maxReplicas=${workersMax}`, `worker.autoscaling.jobsPerWorker=${jobsPerWorker}`],
  `worker.autoscaling.prometheus.address=http://prometheus.${namespace}.svc.cluster.local:9090`,
];
/** The chart waits minutes before it stops workers, which KEDA_PACE=chart keeps. */
const isAtChartsPace = process.env.KEDA_PACE === "chart";
const fasterPace = {
  spec: {
    pollingInterval: 5,
    cooldownPeriod: 20,
    advanced: {
      horizontalPodAutoscalerConfig: {
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 20, policies: [{ type: "Percent", value: 25, periodSeconds: 10 }] },
        },
      },
    },
  },
};

describeOnCluster(
  "workers that KEDA scales",
  () => {
    let cluster: Cluster;
    let release: Release;
    const watching = new AbortController();
    /** How many workers were asked for, one after the other. */
    const asked: number[] = [];
    const kubectl = (...args: readonly string[]) => release.kubectl(...args);
    beforeAll(async () => {
      if (findProgram("prometheus") === undefined)
        throw new Error(`prometheus is missing: ${programs.prometheus.install}`);
      cluster = await startCluster({ runsKeda: true });
      release = createRelease(cluster, namespace);
      await defineCustomKinds(cluster);
      await installKeda(cluster);
      await cluster.kubectl("create", "namespace", namespace);
      const prometheus = prometheusEngine(`packshot-metrics.${namespace}.svc.cluster.local`);
      const list = { apiVersion: "v1", kind: "List", items: prometheus };
      await cluster.apply(JSON.stringify(list), "--namespace", namespace);
    }, timeoutMs);
    afterAll(async () => {
      watching.abort();
      await release?.stop();
      await cluster?.stop();
    }, timeoutMs);

    const askedNow = () => asked.at(-1);
    const becomes = (count: number) => expect.poll(askedNow, { timeout: waitMs }).toBe(count);

    test("no worker runs where there is no work, and the photo of helm test starts one", {
      timeout: timeoutMs,
    }, async () => {
      await release.writeSecret();
      await release.install({ timeout: "15m", values });
      if (!isAtChartsPace) await kubectl("patch", scaledObject, "--type=merge", "--patch", JSON.stringify(fasterPace));
      await kubectl("wait", "--for=condition=Ready", scaledObject, "--timeout=300s");
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const deployments = await watchObjects<Deployment>(cluster.api, path, watching.signal);
      deployments.onChange(({ metadata, spec }) => {
        if (metadata!.name === "packshot-worker" && spec!.replicas !== askedNow()) asked.push(spec!.replicas!);
      });
      await becomes(0);
      asked.length = 0;
      expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
      await becomes(0);
      expect(Math.max(...asked)).toBe(1);
    });

    test("a burst brings as many workers as may run, and none of them stays; each job ends once", {
      timeout: timeoutMs,
    }, async () => {
      asked.length = 0;
      await release.whileClientsWork(() => becomes(workersMax), 2 * workersMax * jobsPerWorker);
      await becomes(0);
      const top = asked.indexOf(workersMax);
      const up = asked.slice(0, top + 1);
      const down = asked.slice(top);
      console.info(`workers asked for: ${asked.join(", ")}`);
      expect(up).toEqual(up.toSorted((a, b) => a - b));
      expect(down).toEqual(down.toSorted((a, b) => b - a));
    });

    test("workers are taken away while others work, and no job is lost", { timeout: timeoutMs }, async () => {
      await release.whileClientsWork(() => becomes(workersMax), 2 * workersMax * jobsPerWorker);
      await release.whileClientsWork(() => becomes(1));
      await becomes(0);
    });

    test("jobs of two lanes that have waited too long count twice", { timeout: timeoutMs }, async () => {
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
      await kubectl("scale", "deployment/prometheus", "--replicas=0");
      await kubectl("wait", "--for=delete", "pod", "--selector=app=prometheus", "--timeout=300s");
      await release.whileClientsWork(() => becomes(workersMax), 2 * workersMax * jobsPerWorker);
      await becomes(0);
      await kubectl("scale", "deployment/prometheus", "--replicas=1");
    });

    test("without nats-server, one worker waits for it", { timeout: timeoutMs }, async () => {
      asked.length = 0;
      await kubectl("scale", "statefulset/packshot-nats", "--replicas=0");
      await becomes(1);
      await kubectl("scale", "statefulset/packshot-nats", "--replicas=3");
      await becomes(0);
      await release.whileClientsWork(() => becomes(1));
    });
  },
  "test-keda",
);
