/** The Dockerfile, read as far as tests need it: which files of the repository each stage copies, and where to. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Stage {
  readonly name: string;
  /** An image, an argument or an earlier stage. */
  readonly from: string;
  readonly instructions: readonly string[];
}

export function readStages(): Stage[] {
  const lines = readFileSync(join(root, "deploy/docker/Dockerfile"), "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .filter(Boolean);
  const stages: { name: string; from: string; instructions: string[] }[] = [];
  for (const line of lines) {
    const [, from, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (from !== undefined && name !== undefined) stages.push({ name, from, instructions: [] });
    else stages.at(-1)?.instructions.push(line);
  }
  return stages;
}

/** Files of the build context: what git tracks, without what .dockerignore leaves out. */
function contextFiles(): string[] {
  const ignored = readFileSync(join(root, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return tracked
    .split("\n")
    .filter(Boolean)
    .filter((path) => !ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)));
}

export interface CopiedFile {
  readonly from: string;
  readonly to: string;
}

/** What a stage copies out of the build context, file by file, relative to the working directory of the stage. */
export function copiedFiles({ instructions }: Stage): CopiedFile[] {
  const files = contextFiles();
  return instructions
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
    .flatMap((line) => {
      const [target, ...sources] = line.split(" ").slice(1).toReversed();
      return sources.flatMap((source) => {
        const found = files.filter((path) => path === source || path.startsWith(`${source}/`));
        if (found.length === 0) throw new Error(`"${line}" copies ${source}, which is not in the build context`);
        return found.map((from) => ({ from, to: targetOf(from, source, target!) }));
      });
    });
}

/** As docker does: the content of a folder goes into the target, and a file into a target that ends with a slash. */
function targetOf(path: string, source: string, target: string): string {
  if (path !== source) return join(target, path.slice(source.length + 1));
  return target.endsWith("/") ? join(target, path.slice(path.lastIndexOf("/") + 1)) : target;
}
