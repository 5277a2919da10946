/**
 * Every example of the chart whose programs run here, and a release on an operator's own engines: installed until it is
 * ready, and an edit by `helm test`. `make test-chart-examples`.
 * @module-tag helm
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { exampleNames } from "../../testing/deploy/chart.ts";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { type NodesCluster, startNodes } from "../../testing/kubernetes/nodes/start-nodes.ts";
import { chartImages, localImages, makeS3Image } from "./chart-images.ts";
import { defineCustomKinds } from "./custom-kinds.ts";
import * as engines from "./engines.ts";
import { createRelease, egressTo } from "./release.ts";

const timeoutMs = 1_800_000;

interface Setting {
  /** Objects that are there before, in the namespace of the release or in `beforeIn`. */
  readonly before: (namespace: string) => readonly object[];
  readonly beforeIn?: string;
  /** What the example's own values cannot be here, as `--set` takes it. */
  readonly values: readonly string[];
}

/** The device that nodes offer is not there; its runtime class is the nodes' own runtime. */
const devices = { "nvidia.com/gpu": "4", "nvidia.com/mig-1g.10gb": "4" };
const labels = ["nvidia.com/gpu.present=true", "nvidia.com/mig.strategy=mixed", "packshot.example.com/pool=nats"];
const runtimeClass = {
  apiVersion: "node.k8s.io/v1",
  kind: "RuntimeClass",
  metadata: { name: "nvidia" },
  handler: "runc",
};
const zones = ["a", "b"];
const fewPods = ["worker.replicas=1", "webhooks.replicas=1"];
/** The pods are scheduled as for a GPU, whose library no process finds here. */
const withoutCuda = [
  "modelServer.settings.PACKSHOT_REQUIRE_GPU=0",
  "modelServer.settings.PACKSHOT_EXECUTION_PROVIDERS=cpu",
];
const certificates = (namespace: string) => [
  engines.certificateSecret("packshot-nats-tls", [`*.packshot-nats.${namespace}.svc`]),
  engines.certificateSecret("packshot-model-server-tls", ["packshot-model-server"]),
];
const withGpu: Setting = {
  before: (namespace) => [...certificates(namespace), ...engines.s3Engine()],
  values: [...engines.s3Values, ...egressTo(engines.toS3), ...fewPods, ...withoutCuda],
};

const examples: Readonly<Record<string, Setting>> = {
  "cpu-small": { before: () => [], values: [] },
  "air-gapped": {
    before: () => [engines.claim("packshot-photos", "20Gi"), ...engines.filledModelClaim("packshot-models")],
    values: [...fewPods, "modelServer.replicas=1", "modelServer.models.served={u2netp}"],
  },
  "gpu-standard": withGpu,
  "gpu-large": withGpu,
  triton: {
    before: () => engines.modelServerEngine(),
    beforeIn: "inference",
    values: fewPods,
  },
};
/** No program of ours: docs/triton.md says what was tried in its place. */
const notRun = ["triton-of-the-chart"];

describeOnNodes("test-chart-examples", "the chart's examples", (podman) => {
  let cluster: NodesCluster;

  beforeAll(async () => {
    const images = [...(await chartImages(podman)), await makeS3Image(podman)];
    cluster = await startNodes(podman, { images, zones });
    await defineCustomKinds(cluster);
    await cluster.apply(JSON.stringify(runtimeClass));
    await cluster.kubectl("label", "nodes", "--all", ...labels);
    const offers = JSON.stringify({ status: { capacity: devices } });
    for (const zone of zones)
      await cluster.kubectl("patch", "node", `node-${zone}`, "--subresource=status", "--type=merge", "--patch", offers);
  }, timeoutMs);
  afterAll(async () => await cluster?.stop(), timeoutMs);

  async function installAndTest(namespace: string, setting: Setting, file?: string): Promise<void> {
    const { before, beforeIn = namespace } = setting;
    const release = createRelease(cluster, namespace);
    const namespaces = [...new Set([namespace, beforeIn])];
    for (const one of namespaces) await cluster.kubectl("create", "namespace", one);
    await release.writeSecret();
    const objects = before(namespace).map((object) => JSON.stringify(object));
    if (objects.length > 0) await cluster.apply(objects.join("\n---\n"), "--namespace", beforeIn);
    try {
      const values = [...localImages, ...setting.values];
      await release.install({ timeout: "10m", values, ...(file && { file }) });
      expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
    } finally {
      console.info(`${namespace}\n${await release.kubectl("get", "pods").catch(String)}`);
      await cluster.kubectl("delete", "namespace", ...namespaces, "--timeout=300s");
    }
  }

  test("are all run, or said not to be", () => {
    expect([...Object.keys(examples), ...notRun].sort()).toEqual([...exampleNames].sort());
  });

  test.each(Object.entries(examples))(
    "%s becomes ready and edits a photo",
    { timeout: timeoutMs },
    async (name, setting) => {
      const file = fileURLToPath(new URL(`../../deploy/helm/examples/${name}.yaml`, import.meta.url));
      expect(parse(readFileSync(file, "utf8"))).toBeTypeOf("object");
      await installAndTest(name, setting, file);
    },
  );

  test("a release on a bucket, a nats-server with TLS and users, and a Redis of the operator's edits a photo", {
    timeout: timeoutMs,
  }, async () => {
    const nats = ["nats.url=nats://nats:4222", "nats.streamReplicas=1", "nats.tls.existingSecret=nats-tls"];
    const redis = ["redis.enabled=false", "redis.externalUrlSecret=redis"];
    const egress = egressTo({ ...engines.toS3, nats: 4222, redis: 6379 });
    const values = [...engines.s3Values, ...egress, ...fewPods, ...nats, ...redis, "api.replicas=1"];
    await installAndTest("own-engines", {
      before: () => [...engines.s3Engine(), ...engines.natsEngine(), ...engines.redisEngine()],
      values,
    });
  });

  test("a release without Redis, with one server for the log, edits a photo", { timeout: timeoutMs }, async () => {
    const values = ["redis.enabled=false", "nats.replicas=1", "nats.stateStreams=1", ...fewPods, "api.replicas=1"];
    await installAndTest("without-redis", { before: () => [], values });
  });
});
