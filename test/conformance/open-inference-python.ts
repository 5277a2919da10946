/** Python tools that drive our model server: installed once, in `.cache/`. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPythonPackages } from "../../testing/python-environment.ts";

/** The wheel of 2.41.0 contains perf_analyzer, which does not start without CUDA's runtime and libb64. */
const packages = ["tritonclient[grpc]==2.41.0", "grpcio-health-checking", "nvidia-cuda-runtime-cu12==12.4.127"];
const debianPackage = "libb64-0d";
const setupTimeoutMs = 240_000;

export interface PythonTools {
  readonly python: string;
  readonly perfAnalyzer: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A virtual environment with the packages; created again when their list changes. */
export function pythonTools(): PythonTools {
  const cache = fileURLToPath(new URL("../../.cache/", import.meta.url));
  const key = createHash("sha256")
    .update([...packages, debianPackage].join())
    .digest("hex")
    .slice(0, 12);
  const home = join(cache, `open-inference-${key}`);
  if (!existsSync(join(home, "ready"))) setUp(home);
  const site = execFileSync(
    join(home, "bin/python"),
    ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
    {
      encoding: "utf8",
    },
  ).trim();
  const libraries = [join(site, "nvidia/cuda_runtime/lib"), ...libraryFolders(home)];
  return {
    python: join(home, "bin/python"),
    perfAnalyzer: join(home, "bin/perf_analyzer"),
    // tritonclient 2.41's generated code is older than the C++ protobuf runtime accepts.
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries.join(":"), PYTHONUNBUFFERED: "1" },
  };
}

function setUp(home: string): void {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const run = (command: string, args: readonly string[], cwd = home): void => {
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], timeout: setupTimeoutMs });
  };
  installPythonPackages(home, packages);
  // The package is unpacked, not installed: that needs no root and changes nothing on the machine.
  const lists = join(tmpdir(), `packshot-apt-${process.pid}`);
  mkdirSync(join(lists, "partial"), { recursive: true });
  const options = ["-o", `Dir::State::Lists=${lists}`, "-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User="];
  run("apt-get", [...options, "-qq", "update"]);
  run("apt-get", [...options, "-qq", "download", debianPackage]);
  run("sh", ["-c", `dpkg-deb -x ${debianPackage}_*.deb debian`]);
  rmSync(lists, { recursive: true });
  writeFileSync(join(home, "ready.part"), `${packages.join("\n")}\n`);
  renameSync(join(home, "ready.part"), join(home, "ready"));
}

function libraryFolders(home: string): string[] {
  return execFileSync("find", [join(home, "debian"), "-name", "libb64.so*", "-printf", "%h\n"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs without blocking this process, in which the server under test lives. */
export function runTool(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
