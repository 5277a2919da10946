/** The inference checks of `packshot doctor`: the machine, its GPU, onnxruntime and the installed models. */
import { execFileSync } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { listModels, verifyModel } from "./installed-models.ts";
import { encodeModel } from "./onnx-file.ts";
import { tinySegmenter } from "./tiny-segmenter.ts";
import { wrapForBytes } from "./wrap-for-bytes.ts";

export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "fault";
  /** What was found, and the remedy for a fault. */
  readonly message: string;
}

export interface DoctorOptions {
  readonly bundledDir: string;
  readonly modelDir?: string;
  /** The setting PACKSHOT_EXECUTION_PROVIDERS. */
  readonly executionProviders: readonly string[];
}

/** Runs every check; none throws. */
export async function doctor(options: DoctorOptions): Promise<Finding[]> {
  const wantsGpu = options.executionProviders.includes("cuda");
  return [
    checkMachine(),
    checkGpu(wantsGpu),
    await checkSession("cpu", true),
    ...(wantsGpu ? [await checkSession("cuda", true)] : []),
    ...(await checkModels(options)),
  ];
}

function checkMachine(): Finding {
  const gib = totalmem() / 2 ** 30;
  const cores = availableParallelism();
  const message = `${cores} cores, ${gib.toFixed(1)} GiB of memory, Node ${process.versions.node}`;
  return {
    check: "machine",
    state: gib < 2 ? "warning" : "ok",
    message: gib < 2 ? `${message}: models of 1024 pixels need 4 GiB` : message,
  };
}

function checkGpu(wanted: boolean): Finding {
  try {
    const query = ["--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"];
    const found = execFileSync("nvidia-smi", query, {
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const hint = wanted ? "" : "; set PACKSHOT_EXECUTION_PROVIDERS=cuda to use it";
    return { check: "gpu", state: "ok", message: found.trim().replaceAll("\n", "; ") + hint };
  } catch {
    const message = "no NVIDIA GPU (nvidia-smi does not answer)";
    return {
      check: "gpu",
      state: wanted ? "fault" : "ok",
      message: wanted ? `${message}, but PACKSHOT_EXECUTION_PROVIDERS asks for cuda` : message,
    };
  }
}

/** Runs a small wrapped network on the provider and reports onnxruntime's error, instead of looking for libraries. */
async function checkSession(provider: "cpu" | "cuda", wanted: boolean): Promise<Finding> {
  const check = `onnxruntime on ${provider}`;
  try {
    const { InferenceSession, Tensor } = await import("onnxruntime-node");
    const pre = { width: 32, height: 32, channels: "rgb", divideBy: "255", mean: [0, 0, 0], std: [1, 1, 1] } as const;
    const model = wrapForBytes(tinySegmenter({ width: 32, height: 32, channels: 3 }), pre, {
      output: null,
      activation: "none",
      range: "none",
    });
    const session = await InferenceSession.create(encodeModel(model), {
      executionProviders: [provider],
      logSeverityLevel: 3,
    });
    const startedAt = performance.now();
    await session.run({ image: new Tensor("uint8", new Uint8Array(32 * 32 * 3), [1, 32, 32, 3]) });
    const ms = performance.now() - startedAt;
    await session.release();
    return { check, state: "ok", message: `a small network ran in ${ms.toFixed(1)} ms` };
  } catch (error) {
    const hint =
      provider === "cuda"
        ? ": CUDA 13 and cuDNN 9 must be installed, and onnxruntime-node's CUDA library beside its binding"
        : "";
    return { check, state: wanted ? "fault" : "warning", message: `${(error as Error).message.split("\n")[0]}${hint}` };
  }
}

async function checkModels(options: DoctorOptions): Promise<Finding[]> {
  try {
    const installed = listModels(options).filter(({ state }) => state === "here");
    if (installed.length === 0)
      return [{ check: "models", state: "fault", message: "no model has weights here: packshot models pull NAME" }];
    const findings: Finding[] = [];
    for (const { name } of installed) {
      const { problems, file, hashed } = await verifyModel({ ...options, name });
      const message =
        problems.length > 0 ? problems.join("; ") : `${file}${hashed ? ", hash as pulled" : ", readable"}`;
      findings.push({ check: `model ${name}`, state: problems.length > 0 ? "fault" : "ok", message });
    }
    return findings;
  } catch (error) {
    return [{ check: "models", state: "fault", message: (error as Error).message }];
  }
}
