/**
 * podman and buildah of this machine, set so that containers run here. Machines refuse different things: crun knows no cgroups in
 * hybrid mode, and who may not raise limits must name the ones that he has.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { findProgram } from "../programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outputBytesMax = 16 * 1024 * 1024;
const shownLines = 40;
/** podman itself has lower limits than the process that starts it. */
const limitMax = 16_384;
/**
 * buildah starts a copy of itself, in memory, which it seals before: a kernel refuses that while it holds one of the copy's pages
 * for a moment. Seen once in a dozen builds, at a load of 20.
 */
const sealRefused = "sealing memfd copy: Device or resource busy";
const sealTriesMax = 3;
const probeImage = "localhost/packshot-stand-in/probe";

export interface RunOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
}

export interface Engine {
  /** What programs that call the engine are started with. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Tells how containers run, for reports. */
  readonly name: string;
  /** Resolves with what the program printed on stdout; rejects with the end of all that it printed. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>;
  podman(args: readonly string[], options?: RunOptions): Promise<string>;
}

export type EngineSearch = { readonly engine: Engine } | { readonly reason: string };

function createEngine(name: string, settings: Readonly<Record<string, string>>): Engine {
  // podman runs health checks by timers of systemd; health-checks.ts does it on any machine.
  const environment = { ...process.env, ...settings, DISABLE_HC_SYSTEMD: "true" };
  const runOnce = (program: string, args: readonly string[], { input = "", timeoutMs = 900_000 }: RunOptions = {}) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(program, args, { cwd: root, env: environment, timeout: timeoutMs });
      const all: string[] = [];
      const out: string[] = [];
      let bytes = 0;
      const keep = (kept: string[][]) => (chunk: string) => {
        bytes += chunk.length;
        if (bytes <= outputBytesMax) for (const list of kept) list.push(chunk);
      };
      child.stdout.setEncoding("utf8").on("data", keep([all, out]));
      child.stderr.setEncoding("utf8").on("data", keep([all]));
      child.stdin.on("error", () => {}).end(input);
      child.once("error", (error) => reject(new Error(`${program}: ${error.message}`)));
      child.once("close", (status, signal) => {
        if (status === 0) return resolve(out.join("").trim());
        const end = all.join("").trimEnd().split("\n").slice(-shownLines).join("\n");
        reject(new Error(`${program} ${args.join(" ").slice(0, 300)} ended with ${signal ?? status}:\n${end}`));
      });
    });
  async function run(program: string, args: readonly string[], options?: RunOptions): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await runOnce(program, args, options);
      } catch (error) {
        if (tries === sealTriesMax || !(error instanceof Error && error.message.includes(sealRefused))) throw error;
      }
    }
  }
  return { name, environment, run, podman: (args, options) => run("podman", args, options) };
}

/** `podman` with a storage of its own has nothing of the machine's images, as a machine without a registry. */
function storageSettings(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, "storage.conf");
  mkdirSync(folder, { recursive: true });
  const lines = ["[storage]", 'driver = "overlay"', `graphroot = "${folder}/graph"`, `runroot = "${folder}/run"`];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return { CONTAINERS_STORAGE_CONF: file };
}

/** The limits of this process: those of the engine are higher, and only who has CAP_SYS_RESOURCE may raise his. */
function limitsHere(): string[] {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const hard = (title: string) => Number(new RegExp(`^${title} +\\S+ +(\\d+)`, "m").exec(limits)?.[1] ?? limitMax);
  const asFlag = (name: string, value: number) => `${name}=${value}:${value}`;
  return [
    asFlag("nofile", Math.min(hard("Max open files"), limitMax)),
    asFlag("nproc", Math.min(hard("Max processes"), limitMax)),
  ];
}

function containersFile(lines: readonly string[]): string {
  const folder = join(root, ".cache");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "containers.conf");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** From what is usual to what the most limited machine takes. */
function* candidates(storage: Readonly<Record<string, string>>): Generator<Engine> {
  yield createEngine("podman as it is set here", storage);
  const limits = `default_ulimits = [${limitsHere()
    .map((limit) => `"${limit}"`)
    .join(", ")}]`;
  const lines = ["[engine]", 'runtime = "runc"', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"'];
  const file = containersFile([...lines, "[containers]", limits]);
  yield createEngine("podman with runc and cgroupfs", { ...storage, CONTAINERS_CONF: file });
}

/** An image of one program, which needs no base image. */
async function importProbe(engine: Engine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "packshot-probe-"));
  try {
    symlinkSync(findNatsServer(process.env), join(folder, "probe"));
    await engine.run("tar", ["-C", folder, "--dereference", "-cf", join(folder, "probe.tar"), "probe"]);
    await engine.podman(["import", "--quiet", join(folder, "probe.tar"), probeImage]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const runProbe = ["run", "--rm", "--network", "none", "--read-only", "--user", "10001", probeImage];

/** An engine that has run a container here, or at which step none can. `storageFolder`: a storage of its own. */
export async function findEngine(storageFolder?: string): Promise<EngineSearch> {
  for (const program of ["podman", "buildah"])
    if (findProgram(program) === undefined) return { reason: `${program} is not on PATH` };
  const storage = storageFolder === undefined ? {} : storageSettings(storageFolder);
  const refusals: string[] = [];
  for (const engine of candidates(storage)) {
    const lastLine = (error: Error) => error.message.trimEnd().split("\n").at(-1)!;
    try {
      await importProbe(engine);
      await engine.podman([...runProbe, "/probe", "--version"]);
      return { engine };
    } catch (error) {
      refusals.push(`${engine.name}: ${lastLine(error as Error)}`);
    }
  }
  return { reason: `a container does not run (${refusals.join("; ")})` };
}

/** Throws where no container runs. */
export async function requireEngine(storageFolder?: string): Promise<Engine> {
  const search = await findEngine(storageFolder);
  if ("reason" in search) throw new Error(search.reason);
  return search.engine;
}
