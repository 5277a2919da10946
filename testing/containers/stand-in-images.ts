/**
 * Images in place of official ones, where no registry of images can be reached: Debian by debootstrap, from the mirror that apt uses,
 * with this machine's Node and npm, or its Go, or Debian's Python. They cannot show what is particular to the official images.
 */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diskFolder } from "../disk-folder.ts";
import { findProgram } from "../programs.ts";
import type { Engine } from "./engine.ts";

const suite = "bookworm";
const debian = `localhost/packshot-stand-in/debian:${suite}`;
/** What official slim images leave out, and what debootstrap copies from this machine. */
const leftOut = [
  ...["./var/cache/apt/*", "./var/lib/apt/lists/*", "./var/log/*", "./usr/share/doc/*", "./usr/share/man/*"],
  ...["./usr/share/locale/*", "./usr/share/info/*", "./etc/resolv.conf", "./etc/hostname"],
];

export async function imageExists(engine: Engine, image: string): Promise<boolean> {
  return engine.podman(["image", "exists", image]).then(
    () => true,
    () => false,
  );
}

/** The mirror of Debian that apt uses; debootstrap knows one itself. */
async function mirrorHere(engine: Engine): Promise<string[]> {
  const format = ["indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Identifier: Packages"];
  const targets = await engine.run("apt-get", format).catch(() => "");
  const found = targets.split("\n").find((line) => line.endsWith(`/debian/ ${suite}`));
  return found === undefined ? [] : [found.split(" ")[0]!];
}

async function makeDebian(engine: Engine): Promise<void> {
  if (findProgram("debootstrap") === undefined)
    throw new Error("debootstrap is not on PATH: it makes the base image that stands in for the official one");
  if (process.getuid?.() !== 0) throw new Error("debootstrap makes a base image as root only");
  const folder = mkdtempSync(join(diskFolder, "packshot-debian-"));
  try {
    const tree = join(folder, "root");
    await engine.run("debootstrap", ["--variant=minbase", suite, tree, ...(await mirrorHere(engine))]);
    const archive = join(folder, "root.tar");
    await engine.run("tar", [
      "-C",
      tree,
      ...leftOut.map((pattern) => `--exclude=${pattern}`),
      "--numeric-owner",
      "-cf",
      archive,
      ".",
    ]);
    await engine.podman(["import", "--quiet", archive, debian]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface StandIn {
  readonly image: string;
  readonly containerfile: readonly string[];
  /** Into the build's context, by their names there. */
  readonly files: Readonly<Record<string, string>>;
}

/** The instruction that installs these packages of Debian. */
export function installed(packages: string): string {
  return `RUN apt-get update -q && apt-get install -q -y --no-install-recommends ${packages} && rm -rf /var/lib/apt/lists/*`;
}

/** npm as it is installed: of its link on PATH, the folder of the package. */
function npmFolder(): string {
  return dirname(dirname(realpathSync(findProgram("npm")!)));
}

function nodeStandIn(): StandIn {
  return {
    image: `localhost/packshot-stand-in/node:${process.versions.node}`,
    containerfile: [
      "COPY node /usr/local/bin/node",
      "COPY npm /usr/local/lib/node_modules/npm",
      "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && rm -f /etc/apt/sources.list",
      'CMD ["node"]',
    ],
    files: { node: realpathSync(process.execPath), npm: npmFolder() },
  };
}

function goStandIn(): StandIn {
  const go = findProgram("go");
  if (go === undefined) throw new Error("go is not on PATH: it builds what confines decoders in the image");
  return {
    image: "localhost/packshot-stand-in/go:here",
    containerfile: ["COPY go /usr/local/go", "ENV PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    files: { go: dirname(dirname(realpathSync(go))) },
  };
}

function pythonStandIn(): StandIn {
  return {
    image: "localhost/packshot-stand-in/python:debian",
    containerfile: [installed("python3 python3-pip")],
    files: {},
  };
}

/** An image on the Debian of debootstrap, made once. */
export async function makeStandIn(engine: Engine, { image, containerfile, files }: StandIn): Promise<string> {
  if (await imageExists(engine, image)) return image;
  if (!(await imageExists(engine, debian))) await makeDebian(engine);
  const folder = mkdtempSync(join(diskFolder, "packshot-stand-in-"));
  try {
    mkdirSync(join(folder, "context"));
    for (const [name, path] of Object.entries(files)) {
      const target = join(folder, "context", name);
      cpSync(path, target, { recursive: true });
    }
    writeFileSync(join(folder, "Containerfile"), [`FROM ${debian}`, ...containerfile, ""].join("\n"));
    await engine.run("buildah", [
      ...["bud", "--isolation", "chroot", "--network", "host", "--layers=false"],
      ...["--file", join(folder, "Containerfile"), "--tag", image, join(folder, "context")],
    ]);
    return image;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The base of our images: the operator's own by NODE_IMAGE, else a stand-in, which is made once. */
export async function baseImage(engine: Engine): Promise<string> {
  return process.env.NODE_IMAGE || (await makeStandIn(engine, nodeStandIn()));
}

/** The image that builds the launcher of decoders: the operator's own by GO_IMAGE, else a stand-in. */
export async function goImage(engine: Engine): Promise<string> {
  return process.env.GO_IMAGE || (await makeStandIn(engine, goStandIn()));
}

/** The image that takes CUDA's wheels apart: the operator's own by PYTHON_IMAGE, else a stand-in. */
export async function pythonImage(engine: Engine): Promise<string> {
  return process.env.PYTHON_IMAGE || (await makeStandIn(engine, pythonStandIn()));
}
