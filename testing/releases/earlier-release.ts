/**
 * Earlier releases in tests: the source tree of a commit with the packages that it pins, as its image has them. Until there
 * are tags, commits stand for releases.
 */
import { execFile } from "node:child_process";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Between runs the trees stay: their packages take a minute. */
const releases = join(tmpdir(), "packshot-releases");

/** The last commit before batches, and the tag that its image would have. */
export const releaseBefore = { commit: "8da7ada6bab004f1f4786c80ff73ebdf670c6aed", tag: "0.0.9" };
/** The first commit whose log has the schema of now. */
export const firstOfSchema = "060cc978c46883012b68efd02c5c1f3dcfa64213";
/** The last one before it. */
export const lastOfSchemaBefore = `${firstOfSchema}^`;

/** Resolves with its folder. */
export async function checkOutRelease(commit: string): Promise<string> {
  const { stdout } = await execute("git", ["rev-parse", "--short", `${commit}^{commit}`], { cwd: root }).catch(
    (error: Error) => {
      throw new Error(`the history has no commit ${commit}; a shallow clone gets it by "git fetch --unshallow"`, {
        cause: error,
      });
    },
  );
  const folder = join(releases, stdout.trim());
  if (!(await isThere(folder))) await prepare(commit, folder);
  return folder;
}

/** Beside the folder and renamed, so that a folder is whole or not there. */
async function prepare(commit: string, folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const archive = `${unfinished}.tar`;
    await execute("git", ["archive", "--output", archive, commit], { cwd: root });
    await execute("tar", ["-xf", archive, "-C", unfinished]);
    await rm(archive);
    const install = ["ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
    const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" };
    await execute("npm", install, { cwd: unfinished, env });
    await rename(unfinished, folder).catch(async (error: Error) => {
      // Another test was faster.
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
