/**
 * A disk whose power can be cut: a file system of the kernel's own in a file, mounted by a loop device. At the cut it is shut
 * down by the ioctl with which xfstests tries journals (FS_IOC_SHUTDOWN without flushing the log): no page that nobody synced
 * is written any more, and neither is what the journal has not committed. Mounted again, it recovers as after a power cut.
 *
 * It takes what a killed virtual machine takes, and needs no virtual machine. What it does not take is what a real disk
 * confirms and keeps in a cache of its own: a disk that lies about flushes is beyond what software can mend.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

export const fileSystems = ["ext4", "xfs"] as const;
export type FileSystem = (typeof fileSystems)[number];

/** Enough for a file of each spec. */
const diskBytesDefault = 512 * 1024 ** 2;
/** What a killed process had open is closed in moments. */
const unmountTriesMax = 200;
const unmountAgainMs = 50;

const shutDown = `
import fcntl, os, struct, sys
shut_down, without_the_log = 0x8004587d, 2
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), shut_down, struct.pack("I", without_the_log))
`;

/** How the file system is made and mounted, and how it is looked at after its recovery: the check must find nothing to mend. */
const programsOf = {
  // Without tables that the kernel would go on to clear for minutes.
  ext4: { make: ["mkfs.ext4", "-q", "-m", "0"], options: "loop,noinit_itable", check: ["e2fsck", "-f", "-n"] },
  xfs: { make: ["mkfs.xfs", "-q"], options: "loop", check: ["xfs_repair", "-n"] },
} as const satisfies Readonly<Record<FileSystem, object>>;

function run([program, ...args]: readonly string[]): string {
  return execFileSync(program!, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export interface CutDisk {
  /** Where it is mounted. */
  readonly folder: string;
  /** Everything not synced is gone. Who still has a file open there gets errors. */
  cut(): void;
  /** Mounts it again, once nobody has a file open there, and so recovers it. */
  recover(): Promise<void>;
  /** Unmounts it; throws where the file system's own program finds something to mend. */
  check(): Promise<void>;
  remove(): Promise<void>;
}

/** @param path of its file, which takes what is written, and, without the suffix, of its folder */
export function makeCutDisk(path: string, fileSystem: FileSystem, bytes = diskBytesDefault): CutDisk {
  const file = `${path}.img`;
  const { make, options, check } = programsOf[fileSystem];
  const mount = () => run(["mount", "-t", fileSystem, "-o", options, file, path]);

  async function unmount(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        run(["umount", path]);
        return;
      } catch (error) {
        if (tries === unmountTriesMax) throw error;
        await setTimeout(unmountAgainMs);
      }
    }
  }

  rmSync(file, { force: true });
  writeFileSync(file, "");
  truncateSync(file, bytes);
  run([...make, file]);
  mkdirSync(path, { recursive: true });
  mount();
  let isMounted = true;
  return {
    folder: path,
    cut: () => void run(["python3", "-c", shutDown, path]),
    async recover() {
      await unmount();
      // Another namespace of mounts that was made meanwhile, as of a container, may hold what was shut down: then it would be
      // mounted again as it is. A copy is another disk.
      run(["cp", "--sparse=always", file, `${file}.copy`]);
      renameSync(`${file}.copy`, file);
      mount();
    },
    async check() {
      await unmount();
      isMounted = false;
      run([...check, file]);
    },
    async remove() {
      if (isMounted) await unmount();
      rmSync(file);
    },
  };
}

/** Why none can be made here; undefined: it can. */
export function whyNoCutDisk(fileSystem: FileSystem = "ext4"): string | undefined {
  if (process.getuid?.() !== 0) return "mounting a disk takes root";
  const folder = `/tmp/packshot-no-cut-${process.pid}`;
  try {
    mkdirSync(folder);
    writeFileSync(`${folder}/disk.img`, "");
    truncateSync(`${folder}/disk.img`, diskBytesDefault);
    run([...programsOf[fileSystem].make, `${folder}/disk.img`]);
    run(["mount", "-t", fileSystem, "-o", programsOf[fileSystem].options, `${folder}/disk.img`, folder]);
    try {
      run(["python3", "-c", shutDown, folder]);
    } finally {
      run(["umount", folder]);
    }
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return message.split("\n").slice(0, 2).join(": ");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
