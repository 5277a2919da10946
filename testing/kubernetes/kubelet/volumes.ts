/** A pod's volumes as folders on the machine, which its containers mount. */
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Volume,
  VolumeProjection,
} from "kubernetes-types/core/v1.d.ts";
import type { ApiClient } from "../api/api-client.ts";
import { downwardField } from "./downward-fields.ts";
import { PodConfigError, readData } from "./environment.ts";

interface VolumeFile {
  readonly path: string;
  readonly content: Buffer | string;
  readonly mode: number;
}

const modeDefault = 0o644;
const tokenSecondsDefault = 3600;

/** The folder of each volume by its name. Rejects with a PodConfigError when something that one needs is missing. */
export async function prepareVolumes(api: ApiClient, pod: Pod, folder: string): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  for (const volume of pod.spec!.volumes ?? []) {
    try {
      folders.set(volume.name, await prepareVolume(api, pod, volume, join(folder, volume.name)));
    } catch (error) {
      if (!(error instanceof PodConfigError)) throw error;
      throw new PodConfigError(`MountVolume.SetUp failed for volume "${volume.name}" : ${error.message}`);
    }
  }
  return folders;
}

async function prepareVolume(api: ApiClient, pod: Pod, volume: Volume, folder: string): Promise<string> {
  if (volume.persistentVolumeClaim !== undefined)
    return await claimedFolder(api, pod, volume.persistentVolumeClaim.claimName);
  await mkdir(folder, { recursive: true });
  if (volume.emptyDir !== undefined) return folder;
  const { defaultMode = modeDefault, sources } = volume.projected ?? {
    ...(volume.secret ?? volume.configMap ?? volume.downwardAPI),
    sources: [projectionOf(volume)],
  };
  const files = (await Promise.all(sources!.map((source) => filesOf(api, pod, source, defaultMode)))).flat();
  for (const { path, content, mode } of files) {
    const at = join(folder, path);
    await mkdir(dirname(at), { recursive: true });
    await rm(at, { force: true });
    await writeFile(at, content);
    await chmod(at, mode);
  }
  return folder;
}

/** A volume of one source, as a projected one has several. */
function projectionOf({ secret, configMap, downwardAPI, name }: Volume): VolumeProjection {
  if (secret !== undefined) {
    const { secretName, items, optional } = secret;
    return { secret: { name: secretName!, ...(items && { items }), ...(optional && { optional }) } };
  }
  if (configMap !== undefined) return { configMap };
  if (downwardAPI !== undefined) return { downwardAPI };
  throw new PodConfigError(`the kind of volume "${name}" is not known to this kubelet`);
}

async function filesOf(
  api: ApiClient,
  pod: Pod,
  { secret, configMap, downwardAPI, serviceAccountToken }: VolumeProjection,
  defaultMode: number,
): Promise<readonly VolumeFile[]> {
  const namespace = pod.metadata!.namespace!;
  if (secret !== undefined)
    return filesOfData("Secret", await readData(api, "Secret", namespace, secret), secret.items, defaultMode);
  if (configMap !== undefined) {
    return filesOfData(
      "ConfigMap",
      await readData(api, "ConfigMap", namespace, configMap),
      configMap.items,
      defaultMode,
    );
  }
  if (downwardAPI !== undefined) return downwardAPI.items!.map((item) => fileOfField(pod, item, defaultMode));
  const { path, audience, expirationSeconds = tokenSecondsDefault } = serviceAccountToken!;
  const content = await accountToken(api, pod, { audience, expirationSeconds });
  return [{ path, content, mode: 0o600 }];
}

function filesOfData(
  kind: string,
  data: ReadonlyMap<string, Buffer> | undefined,
  items: readonly KeyToPath[] | undefined,
  defaultMode: number,
): readonly VolumeFile[] {
  if (data === undefined) return [];
  const wanted = items ?? [...data.keys()].map((key): KeyToPath => ({ key, path: key }));
  return wanted.map(({ key, path, mode = defaultMode }) => {
    const content = data.get(key);
    if (content === undefined) throw new PodConfigError(`references non-existent ${kind.toLowerCase()} key: ${key}`);
    return { path, content, mode };
  });
}

function fileOfField(pod: Pod, { path, fieldRef, mode }: DownwardAPIVolumeFile, defaultMode: number): VolumeFile {
  return { path, content: downwardField(pod, fieldRef!.fieldPath), mode: mode ?? defaultMode };
}

async function accountToken(
  api: ApiClient,
  { metadata, spec }: Pod,
  { audience, expirationSeconds }: { readonly audience: string | undefined; readonly expirationSeconds: number },
): Promise<string> {
  const { namespace, name, uid } = metadata!;
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name, uid };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${spec!.serviceAccountName ?? "default"}/token`;
  const answer = await api.create<{ status: { token: string } }>(path, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds, boundObjectRef, ...(audience && { audiences: [audience] }) },
  });
  return answer.status.token;
}

async function claimedFolder(api: ApiClient, pod: Pod, claimName: string): Promise<string> {
  const namespace = pod.metadata!.namespace!;
  const claim = await api.find<PersistentVolumeClaim>(
    `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${claimName}`,
  );
  if (claim?.status?.phase !== "Bound") throw new PodConfigError(`persistentvolumeclaim "${claimName}" is not bound`);
  const volume = await api.get<PersistentVolume>(`/api/v1/persistentvolumes/${claim.spec!.volumeName}`);
  return volume.spec!.hostPath!.path;
}
