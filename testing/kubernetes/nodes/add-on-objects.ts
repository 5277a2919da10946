/** The pods that a cluster has beside ours: CoreDNS, under the name that network policies know. */
import { namesAddress } from "./node-agents.ts";

const namespace = "kube-system";
const names = "kube-dns";
export const pauseImage = "localhost/packshot-add-on/pause:test";
export const namesImage = "localhost/packshot-add-on/names:test";

const corefile = `.:53 {
    errors
    health
    ready
    kubernetes cluster.local in-addr.arpa {
        pods disabled
    }
    cache 5
}
`;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** A service account that may read what its program watches. */
function account(name: string, rules: readonly Rule[]): readonly object[] {
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const rbac = "rbac.authorization.k8s.io";
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects,
    },
  ];
}

const watch = ["list", "watch"];
const labels = (name: string) => ({ "k8s-app": name });

export function namesObjects(): readonly object[] {
  const container = {
    name: "coredns",
    image: namesImage,
    imagePullPolicy: "Never",
    args: ["-conf", "/etc/coredns/Corefile"],
    readinessProbe: { httpGet: { path: "/ready", port: 8181 }, periodSeconds: 1 },
    // Who asks for nothing gets a hundredth of a loaded node.
    resources: { requests: { cpu: "100m" } },
    volumeMounts: [{ name: "settings", mountPath: "/etc/coredns" }],
  };
  const ports = ["UDP", "TCP"].map((protocol) => ({ name: `dns-${protocol.toLowerCase()}`, port: 53, protocol }));
  return [
    ...account(names, [
      { apiGroups: [""], resources: ["services", "pods", "namespaces"], verbs: watch },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: watch },
    ]),
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: names, namespace }, data: { Corefile: corefile } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: names, namespace },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels(names) },
        template: {
          metadata: { labels: labels(names) },
          spec: {
            serviceAccountName: names,
            // A drained node's pods go first.
            priorityClassName: "system-cluster-critical",
            dnsPolicy: "Default",
            containers: [container],
            volumes: [{ name: "settings", configMap: { name: names } }],
          },
        },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: names, namespace },
      spec: { clusterIP: namesAddress, selector: labels(names), ports },
    },
  ];
}
