/** What `packshot doctor` finds out about CUDA: whether it runs, why not, and whether batches of two sizes disturb each other. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A session that runs a batch of so many rows. */
export interface BatchSession {
  run(rows: number): Promise<void>;
  release(): Promise<void>;
}

export interface TurnTimes {
  /** The first run of all, which prepares the device. */
  readonly firstMs: number;
  /** By batch: the second of two runs in a row. */
  readonly aloneMs: readonly [number, number];
  /** By batch: a run after one of the other batch, each in a session of its own, as in the model server. */
  readonly inTurnsMs: readonly [number, number];
  /** The same, in one session for both. */
  readonly sharedMs: readonly [number, number];
}

const batches = [1, 4] as const;
const slowdownMax = 5;
/** Runs of less are as likely slow by chance. */
const slowMsMin = 20;

export async function timeTurns(
  create: () => Promise<BatchSession>,
  nowMs: () => number = () => performance.now(),
): Promise<TurnTimes> {
  const timed = async (session: BatchSession, rows: number): Promise<number> => {
    const startedAtMs = nowMs();
    await session.run(rows);
    return nowMs() - startedAtMs;
  };
  const small = await create();
  const large = await create();
  const firstMs = await timed(small, batches[0]);
  const smallMs = await timed(small, batches[0]);
  await timed(large, batches[1]);
  const largeMs = await timed(large, batches[1]);
  const inTurnsMs = [await timed(small, batches[0]), await timed(large, batches[1])] as const;
  await large.release();
  await timed(small, batches[1]);
  const sharedMs = [await timed(small, batches[0]), await timed(small, batches[1])] as const;
  await small.release();
  return { firstMs, aloneMs: [smallMs, largeMs], inTurnsMs, sharedMs };
}

export function judgeTurns({ firstMs, aloneMs, inTurnsMs, sharedMs }: TurnTimes): {
  readonly state: "ok" | "warning";
  readonly message: string;
} {
  const pair = (ms: readonly [number, number]) => `${ms[0].toFixed(1)} and ${ms[1].toFixed(1)} ms`;
  const isSlow = inTurnsMs.some((ms, at) => ms > slowMsMin && ms > slowdownMax * aloneMs[at]!);
  const times = `a small network ran in ${firstMs.toFixed(1)} ms, batches of ${batches.join(" and ")} in turns in ${pair(inTurnsMs)}, in one session for both in ${pair(sharedMs)}`;
  return isSlow
    ? {
        state: "warning",
        message: `${times}: a batch alone takes ${pair(aloneMs)}, so serving will be slow whenever the size of batches changes`,
      }
    : { state: "ok", message: times };
}

export interface CudaLibraries {
  /** onnxruntime-node comes without its CUDA library. */
  readonly hasProvider: boolean;
  /** Libraries that it needs and the loader does not find. */
  readonly missing: readonly string[];
}

/** What lies beside onnxruntime-node's binding, and what the loader lacks for it. */
export function findCudaLibraries(
  resolve: (file: string) => string = createRequire(import.meta.url).resolve,
): CudaLibraries {
  const provider = findProvider(resolve);
  if (provider === undefined) return { hasProvider: false, missing: [] };
  try {
    const listed = execFileSync("ldd", [provider], { encoding: "utf8", timeout: 10_000 });
    const missing = [...listed.matchAll(/(\S+) => not found/g)].map(([, name]) => name!);
    return { hasProvider: true, missing: [...missing, ...lateLibraries.filter((name) => !canLoad(name))] };
  } catch {
    return { hasProvider: true, missing: [] };
  }
}

/** The provider names them only once it runs a network, so `ldd` does not list them. */
const lateLibraries = ["libcudnn.so.9", "libnvrtc.so.13"] as const;

/** Whether the loader finds it: in LD_LIBRARY_PATH, or in its cache. */
function canLoad(name: string): boolean {
  const folders = (process.env.LD_LIBRARY_PATH ?? "").split(":").filter(Boolean);
  if (folders.some((folder) => existsSync(join(folder, name)))) return true;
  try {
    const cached = execFileSync("/sbin/ldconfig", ["-p"], { encoding: "utf8", timeout: 10_000 });
    return cached.split("\n").some((line) => line.trim().startsWith(`${name} `));
  } catch {
    return false;
  }
}

function findProvider(resolve: (file: string) => string): string | undefined {
  try {
    const folder = join(dirname(resolve("onnxruntime-node/package.json")), "bin", "napi-v6");
    const provider = join(folder, process.platform, process.arch, "libonnxruntime_providers_cuda.so");
    return existsSync(provider) ? provider : undefined;
  } catch {
    return undefined;
  }
}

/** A model's error, which says why the GPU cannot be used if that is why. */
export function explainCudaError(cause: Error, libraries: CudaLibraries = findCudaLibraries()): Error {
  const fault = explainCudaFault(cause.message, libraries);
  if (fault === undefined) return cause;
  const message = `the GPU cannot be used (${cause.message}): ${fault}; or set PACKSHOT_EXECUTION_PROVIDERS=cpu`;
  return new Error(message, { cause });
}

/** One sentence: what is missing, and the remedy. undefined: the error is another one. */
export function explainCudaFault(error: string, { hasProvider, missing }: CudaLibraries): string | undefined {
  if (!hasProvider) {
    return "onnxruntime-node's CUDA library is missing beside its binding: sh bench/gpu/install-cuda-provider.sh puts it there, and the CUDA image has it";
  }
  const libraries = missing.filter((name) => name !== "libcuda.so.1");
  if (libraries.length > 0) {
    return `libraries are missing (${libraries.join(", ")}): install CUDA 13 and cuDNN 9, or name their folders in LD_LIBRARY_PATH`;
  }
  if (missing.length > 0 || /driver version is insufficient|CUDA failure 35\b|libcuda\.so/i.test(error)) {
    return "there is no NVIDIA driver for CUDA 13: install driver 580 or later";
  }
  if (/no CUDA-capable device|CUDA failure 100\b|invalid device ordinal|CUDA failure 101\b/i.test(error)) {
    return "the driver shows this process no device: give the container or pod a GPU, and look at CUDA_VISIBLE_DEVICES and at instance_group";
  }
  if (/failed to load (shared )?library|cannot open shared object/i.test(error)) {
    return "a library of CUDA 13 or cuDNN 9 cannot be loaded: stderr names it; install it, or name its folder in LD_LIBRARY_PATH";
  }
  if (/out of memory|failed to allocate memory|CUDA failure 2\b|_ALLOC_FAILED/i.test(error)) {
    return "its memory does not hold the model's sessions: name fewer buckets (preferred_batch_size) or fewer instances in config.pbtxt";
  }
  return undefined;
}

/** Why nvidia-smi did not list a GPU. */
export function explainNvidiaSmi(failure: { readonly code?: string; readonly stdout?: string }): string {
  if (failure.code === "ENOENT") return "no NVIDIA driver is installed (there is no nvidia-smi)";
  if (/no devices were found/i.test(failure.stdout ?? "")) return "the NVIDIA driver shows no GPU";
  return "the NVIDIA driver does not run (nvidia-smi failed)";
}
