/** Errors that cross from one thread to another and keep what they are. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { SerializedError } from "./edit-thread-messages.ts";

export function serializeError(error: unknown): SerializedError {
  if (error instanceof PackshotError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: { ...error.details } }),
    };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, ...(stack === undefined ? {} : { stack }) };
}

export function deserializeError({ code, message, details, stack }: SerializedError): Error {
  if (code !== null) return new PackshotError(code, message, details === undefined ? {} : { details });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
