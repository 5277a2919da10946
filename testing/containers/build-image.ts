/** Our images, built from deploy/docker/Dockerfile by buildah, which needs neither a daemon nor rights of its own for RUN. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { diskFolder } from "../disk-folder.ts";
import type { Engine } from "./engine.ts";
import { baseImage, goImage, pythonImage } from "./stand-in-images.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const certificatesInside = "/run/secrets/certificates";
/** A build downloads packages, for CUDA 1.6 GB of them, and stores layers of gigabytes. */
const buildTimeoutMs = 3_600_000;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

export type Target = "packshot" | "packshot-cuda";

/** The image's name in podman's storage. */
export const tagOf = (target: Target) => `localhost/packshot:${version}${target === "packshot" ? "" : "-cuda"}`;

/** npm's settings of this machine, as the Dockerfile's secrets: no layer has them. */
function registrySecrets(folder: string): string[] {
  const setting = (name: string) => {
    const value = execFileSync("npm", ["config", "get", name], { cwd: root, encoding: "utf8" }).trim();
    return value === "null" || value === "undefined" ? undefined : value;
  };
  const own = setting("userconfig");
  const lines = own !== undefined && existsSync(own) ? readFileSync(own, "utf8").split("\n") : [];
  const kept = lines.filter((line) => !/^\s*(cafile|registry)\s*=/.test(line));
  // The npm that runs here may not read the settings of the machine's own, whose Node trusts the same certificates by a variable.
  const certificates = setting("cafile") ?? process.env.NODE_EXTRA_CA_CERTS;
  if (certificates !== undefined) kept.push(`cafile=${certificatesInside}`);
  const npmrc = join(folder, "npmrc");
  writeFileSync(npmrc, `${[...kept, `registry=${setting("registry")}`].join("\n")}\n`, { mode: 0o600 });
  const secrets = ["--secret", `id=npmrc,src=${npmrc}`];
  return certificates === undefined ? secrets : [...secrets, "--secret", `id=certificates,src=${certificates}`];
}

/** Seconds since the epoch: every file of a layer is that old, so that two builds of a commit are the same bytes. */
function commitTime(revision: string): string {
  return execFileSync("git", ["log", "-1", "--format=%ct", revision], { cwd: root, encoding: "utf8" }).trim();
}

export interface BuiltImage {
  readonly tag: string;
  readonly base: string;
}

export interface BuildOptions {
  readonly target?: Target;
  readonly tag?: string;
  /** The source tree; this one when absent. */
  readonly context?: string;
  /** The commit whose tree that is; HEAD when absent. */
  readonly revision?: string;
  /** Keeps no layer from the build before; else those that have not changed. */
  readonly anew?: boolean;
}

export async function buildImage(
  engine: Engine,
  { target = "packshot", tag = tagOf(target), context = root, revision = "HEAD", anew = false }: BuildOptions = {},
): Promise<BuiltImage> {
  const base = await baseImage(engine);
  const folder = mkdtempSync(join(diskFolder, "packshot-build-"));
  const time = commitTime(revision);
  try {
    const args = [
      ...["bud", "--isolation", "chroot", "--network", "host", "--layers", "--jobs", "2", "--format", "docker"],
      ...(anew ? ["--no-cache"] : []),
      ...["--timestamp", time, "--build-arg", `SOURCE_DATE_EPOCH=${time}`],
      ...["--file", join(context, "deploy/docker/Dockerfile"), "--target", target, "--build-arg", `NODE_IMAGE=${base}`],
      ...["--build-arg", `GO_IMAGE=${await goImage(engine)}`],
      ...(target === "packshot-cuda" ? ["--build-arg", `PYTHON_IMAGE=${await pythonImage(engine)}`] : []),
      ...["GOPROXY", "PIP_INDEX_URL"].flatMap((name) =>
        process.env[name] ? ["--build-arg", `${name}=${process.env[name]}`] : [],
      ),
      ...["--label", `org.opencontainers.image.version=${version}`, ...registrySecrets(folder), "--tag", tag],
      context,
    ];
    await engine.run("buildah", args, { timeoutMs: buildTimeoutMs });
    return { tag, base };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
