/** Runs the pods that are bound to the cluster's nodes. One kubelet serves all nodes. */
import type { Pod } from "kubernetes-types/core/v1.d.ts";
import type { WatchedObjects } from "../api/watched-objects.ts";
import { logPathOf } from "./container-run.ts";
import type { FindLog } from "./logs-server.ts";
import { containerFolder, type PodRun, type PodRunDeps, runPod } from "./pod-run.ts";

export function startKubelet(pods: WatchedObjects<Pod>, deps: PodRunDeps): void {
  const runs = new Map<string, PodRun>();
  pods.onChange((pod, change) => {
    const { uid, deletionTimestamp } = pod.metadata!;
    if (pod.spec!.nodeName === undefined) return;
    let run = runs.get(uid!);
    if (change === "removed") {
      runs.delete(uid!);
      void run?.stop();
      return;
    }
    if (run === undefined) {
      run = runPod(deps, pod);
      runs.set(uid!, run);
    }
    run.update(pod);
    if (deletionTimestamp !== undefined) void run.stop();
  });
}

export const findLogIn =
  (pods: WatchedObjects<Pod>, folder: string): FindLog =>
  ({ namespace, pod: name, container, isPrevious }) => {
    const pod = pods.get(namespace, name);
    if (pod === undefined) return undefined;
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    const found = [...containerStatuses, ...initContainerStatuses].find((status) => status.name === container);
    const run = (found?.restartCount ?? 0) - (isPrevious ? 1 : 0);
    return logPathOf(containerFolder(folder, pod.metadata!.uid!, container), run);
  };
