/** What start-nodes.ts tells nodes-main.ts. */
export interface NodesOptions {
  /** Everything that the cluster writes. */
  readonly folder: string;
  /** The binary with the control plane and the nodes' agents. */
  readonly controlPlane: string;
  /** All images that pods run, as `podman save` or `packshot bundle` wrote them. */
  readonly archives: readonly string[];
  /** A node in each: "a" has the node "node-a" in "zone-a". */
  readonly zones: readonly string[];
  /** The parent of the nodes' cgroups. */
  readonly cgroup: string;
}
