/** A Python with packages of its own, for tests against programs that are written in it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How long the installation may take. */
export const pythonSetupTimeoutMs = 300_000;

/**
 * A virtual environment in .cache/, made once, and again when the packages change. One spec file uses each, so that no two make
 * it at once. Returns its folder of programs.
 */
export function pythonEnvironment(name: string, packages: readonly string[]): string {
  const home = fileURLToPath(new URL(`../.cache/${name}`, import.meta.url));
  const mark = join(home, "packages");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== packages.join()) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const run = (program: string, args: readonly string[]) =>
      execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"], timeout: pythonSetupTimeoutMs });
    run("python3", ["-m", "venv", home]);
    run(join(home, "bin/python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
    writeFileSync(mark, packages.join());
  }
  return join(home, "bin");
}
