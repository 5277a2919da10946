/** Another commit beside this one, for benches that measure both in turns. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

interface BaseCheckout {
  readonly root: string;
  remove(): void;
}

/** A checkout of the commit beside this one, with these packages. */
export function checkOut(commit: string): BaseCheckout {
  const root = mkdtempSync(join(tmpdir(), "packshot-base-"));
  execFileSync("git", ["worktree", "add", "--detach", root, commit], { cwd: repositoryRoot, stdio: "ignore" });
  for (const folder of ["node_modules", "packages/platform/node_modules", "services/api/node_modules"])
    if (existsSync(join(repositoryRoot, folder))) copyPackages(join(repositoryRoot, folder), join(root, folder));
  return {
    root,
    remove: () =>
      void execFileSync("git", ["worktree", "remove", "--force", root], { cwd: repositoryRoot, stdio: "ignore" }),
  };
}

/** As hard links where the file system allows it. Symbolic links would lead out of what the image inspector may read. */
function copyPackages(from: string, to: string): void {
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", from, to]);
  }
}
