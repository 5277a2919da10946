/** onnxruntime for benches and for models in this process, loaded once it reports nothing to its maker. */
import { silenceRuntime } from "@packshot/platform/config/silence-runtime.ts";

silenceRuntime();
export const { InferenceSession, Tensor } = await import("onnxruntime-node");
