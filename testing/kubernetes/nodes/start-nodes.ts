/** Starts a Kubernetes cluster whose pods are containers, for a test: see docs/adr/0053-chart-in-containers.md. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readyLine, startService } from "../../../cli/up/start-service.ts";
import { type Engine, findEngine } from "../../containers/engine.ts";
import { diskFolder } from "../../disk-folder.ts";
import { findProgram } from "../../programs.ts";
import { addOnImages, addOnPrograms } from "./add-on-images.ts";
import { exhaustMemory, freeze, removeCgroups } from "./cgroups.ts";
import { type Cluster, connectCluster, controlPlane } from "./cluster-client.ts";
import { cniPlugins } from "./container-runtime.ts";
import type { NodesOptions } from "./nodes-options.ts";

const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
/** Images of half a gigabyte are unpacked on each node, which a machine at a load of 60 does not do in ten minutes. */
const readyTimeoutMs = 1_200_000;
const programs = ["containerd", "ctr", "runc", "nft", "ip", "nsenter"];

/** An engine that builds images for a cluster of real nodes, or why no such cluster can be started here. */
export async function findNodes(): Promise<{ readonly engine: Engine } | { readonly reason: string }> {
  if (process.getuid?.() !== 0) return { reason: "a kubelet and containerd need root" };
  for (const path of [controlPlane, ...addOnPrograms])
    if (!existsSync(path)) return { reason: `${path} is missing: "make test-chart" builds it in some minutes` };
  for (const program of programs)
    if (findProgram(program) === undefined)
      return { reason: `${program} is not on PATH (apt-get install containerd runc nftables iproute2)` };
  if (!existsSync(cniPlugins))
    return { reason: `${cniPlugins} is missing (apt-get install containernetworking-plugins)` };
  return await findEngine();
}

export interface NodesCluster extends Cluster {
  /**
   * Leaves a container no more memory than it has, so that the kernel kills its largest process as soon as it wants more: what happens
   * at the limit of its pod, at a moment that a test chooses. The container that follows has the pod's limit again.
   */
  exhaustMemory(containerId: string): Promise<void>;
  /** Stops all processes of a container without ending them, so that it answers nothing. */
  freeze(containerId: string): Promise<void>;
}

export interface NodesOrder {
  /** What pods run, by its names in podman's storage. */
  readonly images?: readonly string[];
  /** Files with further images. */
  readonly archives?: readonly string[];
  /** A node in each; one node when absent. */
  readonly zones?: readonly string[];
}

export async function startNodes(
  engine: Engine,
  { images = [], archives = [], zones = ["a"] }: NodesOrder,
): Promise<NodesCluster> {
  const folder = await mkdtemp(join(diskFolder, "packshot-nodes-"));
  const cgroup = `packshot-nodes-${randomBytes(4).toString("hex")}`;
  const saved = join(folder, "images.tar");
  const all = [...(await addOnImages(engine)), ...images];
  await engine.podman(["save", "--quiet", "--multi-image-archive", "--output", saved, ...all]);
  const options: NodesOptions = { folder, controlPlane, archives: [saved, ...archives], zones, cgroup };
  const main = fileURLToPath(new URL("nodes-main.ts", import.meta.url));
  try {
    const service = await startService({
      name: "cluster",
      program: "unshare",
      args: [...namespaces, "--", process.execPath, main, JSON.stringify(options)],
      environment: process.env,
      logPath: join(folder, "cluster.log"),
      waitForReady: readyLine,
      readyTimeoutMs,
    });
    const cluster = await connectCluster(folder, async () => {
      await service.stop();
      await removeCgroups(cgroup);
    });
    return {
      ...cluster,
      exhaustMemory: (containerId) => exhaustMemory(cgroup, containerId),
      freeze: (containerId) => freeze(cgroup, containerId),
    };
  } catch (error) {
    await removeCgroups(cgroup).catch(() => {}); // What failed before is told.
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
