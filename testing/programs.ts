/**
 * Programs that some tests need beside Node and nats-server. A spec that needs one says so by a tag, as a whole
 * (`@module-tag redis-server` in its first comment) or in a test's options (`{ tags: ["zsh"] }`). Where the program is
 * missing, `make test` skips those tests and says how to get it; `make test-all` fails, unless no such program could run here.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCage } from "@packshot/platform/images/find-cage.ts";

export interface Program {
  /** Each must be there: the first of its names that is. */
  readonly needs: readonly (readonly string[])[];
  /** What its tests try. */
  readonly tests: string;
  /** How to get it. */
  readonly install: string;
}

const browsers = ["chromium/chromium", "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

export const programs = {
  "redis-server": {
    needs: [["redis-server"]],
    tests: "rates that several processes count together, and a whole cluster",
    install: "apt-get install redis-server",
  },
  versitygw: {
    needs: [["versitygw"]],
    tests: "storage in S3, and customers' buckets",
    install: "node scripts/setup.mjs versitygw (Go builds it)",
  },
  helm: {
    needs: [["helm"], ["kubectl-validate"]],
    tests: "the chart for Kubernetes",
    install: "node scripts/setup.mjs chart (Go builds it)",
  },
  chromium: {
    needs: [browsers],
    tests: "the console, the API reference and the SDK in a browser",
    install: "apt-get install chromium, or node scripts/setup.mjs browser",
  },
  prometheus: {
    needs: [["prometheus"], ["promtool"]],
    tests: "alert rules and the dashboard's queries",
    install: "apt-get install prometheus",
  },
  python: {
    needs: [["python3"]],
    tests: "clients in Python, HEIC photos, and the protocol's reference clients",
    install: "apt-get install python3 python3-venv",
  },
  go: { needs: [["go"]], tests: "the example in Go", install: "https://go.dev/dl, or apt-get install golang-go" },
  "packshot-cage": {
    needs: [["packshot-cage"]],
    tests: "decoders in a cage, on Linux",
    install: "make setup, where Go is installed",
  },
  zsh: { needs: [["zsh"]], tests: "completion in zsh", install: "apt-get install zsh" },
  fish: { needs: [["fish"]], tests: "completion in fish", install: "apt-get install fish" },
  script: { needs: [["script"]], tests: "progress on a terminal", install: "apt-get install bsdutils" },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;

const tools = fileURLToPath(new URL("../.tools", import.meta.url));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Its path: in .tools, where setup puts what it builds, else on PATH. Undefined where no name is found. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [tools, ...(process.env.PATH ?? "").split(delimiter)];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

export function findChromium(): string | undefined {
  return findProgram(...browsers);
}

/** A Python without its venv module, as Debian packs it, can install no package. */
function hasVenv(): boolean {
  return spawnSync("python3", ["-c", "import ensurepip, venv"], { stdio: "ignore" }).status === 0;
}

export function isMissing(name: ProgramName): boolean {
  const isThere = programs[name].needs.every((names) => findProgram(...names) !== undefined);
  return !isThere || (name === "python" && !hasVenv());
}

/** Why this machine cannot run it, whatever is installed: its tests are skipped, by `make test-all` and CI, too. */
function obstacleTo(name: ProgramName): string | undefined {
  if (name !== "packshot-cage") return undefined;
  const found = findCage();
  return found.kind === "no-platform" || found.kind === "refused" ? found.problem : undefined;
}

export const obstacles: ReadonlyMap<ProgramName, string> = new Map(
  (Object.keys(programs) as ProgramName[]).flatMap((name) => {
    const obstacle = obstacleTo(name);
    return obstacle === undefined ? [] : [[name, obstacle] as const];
  }),
);

/** As it is now: setup may build one while tests run. */
export function findMissingPrograms(): ProgramName[] {
  return (Object.keys(programs) as ProgramName[]).filter((name) => obstacles.has(name) || isMissing(name));
}
