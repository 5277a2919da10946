/** KEDA as an operator has it: its operator and its metrics server, in a namespace of their own (keda/kustomization.yaml). */
import { fileURLToPath } from "node:url";
import type { Engine } from "../../testing/containers/engine.ts";
import { makeProgramImage } from "../../testing/kubernetes/nodes/add-on-images.ts";
import type { Cluster } from "../../testing/kubernetes/nodes/cluster-client.ts";
import { authoritySecret } from "./engines.ts";

const namespace = "keda";
const kustomization = fileURLToPath(new URL("keda", import.meta.url));
const programOf = (name: string) => fileURLToPath(new URL(`../../.tools/keda/${name}`, import.meta.url));
/** As its official images name it. */
const user = 65_532;

export async function makeKedaImages(engine: Engine): Promise<readonly string[]> {
  const images = { keda: "keda", "keda-metrics-apiserver": "keda-adapter" };
  return await Promise.all(
    Object.entries(images).map(([image, program]) =>
      makeProgramImage(engine, `localhost/packshot-add-on/${image}:test`, programOf(program), user),
    ),
  );
}

/** Resolves when the API server answers requests for external metrics. */
export async function installKeda(cluster: Cluster): Promise<void> {
  await cluster.kubectl("create", "namespace", namespace);
  await cluster.apply(JSON.stringify(authoritySecret("authority")), "--namespace", namespace);
  await cluster.kubectl("apply", "--server-side", "--kustomize", kustomization);
  const apiService = "apiservice/v1beta1.external.metrics.k8s.io";
  await cluster.kubectl("wait", "--for=condition=Available", apiService, "--timeout=600s");
}
