/**
 * The files of an older commit, as the image of that release has them, and its chart. The npm packages are those of this
 * checkout: see container-root.ts.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packageFolders } from "../kubelet/container-root.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface OlderCheckout {
  readonly folder: string;
  remove(): Promise<void>;
}

/** A copy, which leaves nothing in the repository. */
export async function checkOutCopy(commit: string): Promise<OlderCheckout> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-older-"));
  const archive = join(folder, "archive.tar");
  await execute("git", ["archive", "--output", archive, commit], { cwd: root }).catch((error: Error) => {
    throw new Error(`the history has no commit ${commit}; a shallow clone gets it by "git fetch --unshallow"`, {
      cause: error,
    });
  });
  await execute("tar", ["-xf", archive, "-C", folder]);
  await rm(archive);
  for (const at of packageFolders) await mkdir(join(folder, at), { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
