/**
 * The chart's pool of model servers for an image model: apart from the others, reached by workers alone, with its own GPUs.
 * @module-tag helm
 */
import { describe, expect, test } from "vitest";
import { renderChart } from "../../testing/deploy/chart.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import { containersOf, type KubernetesObject, ofKind, podsOf } from "../../testing/deploy/kubernetes-objects.ts";

const byManifest = renderChart(chartCases["an image model's pool, by a manifest"]);
const byClaim = renderChart(chartCases["an image model's pool, by a claim, beside sidecars"]);

const podOf = (objects: readonly KubernetesObject[], component: string) =>
  podsOf(objects).find(({ labels }) => labels["app.kubernetes.io/component"] === component)!;

function environmentOf(objects: readonly KubernetesObject[], component: string, container = component) {
  const { env = [] } = containersOf(podOf(objects, component)).find(({ name }) => name === container)!;
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

const named = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  ofKind(objects, kind).find(({ metadata }) => metadata.name === name)!;

describe("an image model's pool", () => {
  test("is made only where it is enabled, and then workers know the model and its servers", () => {
    const plain = renderChart();
    expect(plain.filter(({ metadata }) => metadata.name.endsWith("image-model"))).toEqual([]);
    expect(environmentOf(plain, "worker")).not.toHaveProperty("PACKSHOT_IMAGE_MODEL");
    expect(environmentOf(byManifest, "worker")).toMatchObject({
      PACKSHOT_MODEL_SERVER: "packshot-model-server:8001",
      PACKSHOT_IMAGE_MODEL: "klein",
      PACKSHOT_IMAGE_MODEL_SERVER: "packshot-image-model:8001",
    });
    expect(named(byManifest, "Service", "packshot-image-model").spec).toMatchObject({ clusterIP: "None" });
  });

  test("has GPUs, memory and nodes of its own", () => {
    const pod = podOf(byManifest, "image-model");
    expect(pod.spec).toMatchObject({
      runtimeClassName: "nvidia",
      nodeSelector: { pool: "painters" },
      tolerations: [{ key: "nvidia.com/gpu" }],
    });
    const [server] = pod.spec.containers;
    expect(server!.image).toMatch(/-cuda$/);
    expect(server!.resources).toMatchObject({
      requests: { memory: "12Gi" },
      limits: { memory: "24Gi", "nvidia.com/gpu": 1 },
    });
    expect(environmentOf(byManifest, "image-model", "model-server")).toMatchObject({
      PACKSHOT_EXECUTION_PROVIDERS: "cuda,cpu",
      PACKSHOT_REQUIRE_GPU: "1",
      PACKSHOT_MODEL_DIR: "/models",
      PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: "/run/secrets/model-server-tls/tls.crt",
    });
    const masks = podOf(byManifest, "model-server");
    expect(masks.spec).not.toHaveProperty("nodeSelector");
    expect(masks.spec.containers[0]!.resources!.limits).toEqual({ memory: "4Gi" });
  });

  test("pulls the manifest's files before it starts, and again when the manifest changes", () => {
    const pod = podOf(byManifest, "image-model");
    const [pull] = pod.spec.initContainers!;
    expect(pull!.args!.join(" ")).toBe(
      "cli/packshot.ts models pull --manifest /etc/image-model/manifest.json --keep-verified --model-dir /models",
    );
    const { data } = named(byManifest, "ConfigMap", "packshot-image-model");
    expect(JSON.parse(data["manifest.json"])).toMatchObject({ name: "klein", files: [{ sizeBytes: 4_600_000_000 }] });
    const values = chartCases["an image model's pool, by a manifest"]!.values as { imageModel: object };
    const changed = { name: "klein", files: [] };
    const other = renderChart({ values: { ...values, imageModel: { ...values.imageModel, manifest: changed } } });
    const annotation = (objects: readonly KubernetesObject[]) =>
      named(objects, "Deployment", "packshot-image-model").spec.template.metadata.annotations["checksum/manifest"];
    expect(annotation(other)).not.toBe(annotation(byManifest));
  });

  test("reads a claim where there is one, without a pull and without a GPU", () => {
    const pod = podOf(byClaim, "image-model");
    expect(pod.spec.initContainers).toBeUndefined();
    expect(pod.spec.volumes).toContainEqual({
      name: "models",
      persistentVolumeClaim: { claimName: "image-models" },
    });
    const environment = environmentOf(byClaim, "image-model", "model-server");
    expect(environment).toMatchObject({ PACKSHOT_EXECUTION_PROVIDERS: "cpu", PACKSHOT_MODEL_DIR: "/models" });
    expect(named(byClaim, "Deployment", "packshot-image-model").spec.replicas).toBe(1);
  });

  test("is reached by TLS beside sidecars, too, whose own socket is not encrypted", () => {
    const mountsOf = (component: string, container: string) =>
      containersOf(podOf(byClaim, component)).find(({ name }) => name === container)!.volumeMounts;
    const files = { PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: "/run/secrets/model-server-tls/tls.crt" };
    expect(environmentOf(byClaim, "image-model", "model-server")).toMatchObject(files);
    const certificate = { name: "model-tls", mountPath: "/run/secrets/model-server-tls", readOnly: true };
    expect(mountsOf("image-model", "model-server")).toContainEqual(certificate);
    expect(podOf(byClaim, "image-model").spec.volumes).toContainEqual(
      expect.objectContaining({
        name: "model-tls",
        secret: expect.objectContaining({ secretName: "model-server-tls" }),
      }),
    );
    expect(environmentOf(byClaim, "worker")).toMatchObject({
      PACKSHOT_MODEL_SERVER: "unix:/run/packshot/model-server.sock",
      PACKSHOT_IMAGE_MODEL_SERVER: "packshot-image-model:8001",
      PACKSHOT_MODEL_SERVER_TLS_CA_FILE: "/run/secrets/model-server-ca/ca.crt",
    });
    const authority = { name: "model-ca", mountPath: "/run/secrets/model-server-ca", readOnly: true };
    expect(mountsOf("worker", "worker")).toContainEqual(authority);
    expect(podOf(byClaim, "worker").spec.volumes).toContainEqual(
      expect.objectContaining({
        name: "model-ca",
        secret: expect.objectContaining({ secretName: "model-server-tls" }),
      }),
    );
    expect(environmentOf(byClaim, "worker", "model-server")).not.toHaveProperty("PACKSHOT_MODEL_SERVER_TLS_CERT_FILE");
  });

  test("is scaled by the pictures that wait and are painted, and the masks' servers by the others", () => {
    const { spec } = named(byManifest, "ScaledObject", "packshot-image-model");
    expect(spec).toMatchObject({ scaleTargetRef: { name: "packshot-image-model" }, minReplicaCount: 1 });
    const query = (name: string) => named(byManifest, "ScaledObject", name).spec.triggers[0].metadata.query;
    expect(query("packshot-image-model")).toBe(
      '(sum(packshot_inference_queue_rows{model="klein"}) or vector(0)) + (sum(rate(packshot_inference_busy_seconds_total{model="klein"}[2m])) or vector(0))',
    );
    expect(query("packshot-model-server")).toContain('packshot_inference_busy_seconds_total{model!="klein"}[2m]');
    const plain = renderChart(chartCases.everything);
    expect(named(plain, "ScaledObject", "photos-model-server").spec.triggers[0].metadata.query).toContain(
      "packshot_inference_busy_seconds_total[2m]",
    );
  });

  test("is reached by workers alone, and reaches what it pulls from only where it pulls", () => {
    const policyOf = (objects: readonly KubernetesObject[], component: string) =>
      named(objects, "NetworkPolicy", `packshot-${component}`).spec;
    const selector = (component: string) => ({
      podSelector: { matchLabels: expect.objectContaining({ "app.kubernetes.io/component": component }) },
    });
    const into = policyOf(byManifest, "image-model").ingress.find(({ ports }: { ports: { port: string }[] }) =>
      ports.some(({ port }) => port === "grpc"),
    );
    expect(into.from).toEqual([selector("worker")]);
    expect(policyOf(byManifest, "worker").egress).toContainEqual({
      to: [selector("image-model")],
      ports: [{ port: 8001, protocol: "TCP" }],
    });
    const reachesOut = (objects: readonly KubernetesObject[]) =>
      JSON.stringify(policyOf(objects, "image-model").egress).includes("0.0.0.0/0");
    expect([reachesOut(byManifest), reachesOut(byClaim)]).toEqual([true, false]);
  });

  test("is what auto means only where the operator says so", () => {
    expect(environmentOf(byManifest, "api")).not.toHaveProperty("PACKSHOT_SCENE_ENGINE");
    const { imageModel } = chartCases["an image model's pool, by a claim, beside sidecars"]!.values as {
      imageModel: object;
    };
    const chosen = renderChart({ values: { imageModel: { ...imageModel, isDefaultEngine: true } } });
    expect(environmentOf(chosen, "api")).toMatchObject({ PACKSHOT_SCENE_ENGINE: "generative" });
  });
});
