/** Which execution provider runs a graph's nodes, and what `--require-gpu` accepts. */
import type { NodePlacement } from "./instance-protocol.ts";

/**
 * Operators that onnxruntime places on the CPU on purpose even with CUDA, because they compute shapes of a few numbers.
 */
const shapeOperators = new Set([
  "Shape",
  "Gather",
  "Concat",
  "Slice",
  "Unsqueeze",
  "Squeeze",
  "Cast",
  "Constant",
  "ConstantOfShape",
  "Add",
  "Sub",
  "Mul",
  "Div",
  "Floor",
  "Ceil",
  "Range",
  "Reshape",
  "Equal",
  "Where",
  "Expand",
  "ReduceProd",
  "Mod",
  "Min",
  "Max",
  "Identity",
  "Size",
  "MemcpyFromHost",
  "MemcpyToHost",
]);

/** Throws an error that names the operators unless the GPU runs everything except the computation of shapes. */
export function requireGpuPlacement(placements: readonly NodePlacement[]): void {
  const gpu = placements.find(({ provider }) => provider === "CUDAExecutionProvider");
  if (!gpu || gpu.nodes === 0) throw new Error("no node ran on a GPU, and --require-gpu forbids the CPU");
  const cpu = placements.find(({ provider }) => provider === "CPUExecutionProvider");
  const heavy = (cpu?.operators ?? []).filter((operator) => !shapeOperators.has(operator));
  if (heavy.length > 0) {
    throw new Error(`the GPU has no kernel for ${heavy.join(", ")}, which ran on the CPU; --require-gpu forbids that`);
  }
}
