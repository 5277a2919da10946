/**
 * Builds the console into console/dist when what it is made of has changed. Plain JavaScript for Node 20, because setup
 * runs it; `run` runs a command, so that setup can show its progress.
 */

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

/** `run(title, program, args)` rejects when the command fails. `node` is the program that runs Vite. */
export async function buildConsole({ run, node }) {
  const wanted = inputsDigest();
  const stamp = join(built, stampName);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // Beside the old one, which is replaced when all is there: an API process may read it meanwhile.
  const fresh = `${built}-${process.pid}`;
  try {
    const vite = join(root, "node_modules", "vite", "bin", "vite.js");
    await run("console", node, [vite, "build", join(root, "console"), "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"]);
    writeFileSync(join(fresh, stampName), wanted);
    rmSync(built, { recursive: true, force: true });
    renameSync(fresh, built);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
