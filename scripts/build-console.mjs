/**
 * `node scripts/build-console.mjs` builds the console into console/dist when what it is made of has changed. Plain
 * JavaScript for Node 20, because setup uses it.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "console", "dist");
/** Folders whose files go into the build, or decide what it looks like. */
const inputs = ["console", "packages/sdk"];
/** Where the versions of the packages stand. */
const lockFile = "package-lock.json";
const stampName = "inputs.sha256";

function inputFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist", "examples"].includes(name) && !name.startsWith(".") && !/\.(spec\.tsx?|md)$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? inputFiles(join(folder, entry.name)) : [join(folder, entry.name)]));
}

function inputsDigest() {
  const hash = createHash("sha256");
  for (const path of [...inputs.flatMap(inputFiles), lockFile]) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

/** `run(title, program, args, environment)` rejects when the command fails. `node` is the program that runs Vite. */
export async function buildConsole({ run, node }) {
  const wanted = inputsDigest();
  const stamp = join(built, stampName);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // Beside the old one, which is replaced when all is there: an API process may read it meanwhile.
  const fresh = `${built}-${process.pid}`;
  try {
    const vite = join(root, "node_modules", "vite", "bin", "vite.js");
    const args = [vite, "build", join(root, "console"), "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"];
    // In tests it is another one, and React would be built for development.
    await run("console", node, args, { NODE_ENV: "production" });
    writeFileSync(join(fresh, stampName), wanted);
    rmSync(built, { recursive: true, force: true });
    renameSync(fresh, built);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const run = async (title, program, args, environment) => {
    if (spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...environment } }).status !== 0) throw new Error(`${title}: the build failed`);
  };
  await buildConsole({ run, node: process.execPath });
}
