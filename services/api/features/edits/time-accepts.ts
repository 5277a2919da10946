/** Measures how long accepts take, and counts how they end. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Accept } from "./accept-request.ts";
import type { ApiMetrics } from "../../http/api-metrics.ts";

export function timeAccepts(accept: Accept, metrics: ApiMetrics): Accept {
  return async (...request) => {
    const startedAtMs = performance.now();
    const passedMs = () => performance.now() - startedAtMs;
    try {
      const outcome = await accept(...request);
      metrics.onAccept(outcome.kind, passedMs());
      return outcome;
    } catch (error) {
      const isRefusal = error instanceof PackshotError && error.code !== "unavailable";
      metrics.onAccept(isRefusal ? "refused" : "failed", passedMs());
      throw error;
    }
  };
}
