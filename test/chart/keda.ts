/** KEDA as an operator has it: its operator and its metrics server, in a namespace of their own. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "../../testing/kubernetes/cluster/cluster-client.ts";
import { certificateSecret } from "./engines.ts";

const namespace = "keda";
const operator = "keda-operator";
const metricsServer = "keda-metrics-apiserver";
const registry = "ghcr.io/kedacore";
const version = "2.21.0";
const kubeconfig = "/kubeconfig/kubeconfig";
const ready = { periodSeconds: 1, failureThreshold: 300 };

interface Program {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly port: number; readonly targetPort: number }[];
  readonly readinessProbe: object;
}

function deployed({ name, image, args, ports, readinessProbe }: Program): object[] {
  const labels = { app: name };
  const fieldRef = { fieldPath: "metadata.namespace" };
  const container = {
    name,
    image,
    args,
    env: [
      { name: "KUBECONFIG", value: kubeconfig },
      { name: "POD_NAMESPACE", valueFrom: { fieldRef } },
      { name: "WATCH_NAMESPACE", value: "" },
    ],
    readinessProbe,
    volumeMounts: [
      { name: "kubeconfig", mountPath: "/kubeconfig" },
      { name: "certificates", mountPath: "/certs" },
      // Whom its scalers trust beside the machine's authorities.
      { name: "authority", mountPath: "/custom/ca" },
      { name: "tmp", mountPath: "/tmp" },
    ],
  };
  const volumes = [
    { name: "kubeconfig", secret: { secretName: "kubeconfig" } },
    { name: "certificates", secret: { secretName: "kedaorg-certs" } },
    { name: "authority", secret: { secretName: "kedaorg-certs", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { name: "tmp", emptyDir: {} },
  ];
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { volumes, containers: [container] } },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { selector: labels, ports: ports.map((port) => ({ ...port, name: `p${port.port}` })) },
    },
  ];
}

/** Resolves when the API server answers requests for external metrics. Its custom kinds are there already. */
export async function installKeda(cluster: Cluster): Promise<void> {
  const inside = await readFile(join(cluster.folder, "kubeconfig"), "utf8");
  // KEDA acts as the cluster's administrator here: the rights of its own service accounts are no part of these tests.
  const stringData = { kubeconfig: inside.replace("127.0.0.1:6443", "kubernetes.default.svc:443") };
  const address = `${operator}.${namespace}.svc.cluster.local`;
  const objects = [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "kubeconfig" }, stringData },
    certificateSecret(
      "kedaorg-certs",
      [operator, metricsServer].map((name) => `${name}.${namespace}.svc.cluster.local`),
    ),
    ...deployed({
      name: operator,
      image: `${registry}/keda:${version}`,
      args: ["--zap-log-level=info", "--zap-encoder=console"],
      ports: [{ port: 9666, targetPort: 9666 }],
      readinessProbe: { ...ready, httpGet: { path: "/readyz", port: 8081 } },
    }),
    ...deployed({
      name: metricsServer,
      image: `${registry}/keda-metrics-apiserver:${version}`,
      args: [
        "--secure-port=6443",
        "--cert-dir=/certs",
        "--tls-cert-file=/certs/tls.crt",
        "--tls-private-key-file=/certs/tls.key",
        `--metrics-service-address=${address}:9666`,
        `--lister-kubeconfig=${kubeconfig}`,
        `--authentication-kubeconfig=${kubeconfig}`,
        `--authorization-kubeconfig=${kubeconfig}`,
        "--logtostderr=true",
      ],
      ports: [{ port: 443, targetPort: 6443 }],
      readinessProbe: { ...ready, tcpSocket: { port: 6443 } },
    }),
    {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1beta1.external.metrics.k8s.io" },
      spec: {
        service: { name: metricsServer, namespace },
        group: "external.metrics.k8s.io",
        version: "v1beta1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
      },
    },
  ];
  await cluster.kubectl("create", "namespace", namespace);
  await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }), "--namespace", namespace);
  const apiService = "apiservice/v1beta1.external.metrics.k8s.io";
  await cluster.kubectl("wait", "--for=condition=Available", apiService, "--timeout=300s");
}
