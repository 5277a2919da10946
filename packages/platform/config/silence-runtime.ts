/**
 * Keeps onnxruntime from making an identifier of the machine in the user's home and reporting models and runs to its maker, which its
 * package does unless it is told before it is loaded. To be called on the main thread: the environment of other threads is a copy.
 */
export function silenceRuntime(): void {
  process.env.ORT_DISABLE_TELEMETRY = "1";
}
