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

export function deserializeError({ code, name, systemCode, message, details, stack }: SerializedError): Error {
  if (code !== null) return new PackshotError(code, message, details === undefined ? {} : { details });
  const error: NodeJS.ErrnoException = new Error(message);
  if (name !== undefined) error.name = name;
  if (systemCode !== undefined) error.code = systemCode;
  if (stack !== undefined) error.stack = stack;
  return error;
}
