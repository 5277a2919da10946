/** The custom kinds of KEDA and prometheus-operator, of which the chart makes objects. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cluster } from "../../testing/kubernetes/nodes/cluster-client.ts";

const customKinds = fileURLToPath(new URL("../../.tools/custom-kinds", import.meta.url));

export async function defineCustomKinds(cluster: Cluster): Promise<void> {
  const files = readdirSync(customKinds).filter((name) => name.endsWith(".yaml"));
  for (const name of files) await cluster.kubectl("apply", "--server-side", "--filename", join(customKinds, name));
  await cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=300s");
}
