/** A release whose workers the real KEDA scales, on a cluster of its own, and how many of them KEDA asked for. */
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import { expect } from "vitest";
import type { Engine } from "../../testing/containers/engine.ts";
import { watchObjects } from "../../testing/kubernetes/api/watched-objects.ts";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { startNodes } from "../../testing/kubernetes/nodes/start-nodes.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { chartImages, localImages, makePrometheusImage } from "./chart-images.ts";
import { installKeda, makeKedaImages } from "./keda.ts";
import { createRelease, type Release, type ReleaseChange, sharedVolume } from "./release.ts";

export const scaledObject = "scaledobject/packshot-worker";
const jobsPerWorker = 4;
export const workersMax = 6;
export const namespace = "shop";
/** The name in the cluster of a service in the release's namespace. */
export const inside = (name: string) => `${name}.${namespace}.svc.cluster.local`;
/** For each test, and to start and to stop the cluster. */
const timeoutMs = 1_800_000;
const waitMs = 900_000;
const installTimeout = "15m";
const values = [
  ...localImages,
  ...sharedVolume,
  ...["api.replicas=1", "webhooks.replicas=1", "modelServer.replicas=1", "worker.autoscaling.enabled=true"],
  ...[`worker.autoscaling.maxReplicas=${workersMax}`, `worker.autoscaling.jobsPerWorker=${jobsPerWorker}`],
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

/** How KEDA fares with one trigger. */
export interface TriggerHealth {
  readonly status: "Happy" | "Failing";
  /** One after the other. */
  readonly numberOfFailures: number;
}

export interface ScaledRelease {
  readonly release: Release;
  /** How many workers were asked for, one after the other. */
  readonly asked: number[];
  /** Resolves when all pods are ready, and KEDA knows the workers. */
  install(values: readonly string[]): Promise<void>;
  upgrade(values: readonly string[]): Promise<void>;
  apply(objects: readonly object[]): Promise<void>;
  /** Resolves when so many workers are asked for. */
  becomes(count: number): Promise<void>;
  /** Twice the jobs that justify all workers that may run, until all were asked for. */
  burst(): Promise<void>;
  /** Jobs for two workers, of which none ends until so many workers were asked for. */
  stall(count: number): Promise<void>;
  /** By the name of its metric. */
  health(): Promise<Readonly<Record<string, TriggerHealth>>>;
  stop(): Promise<void>;
}

/**
 * Tests of a release on a cluster with KEDA, which the first of them installs.
 *
 * @param engines objects of the namespace that are there before
 */
export function describeScaledRelease(
  title: string,
  engines: readonly object[],
  tests: (scaled: ScaledRelease) => void,
): void {
  const start = (podman: Engine) => suiteFixture(() => startScaledRelease(podman, engines), timeoutMs);
  describeOnNodes("test-keda", title, (podman) => tests(start(podman)), { timeout: timeoutMs });
}

async function startScaledRelease(podman: Engine, engines: readonly object[]): Promise<ScaledRelease> {
  const watching = new AbortController();
  const images = [await chartImages(podman), await makeKedaImages(podman), await makePrometheusImage(podman)].flat();
  const cluster = await startNodes(podman, { images });
  const release = createRelease(cluster, namespace);
  const asked: number[] = [];
  const askedNow = () => asked.at(-1);
  const becomes = (count: number) => expect.poll(askedNow, { timeout: waitMs }).toBe(count);

  async function apply(items: readonly object[]): Promise<void> {
    await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items }), "--namespace", namespace);
  }

  async function change(to: (order: ReleaseChange) => Promise<string>, order: ReleaseChange): Promise<void> {
    await to(order);
    if (!isAtChartsPace)
      await release.kubectl("patch", scaledObject, "--type=merge", "--patch", JSON.stringify(fasterPace));
  }

  async function watchWorkers(): Promise<void> {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const deployments = await watchObjects<Deployment>(cluster.api, path, watching.signal);
    deployments.onChange(({ metadata, spec }) => {
      if (metadata!.name === "packshot-worker" && spec!.replicas !== askedNow()) asked.push(spec!.replicas!);
    });
  }

  async function stop(): Promise<void> {
    watching.abort();
    await release.stop();
    await cluster.stop();
  }

  try {
    await installKeda(cluster);
    await cluster.kubectl("create", "namespace", namespace);
    await apply(engines);
    await watchWorkers();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    release,
    asked,
    async install(own) {
      await release.writeSecret();
      await change(release.install, { timeout: installTimeout, values: [...values, ...own] });
      await release.kubectl("wait", "--for=create", "hpa/keda-hpa-packshot-worker", "--timeout=300s");
    },
    upgrade: (own) => change(release.upgrade, { timeout: installTimeout, values: own }),
    apply,
    becomes,
    burst: () => release.whileClientsWork(() => becomes(workersMax), 2 * workersMax * jobsPerWorker),
    async stall(count) {
      const scale = (replicas: 0 | 1) =>
        release.kubectl("scale", "deployment/packshot-model-server", `--replicas=${replicas}`);
      await scale(0);
      const raised = async () => {
        await becomes(count);
        await scale(1);
      };
      await release.whileClientsWork(raised, 2 * jobsPerWorker);
    },
    async health() {
      const { status } = JSON.parse(await release.kubectl("get", scaledObject, "--output=json")) as {
        status?: { health?: Record<string, TriggerHealth> };
      };
      return status?.health ?? {};
    },
    stop,
  };
}
