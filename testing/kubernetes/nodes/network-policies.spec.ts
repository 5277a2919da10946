import { expect, test } from "vitest";
import { type ClusterPods, policyRules } from "./network-policies.ts";

const pod = (namespace: string, name: string, podIP: string, port = 80) => ({
  metadata: { namespace, name, labels: { app: name } },
  spec: { containers: [{ name, ports: [{ name: "main", containerPort: port }] }] },
  status: { podIP },
});
const namespace = (name: string) => ({ metadata: { name, labels: { "kubernetes.io/metadata.name": name } } });
const select = (app: string) => ({ matchLabels: { app } });
const cluster: ClusterPods = {
  namespaces: [namespace("shop"), namespace("strangers")],
  pods: [
    pod("shop", "nats", "10.244.1.2", 4222),
    pod("shop", "worker", "10.244.1.3"),
    pod("strangers", "nats", "10.244.2.4"),
  ],
  policies: [
    {
      metadata: { namespace: "shop", name: "nats" },
      spec: {
        podSelector: select("nats"),
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ podSelector: select("worker") }], ports: [{ port: "main" }] }],
      },
    },
    {
      metadata: { namespace: "shop", name: "worker" },
      spec: {
        podSelector: select("worker"),
        policyTypes: ["Egress"],
        egress: [{ to: [{ ipBlock: { cidr: "0.0.0.0/0", except: ["10.0.0.0/8"] } }, { ipBlock: { cidr: "::/0" } }] }],
      },
    },
  ],
};

const linesOf = (chain: string) => policyRules(cluster).split(`chain ${chain} {\n`)[1]?.split("\n}\n")[0]?.split("\n");

test("a selected pod takes what its policies name, by the pod's own name of the port, and nothing else", () => {
  expect(linesOf("ingress-10-244-1-2")).toEqual(["ip saddr { 10.244.1.3 } tcp dport 4222 return", "drop"]);
  expect(linesOf("forward")).toContain("ip daddr 10.244.1.2 jump ingress-10-244-1-2");
});

test("a block of addresses has exceptions, and one of IPv6 has no rule", () => {
  expect(linesOf("egress-10-244-1-3")).toEqual(["ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8 } return", "drop"]);
});

test("a pod that no policy of its namespace selects is left alone", () => {
  expect(policyRules(cluster)).not.toContain("10.244.2.4");
  expect(linesOf("egress-10-244-1-2")).toBeUndefined();
  expect(linesOf("ingress-10-244-1-3")).toBeUndefined();
});
