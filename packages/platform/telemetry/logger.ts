import { pino, stdTimeFunctions } from "pino";
import { traceLogFields } from "./tracing.ts";

/** One JSON line per message. Each call takes the object first and the message second. */
export type Logger = Pick<import("pino").Logger, "debug" | "info" | "warn" | "error" | "fatal" | "child">;

/**
 * Logs go to stderr, because stdout of a service says only that it is ready. Secrets are removed. A line that is written
 * while a span is active has its `trace_id` and `span_id`, and the `jobId` of the job that it belongs to.
 */
export function createLogger({ name, level }: { name: string; level: string }): Logger {
  return pino(
    {
      name,
      level,
      timestamp: stdTimeFunctions.isoTime,
      mixin: traceLogFields,
      redact: {
        paths: ["authorization", "*.authorization", "headers.authorization", "secret", "*.secret", "key", "token"],
        remove: true,
      },
    },
    process.stderr,
  );
}
