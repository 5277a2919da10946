/**
 * The script that gives a process the files of a container: a root of its own with the machine's programs and this
 * checkout read-only in it, the pod's volumes where the container mounts them, and no other file of the machine.
 */
import { dirname, join } from "node:path";

export interface Mount {
  readonly source: string;
  /** Made where there is none, as a folder or a file like the source. */
  readonly at: string;
  readonly readOnly: boolean;
}

export interface ContainerRoot {
  /** An empty folder. */
  readonly folder: string;
  /** Programs that the images have in /usr/local/bin. */
  readonly programs: string;
  /** The checkout, which our images have in /packshot. */
  readonly checkout: string;
  readonly hostname: string;
  readonly resolverSettings: string;
  readonly mounts: readonly Mount[];
  readonly isReadOnly: boolean;
  readonly withoutCapabilities: boolean;
  readonly workingDir: string;
}

const devices = ["null", "zero", "full", "random", "urandom"];
/** What programs read there; missing ones are left out. */
const machineSettings = ["ssl", "ld.so.cache", "alternatives", "fonts", "localtime"];

/** For `sh -c SCRIPT sh COMMAND…`, as the first process of new mount, PID and UTS namespaces. */
export function containerScript(root: ContainerRoot): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const inRoot = (path: string) => quote(join(root.folder, path));
  const file = (path: string, content: string) => `printf %s ${quote(content)} > ${inRoot(path)}`;
  const readOnly = (path: string) => `mount -o remount,bind,ro ${inRoot(path)}`;
  const bind = ({ source, at, readOnly: isReadOnly }: Mount) => [
    `if [ -f ${quote(source)} ]; then mkdir -p ${inRoot(dirname(at))}; touch ${inRoot(at)}; else mkdir -p ${inRoot(at)}; fi`,
    `mount --bind ${quote(source)} ${inRoot(at)}`,
    ...(isReadOnly ? [readOnly(at)] : []),
  ];
  const limits = root.withoutCapabilities ? "setpriv --no-new-privs --bounding-set=-all --inh-caps=-all" : "";
  return [
    "set -eu",
    `printf %s ${quote(root.hostname)} > /proc/sys/kernel/hostname`,
    `mount -t tmpfs tmpfs ${quote(root.folder)}`,
    `cd ${quote(root.folder)}; mkdir usr etc proc dev dev/shm sys tmp run var packshot; chmod 1777 tmp dev/shm`,
    `for name in bin sbin lib lib64; do [ ! -L /$name ] || cp -P /$name $name; done`,
    "mount --bind /usr usr; mount -o remount,bind,ro usr",
    `mount --bind ${quote(root.programs)} usr/local/bin`,
    "mount -t proc proc proc; mount --rbind /sys sys",
    `for name in ${devices.join(" ")}; do touch dev/$name; mount --bind /dev/$name dev/$name; done`,
    "ln -s /proc/self/fd dev/fd; ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr",
    `for name in ${machineSettings.join(" ")}; do`,
    "  if [ -d /etc/$name ]; then mkdir etc/$name; mount --rbind /etc/$name etc/$name",
    "  elif [ -e /etc/$name ]; then cp -L /etc/$name etc/$name; fi",
    "done",
    file("etc/passwd", "root:x:0:0::/:/bin/sh\npackshot:x:10001:10001::/:/bin/sh\n"),
    file("etc/group", "root:x:0:\npackshot:x:10001:\n"),
    file("etc/hosts", `127.0.0.1 localhost\n`),
    file("etc/nsswitch.conf", "hosts: files dns\n"),
    file("etc/resolv.conf", root.resolverSettings),
    `mount --bind ${quote(root.checkout)} packshot; ${readOnly("packshot")}`,
    ...root.mounts.flatMap(bind),
    `mkdir -p ${inRoot(root.workingDir)}`,
    ...(root.isReadOnly ? [`mount -o remount,ro ${quote(root.folder)}`] : []),
    // coreutils' env finds the program in the container's own PATH.
    `exec chroot . ${limits} env -C ${quote(root.workingDir)} -- "$@"`,
  ].join("\n");
}
