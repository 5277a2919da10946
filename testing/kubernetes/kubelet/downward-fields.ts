/** What a pod may read about itself: the "downward API". */
import type { Container, Pod, ResourceFieldSelector } from "kubernetes-types/core/v1.d.ts";

/** The node's resources, where a container has no limit. */
const defaults: Readonly<Record<string, string>> = { cpu: "64", memory: "256Gi", "ephemeral-storage": "1Ti" };
const suffixes: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** "512Mi" as a number. */
function quantity(text: string): number {
  const [, digits, suffix = ""] = /^([-+.\deE]+?)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(digits) * (suffixes[suffix] ?? 1);
}

export function downwardField(pod: Pod, path: string): string {
  const { metadata, spec, status } = pod;
  const [, map, key] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (map !== undefined) return metadata![map as "labels" | "annotations"]?.[key!] ?? "";
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": metadata!.name,
    "metadata.namespace": metadata!.namespace,
    "metadata.uid": metadata!.uid,
    "metadata.labels": lines(metadata!.labels),
    "metadata.annotations": lines(metadata!.annotations),
    "spec.nodeName": spec!.nodeName,
    "spec.serviceAccountName": spec!.serviceAccountName,
    "status.hostIP": status?.hostIP,
    "status.podIP": status?.podIP,
    "status.podIPs": status?.podIP,
  };
  return fields[path] ?? "";
}

export function resourceField(container: Container, { resource, divisor = "1" }: ResourceFieldSelector): string {
  const [kind, name = ""] = resource.split(".") as ["limits" | "requests", string];
  const { limits = {}, requests = {} } = container.resources ?? {};
  const value = (kind === "limits" ? limits[name] : (requests[name] ?? limits[name])) ?? defaults[name] ?? "0";
  return String(Math.ceil(quantity(value) / (quantity(divisor) || 1)));
}

const lines = (map: Readonly<Record<string, string>> = {}) =>
  Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join("\n");
