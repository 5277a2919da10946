/**
 * `node scripts/complete-lockfile.ts [LOCK]` adds to package-lock.json the platform packages that npm left out of it.
 *
 * npm drops an optional platform package (another machine's binary) from the lock file when the registry it talked to
 * does not serve that package, and `npm ci` then refuses the lock file everywhere. The entry written here carries the
 * exact version and platform but no integrity hash: no hash can be known for a package that was never seen.
 */

import { readFileSync, writeFileSync } from "node:fs";

interface LockEntry {
  version?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}

const lockPath = process.argv[2] ?? new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(lockPath, "utf8")) as { packages: Record<string, LockEntry> };

const platformName =
  /-(android|darwin|linux|win32|freebsd|openharmony)-(arm64|x64|arm|ia32|ppc64|riscv64|s390x)(?:-(musl|gnu)?(?:eabi(?:hf)?|msvc)?)?$/;

/** "@biomejs/cli-linux-x64-musl" → linux, x64, musl; null for a package that is not named after a platform. */
function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> | null {
  if (name.endsWith("-wasm32-wasi")) return { cpu: ["wasm32"] };
  const match = platformName.exec(name);
  if (!match) return null;
  const [, os, cpu, libc] = match;
  return { os: [os!], cpu: [cpu!], ...(libc && { libc: [libc === "gnu" ? "glibc" : libc] }) };
}

const added: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`${path}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`]) continue;
    const platform = platformOf(name);
    if (!platform) throw new Error(`${name} (wanted by ${path}) is not in package-lock.json and names no platform`);
    const { license, engines, dev } = entry;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(dev === true && { dev }),
      ...(license !== undefined && { license }),
      optional: true,
      ...(engines !== undefined && { engines }),
    };
    added.push(`${name}@${version}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
if (added.length > 0) writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(
  added.length > 0 ? `added to package-lock.json: ${added.join(", ")}\n` : "package-lock.json is complete\n",
);
