/** Errors that cross from one thread to another and keep what they are. */
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";

/** A PackshotError keeps its code, its details and whether it is final; any other error keeps its name, its system's code, message and stack. */
export interface SerializedError {
  readonly code: ErrorCode | null;
  readonly name?: string;
  /** As Node and the operating system name the error: `ENOSPC`. */
  readonly systemCode?: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
  readonly isFinal?: boolean;
  readonly stack?: string;
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof PackshotError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: { ...error.details } }),
      ...(error.isFinal && { isFinal: true }),
    };
  }
  const { name, message, stack, code }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  return {
    code: null,
    name,
    message,
    ...(typeof code === "string" ? { systemCode: code } : {}),
    stack,
  };
}

export function deserializeError(serialized: SerializedError): Error {
  const { code, name, systemCode, message, details, isFinal = false, stack } = serialized;
  if (code !== null) return new PackshotError(code, message, { ...(details && { details }), isFinal });
  const error: NodeJS.ErrnoException = new Error(message);
  if (name !== undefined) error.name = name;
  if (systemCode !== undefined) error.code = systemCode;
  if (stack !== undefined) error.stack = stack;
  return error;
}
