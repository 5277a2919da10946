/** Clients of remove.bg that others wrote, installed once in `.cache/`. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import util from "node:util";
import { installPythonPackages } from "../../../testing/python-environment.ts";

/** `removebg` declares that it needs requests, and no version of it. */
const pythonPackages = ["setuptools==80.9.0", "requests==2.32.5", "removebg==0.04"];
const setupTimeoutMs = 240_000;
const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../../.cache/", import.meta.url));

/** A folder in `.cache/` that `make` fills, anew when `key` changes. */
function installed(name: string, key: string, make: (home: string) => void): string {
  const home = join(cache, `${name}-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`);
  if (existsSync(join(home, "ready"))) return home;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  make(home);
  writeFileSync(join(home, "ready.part"), key);
  renameSync(join(home, "ready.part"), join(home, "ready"));
  return home;
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], timeout: setupTimeoutMs });
}

/** The Python that has the package `removebg`. */
export function installPythonClient(): string {
  const home = installed("removebg-python", pythonPackages.join(), (folder) => {
    installPythonPackages(folder, ["setuptools==80.9.0"]);
    installPythonPackages(folder, pythonPackages, ["--no-build-isolation", "--use-pep517"]);
  });
  return join(home, "bin/python");
}

/** What the npm package `remove.bg` exports, as far as the spec uses it. */
export interface NpmClient {
  removeBackgroundFromImageUrl(options: object): Promise<NpmResult>;
  removeBackgroundFromImageFile(options: object): Promise<NpmResult>;
  removeBackgroundFromImageBase64(options: object): Promise<NpmResult>;
}

export interface NpmResult {
  readonly base64img: string;
  readonly creditsCharged: string;
  readonly detectedType: string;
  readonly resultWidth: string;
  readonly resultHeight: string;
  readonly rateLimit: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitReset: string;
}

const addressOfRemoveBg = "https://api.remove.bg";

/** The package with another address, and nothing else changed. */
export function npmClientOf(address: string): NpmClient {
  const lock = readFileSync(join(here, "package-lock.json"), "utf8");
  const home = installed("removebg-npm", lock, (folder) => {
    for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(here, file), join(folder, file));
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  });
  const dist = join(home, "node_modules/remove.bg/dist");
  const source = readFileSync(join(dist, "index.js"), "utf8");
  if (source.split(addressOfRemoveBg).length !== 2) throw new Error("the package names its address elsewhere");
  const copy = join(dist, `copy-${process.pid}.cjs`);
  writeFileSync(copy, source.replace(addressOfRemoveBg, address));
  // Node 23 removed what the package's form library, of 2014, calls.
  Object.assign(util, { isArray: Array.isArray });
  try {
    return createRequire(import.meta.url)(copy) as NpmClient;
  } finally {
    rmSync(copy);
  }
}
