/** The last release in tests: the source tree of its commit with the packages that it pins, as its image has them. */
import { execFile } from "node:child_process";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { diskFolder } from "../disk-folder.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Between runs the trees stay: their packages take a minute. */
const releases = join(diskFolder, "packshot-releases");

export interface EarlierRelease {
  readonly tag: string | undefined;
  /** The tag points to it wherever a clone has tags: one that was moved is another release. */
  readonly commit: string;
}

/** Named anew with each release, by the commit after it. */
export const lastRelease = {
  tag: "v0.2.0",
  commit: "8735a285f579180324f6274b72464f32909ef5b6",
} as const satisfies EarlierRelease;

/** Resolves with its folder. */
export async function checkOutRelease({ tag, commit }: EarlierRelease): Promise<string> {
  const hash = await readHash(commit);
  if (tag !== undefined) await assertTag(tag, hash);
  const folder = join(releases, hash.slice(0, 12));
  if (!(await isThere(folder))) await prepare(commit, folder);
  return folder;
}

/** A clone may have been made without tags. */
async function assertTag(tag: string, hash: string): Promise<void> {
  const { stdout } = await execute("git", ["tag", "--list", tag], { cwd: root });
  if (stdout.trim() === tag && (await readHash(tag)) !== hash) throw new Error(`${tag} is not at commit ${hash}`);
}

async function readHash(revision: string): Promise<string> {
  const { stdout } = await execute("git", ["rev-parse", `${revision}^{commit}`], { cwd: root }).catch(
    (error: Error) => {
      const hint = 'a shallow clone gets it by "git fetch --unshallow --tags"';
      throw new Error(`the history has no ${revision}; ${hint}`, { cause: error });
    },
  );
  return stdout.trim();
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
