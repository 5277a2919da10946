/** What an image is made of. */
import type { Engine } from "./engine.ts";

export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Labels: Readonly<Record<string, string>>;
}

export async function imageSize(engine: Engine, image: string): Promise<number> {
  return Number(await engine.podman(["image", "inspect", image, "--format", "{{.Size}}"]));
}

export async function imageConfig(engine: Engine, image: string): Promise<ImageConfig> {
  return JSON.parse(await engine.podman(["image", "inspect", image, "--format", "{{json .Config}}"])) as ImageConfig;
}

export interface Layer {
  /** That of the uncompressed archive. */
  readonly digest: string;
  /** The time that its files have: that of the commit at which it was built. */
  readonly created: string;
}

/** The base's first. */
export async function madeLayers(engine: Engine, image: string): Promise<readonly Layer[]> {
  const facts = await engine.podman([
    "image",
    "inspect",
    image,
    "--format",
    "[{{json .RootFS.Layers}},{{json .History}}]",
  ]);
  const [digests, history] = JSON.parse(facts) as [string[], { created: string; empty_layer?: boolean }[]];
  const made = history.filter(({ empty_layer: isEmpty }) => isEmpty !== true);
  return digests.map((digest, n) => ({ digest, created: made[n]!.created }));
}

/** Prints path, mode, owner and content of every file, but for what an engine or the kernel puts into a container. */
const listFiles = `
const { createHash } = require("crypto"), fs = require("fs");
const others = ["/proc", "/sys", "/dev", "/run", "/tmp", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/etc/mtab"];
const walk = (path) => {
  if (others.includes(path)) return;
  const { mode, uid, gid } = fs.lstatSync(path), type = mode & 0o170000;
  const content = type === 0o120000 ? fs.readlinkSync(path) : type === 0o100000 ? fs.readFileSync(path) : "";
  console.log(path, mode.toString(8), uid, gid, createHash("sha256").update(content).digest("base64url"));
  if (type === 0o040000) for (const name of fs.readdirSync(path).sort()) walk((path === "/" ? "" : path) + "/" + name);
};
walk("/");`;

/** A line for each file of an image, whatever its time. */
export async function filesOf(engine: Engine, image: string): Promise<readonly string[]> {
  const run = ["run", "--rm", "--network", "none", "--user", "0", image, "--eval", listFiles];
  return (await engine.podman(run)).split("\n");
}

/** The newest first, with the instruction that made each. */
export async function layersOf(engine: Engine, image: string): Promise<{ bytes: number; by: string }[]> {
  const history = JSON.parse(await engine.podman(["history", "--format", "json", "--no-trunc", image])) as {
    size: number;
    CreatedBy: string;
  }[];
  return history.map(({ size, CreatedBy }) => ({
    bytes: size,
    by: CreatedBy.replace(/^\/bin\/sh -c (#\(nop\) )?/, "").slice(0, 100),
  }));
}
