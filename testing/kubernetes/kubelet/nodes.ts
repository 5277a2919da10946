/** The cluster's nodes: registered, reported ready, and kept alive by their leases. */
import type { Node } from "kubernetes-types/core/v1.d.ts";
import type { ApiClient } from "../api/api-client.ts";
import { apiTime } from "../api/api-time.ts";
import { gatewayAddress } from "../network/pod-network.ts";

export interface NodeOrder {
  readonly name: string;
  readonly zone: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Offered to pods by the name of the resource; there is no such device. */
  readonly devices?: Readonly<Record<string, number>>;
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const leaseSeconds = 40;
const renewEveryMs = 10_000;

export async function registerNodes(
  api: ApiClient,
  orders: readonly NodeOrder[],
  { version, logsPort, signal }: { readonly version: string; readonly logsPort: number; readonly signal: AbortSignal },
): Promise<void> {
  for (const order of orders) await registerNode(api, order, version, logsPort);
  const renewAll = () => {
    for (const { name } of orders) {
      api
        .patch(`${leases}/${name}`, { spec: { renewTime: microTime() } })
        .catch((error: Error) => process.stdout.write(`lease of ${name}: ${error.message}\n`));
    }
  };
  const renewing = setInterval(renewAll, renewEveryMs);
  signal.addEventListener("abort", () => clearInterval(renewing));
}

const microTime = () => new Date().toISOString().replace("Z", "000Z");

async function registerNode(api: ApiClient, order: NodeOrder, version: string, logsPort: number): Promise<void> {
  const { name, zone, labels, devices = {} } = order;
  const time = apiTime();
  const ofDevices = Object.entries(devices).map(([resource, count]) => [resource, String(count)]);
  const resources = {
    cpu: "64",
    memory: "256Gi",
    pods: "110",
    "ephemeral-storage": "1Ti",
    ...Object.fromEntries(ofDevices),
  };
  const node: Node = {
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": process.arch === "x64" ? "amd64" : process.arch,
        "topology.kubernetes.io/zone": zone,
        "topology.kubernetes.io/region": "test",
        ...labels,
      },
    },
  };
  await api.create("/api/v1/nodes", node);
  await api.create(leases, {
    metadata: { name },
    spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: microTime() },
  });
  // The node lifecycle controller takes its taint off a node that is ready.
  const conditions = [
    { type: "Ready", status: "True", reason: "KubeletReady" },
    ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({ type, status: "False", reason: "Enough" })),
  ];
  await api.patch(
    `/api/v1/nodes/${name}/status`,
    {
      status: {
        capacity: resources,
        allocatable: resources,
        addresses: [{ type: "InternalIP", address: gatewayAddress }],
        daemonEndpoints: { kubeletEndpoint: { Port: logsPort } },
        nodeInfo: { architecture: node.metadata!.labels!["kubernetes.io/arch"], kubeletVersion: version },
        conditions: conditions.map((condition) => ({
          ...condition,
          lastHeartbeatTime: time,
          lastTransitionTime: time,
        })),
      },
    },
    "strategic",
  );
}
