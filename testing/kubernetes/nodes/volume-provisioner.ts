/** Makes a folder for each claim of its storage classes, as a cluster's storage driver makes a disk. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PersistentVolume, PersistentVolumeClaim } from "kubernetes-types/core/v1.d.ts";
import { type ApiClient, isApiError } from "../api/api-client.ts";
import { watchObjects } from "../api/watched-objects.ts";

const provisioner = "testing.packshot/folders";
/** As most clusters have it: the default class and a faster one make disks for one node, and another one makes shared folders. */
const classes = {
  standard: ["ReadWriteOnce", "ReadWriteOncePod"],
  fast: ["ReadWriteOnce", "ReadWriteOncePod"],
  shared: ["ReadWriteOnce", "ReadWriteMany"],
} as const;
type ClassName = keyof typeof classes;

export async function startVolumeProvisioner(api: ApiClient, folder: string, signal: AbortSignal): Promise<void> {
  for (const name of Object.keys(classes)) {
    const annotations = { "storageclass.kubernetes.io/is-default-class": String(name === "standard") };
    await api.create("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name, annotations },
      provisioner,
      allowVolumeExpansion: true,
    });
  }
  const claims = await watchObjects<PersistentVolumeClaim>(api, "/api/v1/persistentvolumeclaims", signal);
  const volumes = await watchObjects<PersistentVolume>(api, "/api/v1/persistentvolumes", signal);
  const report = (error: Error) => process.stdout.write(`volume provisioner: ${error.message}\n`);
  claims.onChange((claim, change) => {
    const name = claim.spec!.storageClassName as ClassName;
    if (change === "removed" || claim.spec!.volumeName !== undefined || !(name in classes)) return;
    // A claim that the class cannot serve waits for ever, as in a cluster whose class has no such volumes.
    if (!claim.spec!.accessModes!.every((mode) => (classes[name] as readonly string[]).includes(mode))) return;
    provide(api, folder, claim).catch(report);
  });
  volumes.onChange((volume, change) => {
    if (change === "set" && volume.status?.phase === "Released") reclaim(api, volume).catch(report);
  });
}

/** All nodes share the machine's disk. */
const onEveryNode = {
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/os", operator: "Exists" }] }] },
};

async function provide(api: ApiClient, folder: string, { metadata, spec }: PersistentVolumeClaim): Promise<void> {
  const name = `pvc-${metadata!.uid}`;
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  const volume: PersistentVolume = {
    metadata: { name, annotations: { "pv.kubernetes.io/provisioned-by": provisioner } },
    spec: {
      capacity: { storage: spec!.resources!.requests!.storage! },
      accessModes: spec!.accessModes!,
      storageClassName: spec!.storageClassName!,
      persistentVolumeReclaimPolicy: "Delete",
      claimRef: { namespace: metadata!.namespace!, name: metadata!.name!, uid: metadata!.uid! },
      // A kubelet gives the files of a local volume to the group of a pod's fsGroup, and leaves those of a host's path as they are.
      local: { path },
      nodeAffinity: onEveryNode,
    },
  };
  await api.create("/api/v1/persistentvolumes", volume).catch((error: unknown) => {
    if (!isApiError(error, 409)) throw error;
  });
}

async function reclaim(api: ApiClient, { metadata, spec }: PersistentVolume): Promise<void> {
  await api.remove(`/api/v1/persistentvolumes/${metadata!.name}`);
  await rm(spec!.local!.path, { recursive: true, force: true });
}
