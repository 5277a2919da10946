/**
 * The CUDA image's libraries without its image and without a GPU: the wheels of `deploy/docker/cuda-requirements.txt`, taken
 * apart as the Dockerfile does, a copy of onnxruntime-node with the provider beside its binding, and a driver that has no
 * device. All of it lies in `.cache/cuda`, 4.5 GB.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, ".cache/cuda");
const wheels = join(folder, "wheels");

export interface CudaFolders {
  /** Where `onnxruntime-node` is resolved from: a file beside its node_modules. */
  readonly host: string;
  /** CUDA's and cuDNN's shared libraries. */
  readonly libraries: string;
  /** libcuda.so.1. */
  readonly stub: string;
}

/** `make test-cuda-libraries` downloads them; elsewhere they are used where they lie. */
export function hasWheels(): boolean {
  return existsSync(wheels);
}

/** Downloads what is missing (1.6 GB) where `mayDownload`, and unpacks it anew. */
export function prepareCuda(mayDownload: boolean): CudaFolders {
  if (!hasWheels()) {
    if (!mayDownload) throw new Error(`${wheels} is missing: run "make test-cuda-libraries"`);
    downloadWheels();
  }
  const unpacked = join(folder, "unpacked");
  rmSync(unpacked, { recursive: true, force: true });
  execFileSync("python3", [join(root, "deploy/docker/unpack-cuda.py"), wheels, unpacked]);
  const host = join(folder, "host");
  rmSync(host, { recursive: true, force: true });
  const installed = dirname(createRequire(import.meta.url).resolve("onnxruntime-node/package.json"));
  for (const name of ["onnxruntime-node", "onnxruntime-common"]) {
    const source = join(installed, "..", name);
    cpSync(source, join(host, "node_modules", name), { recursive: true, dereference: true });
  }
  cpSync(join(unpacked, "providers"), join(host, "node_modules/onnxruntime-node/bin/napi-v6/linux/x64"), {
    recursive: true,
  });
  const stub = join(folder, "stub");
  buildStubDriver(stub);
  return { host: join(host, "index.js"), libraries: join(unpacked, "libraries"), stub };
}

/** Puts a driver that has no device into the folder, which is made. */
export function buildStubDriver(stub: string): void {
  mkdirSync(stub, { recursive: true });
  const source = fileURLToPath(new URL("stub-libcuda.c", import.meta.url));
  execFileSync("cc", ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", join(stub, "libcuda.so.1"), source]);
}

/** Beside it and renamed, so that the folder is whole or not there. */
function downloadWheels(): void {
  const unfinished = `${wheels}.${process.pid}`;
  const platforms = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64"];
  const options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version", "3.12"];
  const requirements = join(root, "deploy/docker/cuda-requirements.txt");
  execFileSync(
    "python3",
    [
      ...["-m", "pip", "download", ...options],
      ...platforms.flatMap((platform) => ["--platform", platform]),
      ...["--dest", unfinished, "--requirement", requirements],
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  renameSync(unfinished, wheels);
}

/** How a session on CUDA ended, as load-provider-main.ts prints it. */
export interface SessionOutcome {
  readonly libraries: { readonly hasProvider: boolean; readonly missing: readonly string[] };
  readonly error: string | null;
  readonly explained: string | null;
}

/** Libraries that the loader does not find for a file, with `path` as LD_LIBRARY_PATH. */
export function missingFor(file: string, path: string): readonly string[] {
  const listed = execFileSync("ldd", [file], { encoding: "utf8", env: { ...process.env, LD_LIBRARY_PATH: path } });
  return [...listed.matchAll(/(\S+) => not found/g)].map(([, name]) => name!);
}
