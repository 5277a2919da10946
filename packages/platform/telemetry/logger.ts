import { pino, stdTimeFunctions } from "pino";

/** One JSON line per message. Each call takes the object first and the message second. */
export type Logger = Pick<import("pino").Logger, "debug" | "info" | "warn" | "error" | "fatal" | "child">;

/** Logs go to stderr, because stdout of a service says only that it is ready. Secrets are removed. */
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
