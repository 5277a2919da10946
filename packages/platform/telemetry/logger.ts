import { pino, stdTimeFunctions } from "pino";

/** One JSON line per message: the object first, the words second. */
export type Logger = Pick<import("pino").Logger, "debug" | "info" | "warn" | "error" | "fatal" | "child">;

/** Logs go to stderr: stdout of a service says one thing, that it is ready. Secrets never reach a log. */
export function createLogger({ name, level }: { name: string; level: string }): Logger {
  return pino(
    {
      name,
      level,
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: ["authorization", "*.authorization", "headers.authorization", "secret", "*.secret", "key", "token"],
        remove: true,
      },
    },
    process.stderr,
  );
}
