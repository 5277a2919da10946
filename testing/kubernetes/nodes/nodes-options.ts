export interface NodeChoice {
  readonly name: string;
  readonly zone: string;
}

/** What start-nodes.ts tells nodes-main.ts. */
export interface NodesOptions {
  /** Everything that the cluster writes. */
  readonly folder: string;
  /** The binary with the control plane and the nodes' agents. */
  readonly controlPlane: string;
  /** What `podman save` wrote: all images that pods run. */
  readonly archive: string;
  readonly nodes: readonly NodeChoice[];
  /** The parent of the nodes' cgroups. */
  readonly cgroup: string;
}
