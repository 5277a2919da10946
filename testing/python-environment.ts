/** A Python with packages of its own, for tests against programs that are written in it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How long the installation may take. */
export const pythonSetupTimeoutMs = 300_000;

const cache = fileURLToPath(new URL("../.cache", import.meta.url));

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"], timeout: pythonSetupTimeoutMs });
}

/** The one Python whose pip installs for all others: unpacking a pip takes longer than most of the packages. */
function pythonWithPip(): string {
  const version = execFileSync("python3", ["--version"], { encoding: "utf8", timeout: pythonSetupTimeoutMs });
  const home = join(cache, `pip-of-${version.trim().replace(" ", "-")}`);
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true });
    const made = mkdtempSync(`${home}-`);
    try {
      run("python3", ["-m", "venv", made]);
      // Before it, pip installs only for its own Python.
      run(join(made, "bin/python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pip>=22.3"]);
      renameSync(made, home);
    } catch (error) {
      rmSync(made, { recursive: true, force: true });
      // Two specs may make it at once, and the first one's stays.
      if (!existsSync(home)) throw error;
    }
  }
  return join(home, "bin/python");
}

/**
 * Makes a virtual environment with `packages` in `home`. Modules are compiled when they are imported:
 * most of them never are. Throws where pip fails.
 */
export function installPythonPackages(
  home: string,
  packages: readonly string[],
  options: readonly string[] = [],
): void {
  run("python3", ["-m", "venv", "--without-pip", home]);
  const install = ["install", "--quiet", "--disable-pip-version-check", "--no-compile", ...options, ...packages];
  run(pythonWithPip(), ["-m", "pip", "--python", join(home, "bin/python"), ...install]);
}

/**
 * A virtual environment in .cache/, made once, and again when the packages change. One spec file uses each, so that no two make
 * it at once. Returns its folder of programs.
 */
export function pythonEnvironment(name: string, packages: readonly string[]): string {
  const home = join(cache, name);
  const mark = join(home, "packages");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== packages.join()) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    installPythonPackages(home, packages);
    writeFileSync(mark, packages.join());
  }
  return join(home, "bin");
}
