/** What the chart's values are where its pods run as containers on nodes of a test. */
import { nodeRange } from "../../testing/kubernetes/nodes/node-network.ts";

/** As `--set` takes them: an image of podman's storage for every process of ours. */
export function imageValues(image: string): readonly string[] {
  const [, registry, repository, tag] = /^([^/]+)\/(.+):([^:]+)$/.exec(image)!;
  return [`image.registry=${registry}`, `image.repository=${repository}`, `image.tag=${tag}`];
}

const standIn = (engine: string, name: string, tag: string) => [
  `${engine}.image.registry=localhost`,
  `${engine}.image.repository=packshot-stand-in/${name}`,
  `${engine}.image.tag=${tag}`,
];

/** Two nodes that share two processors are promised to more pods than they have room for. */
const requests = ["api", "worker", "modelServer", "webhooks", "nats", "redis"].flatMap((component) => [
  `${component}.resources.requests.cpu=20m`,
]);

export const nodesValues: readonly string[] = [
  // A volume that pods of several nodes mount.
  "storage.volume.accessMode=ReadWriteMany",
  "storage.volume.storageClassName=shared",
  // The test asks for accounts from outside of the cluster, as an operator's network would.
  `networkPolicy.adminFrom[0].ipBlock.cidr=${nodeRange}`,
  ...requests,
];

/** Images of podman's storage for nats-server and Redis. */
export const standInValues: readonly string[] = [
  ...standIn("nats", "nats", "2.15.2"),
  ...standIn("redis", "valkey", "8.1.1"),
];
