/** Events of pods, as `kubectl describe` lists them; one that repeats is counted. */
import type { Pod } from "kubernetes-types/core/v1.d.ts";
import type { ApiClient } from "../api/api-client.ts";
import { apiTime } from "../api/api-time.ts";

const warnings = new Set(["FailedMount", "Failed", "BackOff", "Unhealthy"]);
const eventsMax = 10_000;

export function createEventReporter(api: ApiClient) {
  const counts = new Map<string, number>();
  return (pod: Pod, reason: string, message: string): void => {
    const { namespace, name, uid } = pod.metadata!;
    const key = `${uid} ${reason} ${message}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (counts.size > eventsMax) counts.clear();
    // The first few, then fewer and fewer: a probe may fail every second.
    if ((count & (count - 1)) !== 0) return;
    const time = apiTime();
    const event = {
      metadata: { generateName: `${name}-`, namespace },
      involvedObject: { kind: "Pod", apiVersion: "v1", namespace, name, uid },
      type: warnings.has(reason) ? "Warning" : "Normal",
      reason,
      message: message.slice(0, 1024),
      count,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: "kubelet", host: pod.spec!.nodeName },
    };
    api.create(`/api/v1/namespaces/${namespace}/events`, event).catch(() => {}); // The namespace may be gone.
  };
}
