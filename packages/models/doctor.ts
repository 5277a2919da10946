/** The inference checks of `packshot doctor`: the machine, its GPU, onnxruntime and the installed models. */
import { execFileSync } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { silenceRuntime } from "@packshot/platform/config/silence-runtime.ts";
import {
  type BatchSession,
  explainCudaFault,
  explainNvidiaSmi,
  findCudaLibraries,
  judgeTurns,
  timeTurns,
} from "./cuda-check.ts";
import { type Gpu, judgeGpus, judgeRoom, parseGpus, type Room } from "./gpu-check.ts";
import { imageModelWeights, listImageModels, verifyImageModel } from "./installed-image-models.ts";
import { type ListedModel, listModels, verifyModel } from "./installed-models.ts";
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
  const { finding, gpus } = checkGpu(wantsGpu);
  return [
    checkMachine(),
    finding,
    await checkCpu(),
    ...(wantsGpu ? [await checkCuda()] : []),
    ...(await checkModels(options)),
    ...(await checkImageModels(options, wantsGpu ? gpus[0] : undefined)),
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

function checkGpu(wanted: boolean): { readonly finding: Finding; readonly gpus: readonly Gpu[] } {
  try {
    const query = ["--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"];
    const found = execFileSync("nvidia-smi", query, {
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const gpus = parseGpus(found);
    const { state, message } = judgeGpus(gpus);
    if (wanted) return { finding: { check: "gpu", state, message }, gpus };
    const unused = `${message}; set PACKSHOT_EXECUTION_PROVIDERS=cuda to use it`;
    return { finding: { check: "gpu", state: "ok", message: unused }, gpus };
  } catch (error) {
    const message = explainNvidiaSmi(error as { code?: string; stdout?: string });
    const finding: Finding = {
      check: "gpu",
      state: wanted ? "fault" : "ok",
      message: wanted ? `${message}, but PACKSHOT_EXECUTION_PROVIDERS asks for cuda` : message,
    };
    return { finding, gpus: [] };
  }
}

const side = 32;

/** A session of a small wrapped network. */
async function createSession(provider: "cpu" | "cuda"): Promise<BatchSession> {
  silenceRuntime();
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const size = { width: side, height: side };
  const pre = { ...size, channels: "rgb", divideBy: "255", mean: [0, 0, 0], std: [1, 1, 1] } as const;
  const post = { output: null, activation: "none", range: "none" } as const;
  const model = wrapForBytes(tinySegmenter({ ...size, channels: 3 }), pre, post);
  const options = { executionProviders: [provider], logSeverityLevel: 3 } as const;
  const session = await InferenceSession.create(encodeModel(model), options);
  return {
    async run(rows) {
      await session.run({ image: new Tensor("uint8", new Uint8Array(rows * side * side * 3), [rows, side, side, 3]) });
    },
    release: () => session.release(),
  };
}

async function checkCpu(): Promise<Finding> {
  const check = "onnxruntime on cpu";
  try {
    const session = await createSession("cpu");
    const startedAt = performance.now();
    await session.run(1);
    const ms = performance.now() - startedAt;
    await session.release();
    return { check, state: "ok", message: `a small network ran in ${ms.toFixed(1)} ms` };
  } catch (error) {
    return { check, state: "fault", message: (error as Error).message.split("\n")[0]! };
  }
}

async function checkCuda(): Promise<Finding> {
  const check = "onnxruntime on cuda";
  try {
    return { check, ...judgeTurns(await timeTurns(() => createSession("cuda"))) };
  } catch (error) {
    const { message } = error as Error;
    const fault = explainCudaFault(message, findCudaLibraries()) ?? `onnxruntime says: ${message.split("\n")[0]}`;
    return { check, state: "fault", message: fault };
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

/** Whether their files are as pulled, and whether the memory that they will have holds them. */
async function checkImageModels({ modelDir }: DoctorOptions, gpu: Gpu | undefined): Promise<Finding[]> {
  const room = gpu
    ? { where: gpu.name, memoryBytes: gpu.memoryBytes }
    : { where: "this machine", memoryBytes: totalmem() };
  const findings: Finding[] = [];
  try {
    for (const model of listImageModels(modelDir)) findings.push(await checkImageModel(model, room));
  } catch (error) {
    findings.push({ check: "image models", state: "fault", message: (error as Error).message });
  }
  return findings;
}

async function checkImageModel(model: ListedModel, room: Room): Promise<Finding> {
  const check = `image model ${model.name}`;
  const { problems } = await verifyImageModel(model);
  if (problems.length > 0) return { check, state: "fault", message: problems.join("; ") };
  return { check, ...judgeRoom(imageModelWeights(model), room) };
}
