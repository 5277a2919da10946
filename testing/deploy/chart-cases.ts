/** The values with which the chart is tested: its defaults, its examples, and what neither of them turns on. */
import { type ChartValues, exampleNames } from "./chart.ts";

const everything: object = {
  fullnameOverride: "photos",
  imagePullSecrets: [{ name: "pull" }],
  api: {
    autoscaling: { enabled: true },
    settings: { PACKSHOT_FORMS_MAX: "64" },
    serviceAccount: { annotations: { "cloud/role": "photos" } },
    podLabels: { team: "photos" },
    podAnnotations: { note: "one" },
    extraEnv: [{ name: "NODE_EXTRA_CA_CERTS", value: "/etc/ca/ca.crt" }],
    extraVolumes: [{ name: "ca", configMap: { name: "ca" } }],
    extraVolumeMounts: [{ name: "ca", mountPath: "/etc/ca" }],
  },
  worker: {
    autoscaling: { enabled: true },
    nodeSelector: { pool: "cpu" },
    affinity: { nodeAffinity: {} },
    priorityClassName: "high",
  },
  nats: { tls: { existingSecret: "nats-tls" } },
  migrate: { preflight: { enabled: true } },
  modelServer: {
    gpu: { enabled: true },
    tls: { existingSecret: "model-server-tls" },
    runtimeClassName: "nvidia",
    models: { pull: [{ name: "u2netp", sha256: "a".repeat(64) }, { name: "isnet-general-use" }] },
    autoscaling: { enabled: true, prometheusAddress: "http://prometheus:9090" },
  },
  ingress: { enabled: true, tlsSecret: "tls", annotations: { a: "b" } },
  monitoring: {
    serviceMonitor: { enabled: true, labels: { release: "kube-prometheus" } },
    prometheusRule: { enabled: true },
    dashboard: { enabled: true },
  },
};

const withoutEngines: object = {
  nats: { url: "nats://nats.engines:4222", auth: { enabled: false } },
  redis: { enabled: false, externalUrlSecret: "redis" },
  networkPolicy: { enabled: false },
  storage: { volume: { existingClaim: "photos", accessMode: "ReadWriteMany" } },
  modelServer: { externalAddress: "triton.engines:8001" },
};

const sidecarOnGpu: object = {
  modelServer: { mode: "sidecar", gpu: { enabled: true }, models: { pull: [{ name: "u2netp" }] } },
};

const tritonWithMore: object = {
  modelServer: {
    engine: "triton",
    tls: { existingSecret: "model-server-tls" },
    models: { pull: [{ name: "u2netp", sha256: "a".repeat(64) }], served: ["isnet-general-use"] },
  },
};

const imageModelOfAManifest: object = {
  imageModel: {
    enabled: true,
    name: "klein",
    manifest: { name: "klein", files: [{ name: "transformer.onnx", sizeBytes: 4_600_000_000 }] },
    runtimeClassName: "nvidia",
    nodeSelector: { pool: "painters" },
    tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
    autoscaling: { enabled: true, prometheusAddress: "http://prometheus:9090" },
  },
  modelServer: {
    tls: { existingSecret: "model-server-tls" },
    autoscaling: { enabled: true, prometheusAddress: "http://prometheus:9090" },
  },
};

const imageModelOfAClaim: object = {
  imageModel: { enabled: true, name: "klein", existingClaim: "image-models", gpu: { enabled: false } },
  modelServer: { mode: "sidecar", tls: { existingSecret: "model-server-tls" } },
};

/** By name: what `helm template` gets. */
export const chartCases: Readonly<Record<string, ChartValues>> = {
  defaults: {},
  everything: { values: everything },
  "engines of the operator": { values: withoutEngines },
  "a model server in each worker's pod": { values: sidecarOnGpu },
  "Triton with further models": { values: tritonWithMore },
  "an image model's pool, by a manifest": { values: imageModelOfAManifest },
  "an image model's pool, by a claim, beside sidecars": { values: imageModelOfAClaim },
  ...Object.fromEntries(exampleNames.map((name) => [`example ${name}`, { example: name }])),
};
