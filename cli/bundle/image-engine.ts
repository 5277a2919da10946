/** podman or docker, whichever handles images on this machine. */
import { spawn } from "node:child_process";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";

const engines = ["podman", "docker"] as const;
const shownBytes = 2_000;

export interface ImageEngine {
  has(image: string): Promise<boolean>;
  pull(image: string): Promise<void>;
  save(image: string, file: string): Promise<void>;
  load(file: string): Promise<void>;
  tag(image: string, name: string): Promise<void>;
  push(image: string): Promise<void>;
}

/** Resolves with the status and the end of what the program said. Rejects where it cannot be started. */
async function runProgram(program: string, args: readonly string[]): Promise<{ status: number; said: string }> {
  const child = spawn(program, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-shownBytes);
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status: status ?? 1, said: said.trim() }));
  });
}

/** Throws a CommandError with the program's last line unless it ends well. */
export async function must(program: string, args: readonly string[]): Promise<void> {
  const { status, said } = await runProgram(program, args).catch((error: Error) => ({
    status: 1,
    said: error.message,
  }));
  if (status !== 0) throw new CommandError(`${program} ${args[0]}: ${said.split("\n").at(-1)}`);
}

async function isInstalled(program: string): Promise<boolean> {
  return runProgram(program, ["--version"]).then(
    ({ status }) => status === 0,
    () => false,
  );
}

export async function findEngine(named: string | undefined): Promise<ImageEngine> {
  if (named !== undefined && !engines.includes(named as "podman"))
    throw new CommandError("--engine is podman or docker.");
  for (const program of named === undefined ? engines : [named]) {
    if (!(await isInstalled(program))) continue;
    return {
      has: async (image) => (await runProgram(program, ["image", "inspect", image])).status === 0,
      pull: (image) => must(program, ["pull", image]),
      // Docker writes an OCI layout from version 25 on, and has no flag for it.
      save: (image, file) =>
        must(program, ["save", ...(program === "podman" ? ["--format", "oci-archive"] : []), "--output", file, image]),
      load: (file) => must(program, ["load", "--input", file]),
      tag: (image, name) => must(program, ["tag", image, name]),
      push: (image) => must(program, ["push", image]),
    };
  }
  throw new CommandError(
    `${named ?? "neither podman nor docker"} is ${named === undefined ? "" : "not "}on PATH: one of both handles images.`,
  );
}
