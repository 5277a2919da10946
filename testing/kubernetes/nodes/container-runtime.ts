/** containerd of a node, with runc: a storage, a socket and images of its own. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startService } from "../../../cli/up/start-service.ts";
import type { NodeNetwork } from "./node-network.ts";
import { runCommand } from "./run-command.ts";

/** Debian's folder of CNI plugins. */
export const cniPlugins = "/usr/lib/cni";
/** Images of the namespace that the kubelet uses. */
const imageNamespace = "k8s.io";

export interface ContainerRuntime {
  readonly endpoint: string;
  /** Takes an archive that `podman save` wrote, of Docker's format or OCI's. */
  importImages(archive: string): Promise<void>;
}

export async function startContainerRuntime(
  folder: string,
  network: NodeNetwork,
  pauseImage: string,
): Promise<ContainerRuntime> {
  const settings = join(folder, "containerd.toml");
  const socket = join(folder, "containerd.sock");
  await mkdir(folder, { recursive: true });
  await writeFile(settings, settingsOf(folder, socket, network, pauseImage));
  const { program, args } = network.enter("containerd", ["--config", settings]);
  await startService({
    name: "containerd",
    program,
    args,
    environment: { ...process.env, LISTEN_FDS: undefined },
    onLine: (line) => process.stdout.write(`containerd: ${line}\n`),
    waitForReady: ({ untilLine }) => untilLine((line) => line.includes("successfully booted") || undefined),
  });
  return {
    endpoint: `unix://${socket}`,
    async importImages(archive) {
      await runCommand("ctr", "--address", socket, "--namespace", imageNamespace, "images", "import", archive);
    },
  };
}

function settingsOf(folder: string, socket: string, { cniFolder }: NodeNetwork, pauseImage: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
# Each of the others needs a device or a file system that a test machine may not have.
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.aufs"]
[grpc]
address = "${socket}"
[${cri}]
sandbox_image = "${pauseImage}"
disable_apparmor = true
# Who lacks CAP_SYS_RESOURCE may not make a process less likely to be killed.
restrict_oom_score_adj = true
[${cri}.cni]
bin_dir = "${cniPlugins}"
conf_dir = "${cniFolder}"
[${cri}.containerd]
snapshotter = "overlayfs"
default_runtime_name = "runc"
[${cri}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
BinaryName = "runc"
SystemdCgroup = false
Root = "${folder}/runc"
`;
}
