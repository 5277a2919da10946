/** The nodes' cgroups, of version 1 or 2: they are made before a kubelet starts, and removed after it has ended. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const cgroups = "/sys/fs/cgroup";
/**
 * A cgroup has the weight of one process, however many are in it. On a machine where twenty others work, all pods together had a
 * twentieth of it, and nats-server no leader: they get what their dozen processes would have without a cgroup.
 */
const processesWeighed = 12;

/** The hierarchies of version 1, or of version 2 its only one. */
async function cgroupHierarchies(): Promise<readonly string[]> {
  const names = await readdir(cgroups);
  if (names.includes("cgroup.controllers")) return [cgroups];
  return names.filter((name) => name !== "unified").map((name) => join(cgroups, name));
}

/** The cgroup of all nodes. Its weight is that of as many processes as run there. */
export async function makeClusterCgroup(name: string): Promise<void> {
  await makeCgroups(name);
  for (const hierarchy of await cgroupHierarchies())
    for (const file of ["cpu.shares", "cpu.weight"]) {
      const path = join(hierarchy, name, file);
      const weight = await readFile(path, "utf8").catch(() => undefined);
      if (weight !== undefined) await writeFile(path, String(processesWeighed * Number(weight)));
    }
}

/** A parent of the node's cgroups in every hierarchy, with all processors and memory in that of cpusets. */
export async function makeCgroups(name: string): Promise<void> {
  for (const hierarchy of await cgroupHierarchies()) {
    const own = join(hierarchy, name);
    await mkdir(own, { recursive: true });
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
      const value = await readFile(join(hierarchy, file), "utf8").catch(() => undefined);
      if (value !== undefined) await writeFile(join(own, file), value);
    }
  }
}

/**
 * Once no process is left in them. In hybrid mode runc makes a container's cgroup in version 2's hierarchy, too, which limits nothing.
 * @throws where one cannot be removed
 */
export async function removeCgroups(name: string): Promise<void> {
  const removeTree = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
    await rmdir(folder);
  };
  const unified = join(cgroups, "unified");
  for (const hierarchy of [...(await cgroupHierarchies()), unified]) {
    const own = join(hierarchy, name);
    if (existsSync(own)) await removeTree(own);
  }
}

/** The cgroup of a container in the hierarchy that counts memory. */
async function cgroupOf(name: string, containerId: string): Promise<string> {
  const [all = cgroups, ...more] = await cgroupHierarchies();
  const hierarchy = more.length === 0 ? all : join(cgroups, "memory");
  const folders = await readdir(join(hierarchy, name), { recursive: true, withFileTypes: true });
  const found = folders.find((entry) => entry.isDirectory() && entry.name === containerId);
  if (found === undefined) throw new Error(`there is no cgroup of container ${containerId}`);
  return join(found.parentPath, found.name);
}

export async function exhaustMemory(name: string, containerId: string): Promise<void> {
  const own = await cgroupOf(name, containerId);
  const files = (await readdir(own)).includes("memory.max")
    ? { used: "memory.current", limit: "memory.max" }
    : { used: "memory.usage_in_bytes", limit: "memory.limit_in_bytes" };
  await writeFile(join(own, files.limit), (await readFile(join(own, files.used), "utf8")).trim());
}

export async function freeze(name: string, containerId: string): Promise<void> {
  const own = await cgroupOf(name, containerId);
  const processes = (await readFile(join(own, "cgroup.procs"), "utf8")).trim().split("\n");
  for (const pid of processes) process.kill(Number(pid), "SIGSTOP");
}
