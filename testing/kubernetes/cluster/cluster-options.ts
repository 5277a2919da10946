import type { NodeOrder } from "../kubelet/nodes.ts";

/** What start-cluster.ts tells cluster-main.ts. */
export interface ClusterOptions {
  /** Everything that the cluster writes. */
  readonly folder: string;
  /** What the images of this product have in /packshot. */
  readonly checkout: string;
  /** What they have there whose tag is one of these. */
  readonly checkouts: Readonly<Record<string, string>>;
  /** The control plane's binary. */
  readonly controlPlane: string;
  readonly nodes: readonly NodeOrder[];
  /** Whether pods may run KEDA, whose programs are large. */
  readonly runsKeda: boolean;
}
