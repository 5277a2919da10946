/** Makes a session on CUDA with the onnxruntime-node beside the first argument, and prints how that ends, as one line of JSON. */
import { createRequire } from "node:module";
import { explainCudaError, findCudaLibraries } from "../../packages/models/cuda-check.ts";

const [, , host = "", model = ""] = process.argv;
const load = createRequire(host);
const { InferenceSession } = load("onnxruntime-node") as typeof import("onnxruntime-node");
const libraries = findCudaLibraries(load.resolve);
try {
  await InferenceSession.create(model, { executionProviders: ["cuda"], logSeverityLevel: 4 });
  process.stdout.write(`${JSON.stringify({ libraries, error: null, explained: null })}\n`);
} catch (error) {
  const { message } = error as Error;
  const explained = explainCudaError(error as Error, libraries).message;
  process.stdout.write(`${JSON.stringify({ libraries, error: message, explained })}\n`);
}
