/** In which precision a model runs on this machine (docs/adr/0037-int8-weights.md). */
import { readFileSync } from "node:fs";

/** `original`: as its file has it, fp32 as a rule. */
export type Precision = "original" | "fp16" | "int8";

/** PACKSHOT_MODEL_INT8. */
export type Int8Use = "auto" | "on" | "off";

/** A processor with one of these multiplies 8-bit integers faster than floats; those with VNNI have AVX2, too. */
const fastInt8Features = ["avx2", "asimddp"];

/** @param cpuInfo Linux's /proc/cpuinfo: one line of features for each core, `flags` on x86 and `Features` on arm64 */
export function hasFastInt8(cpuInfo: string): boolean {
  const cores = [...cpuInfo.matchAll(/^(?:flags|Features)\s*:(.*)$/gm)].map(([, features]) => features!.split(/\s+/));
  return cores.length > 0 && cores.every((features) => fastInt8Features.some((each) => features.includes(each)));
}

/** Int8 weights are for CPUs: GPUs compute half floats at least as fast. */
export function choosePrecision(model: {
  readonly onGpu: boolean;
  /** config.pbtxt asks for half precision on GPUs. */
  readonly halfOnGpu: boolean;
  readonly hasInt8File: boolean;
  readonly int8: Int8Use;
}): Precision {
  if (model.onGpu) return model.halfOnGpu ? "fp16" : "original";
  if (!model.hasInt8File || model.int8 === "off") return "original";
  return model.int8 === "on" || hasFastInt8(readCpuInfo()) ? "int8" : "original";
}

/** Empty where the system has no such file, so that an unknown processor counts as one without the features. */
function readCpuInfo(): string {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return "";
  }
}
