/** A container's environment, as Kubernetes puts it together. */
import type { ConfigMap, Container, EnvVar, EnvVarSource, Pod, Secret, Service } from "kubernetes-types/core/v1.d.ts";
import type { ApiClient } from "../api/api-client.ts";
import type { WatchedObjects } from "../api/watched-objects.ts";
import { downwardField, resourceField } from "./downward-fields.ts";
import { expandReferences } from "./expand-references.ts";

/** What an object that the pod names lacks; its message is what `kubectl describe` shows. */
export class PodConfigError extends Error {}

export interface EnvironmentDeps {
  readonly api: ApiClient;
  readonly services: WatchedObjects<Service>;
}

type Data = ReadonlyMap<string, Buffer>;

/** The keys of a secret or config map. Undefined where there is none and the reference is optional. */
export async function readData(
  api: ApiClient,
  kind: "Secret" | "ConfigMap",
  namespace: string,
  { name, optional }: { readonly name?: string; readonly optional?: boolean },
): Promise<Data | undefined> {
  const resource = kind === "Secret" ? "secrets" : "configmaps";
  const object = await api.find<Secret & ConfigMap>(`/api/v1/namespaces/${namespace}/${resource}/${name}`);
  if (object === undefined) {
    if (optional === true) return undefined;
    throw new PodConfigError(`${kind.toLowerCase()} "${name}" not found`);
  }
  const encoding = kind === "Secret" ? "base64" : "utf8";
  return new Map(Object.entries(object.data ?? {}).map(([key, text]) => [key, Buffer.from(text, encoding)]));
}

/** Rejects with a PodConfigError when something that it needs is missing. */
export async function containerEnvironment(
  { api, services }: EnvironmentDeps,
  pod: Pod,
  container: Container,
): Promise<ReadonlyMap<string, string>> {
  const namespace = pod.metadata!.namespace!;
  const environment = new Map<string, string>([
    ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ["HOME", "/"],
    ["HOSTNAME", pod.spec!.hostname ?? pod.metadata!.name!],
    ...serviceVariables(services.all(), namespace, pod.spec!.enableServiceLinks !== false),
  ]);
  for (const { configMapRef, secretRef, prefix = "" } of container.envFrom ?? []) {
    const data =
      secretRef === undefined
        ? await readData(api, "ConfigMap", namespace, configMapRef!)
        : await readData(api, "Secret", namespace, secretRef);
    for (const [key, value] of data ?? []) environment.set(prefix + key, value.toString());
  }
  for (const variable of container.env ?? []) {
    const value = await variableValue(api, pod, container, variable);
    if (value !== undefined) environment.set(variable.name, expandReferences(value, environment));
  }
  return environment;
}

async function variableValue(
  api: ApiClient,
  pod: Pod,
  container: Container,
  variable: EnvVar,
): Promise<string | undefined> {
  const { value = "", valueFrom } = variable;
  if (valueFrom === undefined) return value;
  const { fieldRef, resourceFieldRef } = valueFrom;
  if (fieldRef !== undefined) return downwardField(pod, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) return resourceField(container, resourceFieldRef);
  return await keyValue(api, pod.metadata!.namespace!, valueFrom);
}

async function keyValue(api: ApiClient, namespace: string, source: EnvVarSource): Promise<string | undefined> {
  const kind = source.secretKeyRef === undefined ? "ConfigMap" : "Secret";
  const reference = source.secretKeyRef ?? source.configMapKeyRef!;
  const data = await readData(api, kind, namespace, reference);
  const value = data?.get(reference.key);
  if (value !== undefined) return value.toString();
  if (reference.optional === true) return undefined;
  throw new PodConfigError(`couldn't find key ${reference.key} in ${kind} ${namespace}/${reference.name}`);
}

/** Variables of every service of the namespace, unless the pod does without; those of the API server always. */
function serviceVariables(
  services: readonly Service[],
  namespace: string,
  wantsLinks: boolean,
): readonly (readonly [string, string])[] {
  const isLinked = ({ metadata, spec }: Service) =>
    (metadata!.namespace === "default" && metadata!.name === "kubernetes") ||
    (wantsLinks && metadata!.namespace === namespace && spec!.clusterIP !== "None");
  return services.filter(isLinked).flatMap(({ metadata, spec }) => {
    const prefix = metadata!.name!.toUpperCase().replaceAll("-", "_");
    const [first] = spec!.ports ?? [];
    if (first === undefined) return [];
    return [
      [`${prefix}_SERVICE_HOST`, spec!.clusterIP!],
      [`${prefix}_SERVICE_PORT`, String(first.port)],
      [`${prefix}_PORT`, `tcp://${spec!.clusterIP}:${first.port}`],
    ] as const;
  });
}
