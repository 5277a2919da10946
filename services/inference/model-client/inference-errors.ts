/** What the statuses of model servers mean for an edit. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { StatusName } from "./grpc-channel.ts";

export function unavailable(message: string, cause?: unknown): PackshotError {
  return new PackshotError("model_unavailable", message, { details: { refused: true }, cause });
}

export function deadlineExceeded(cause?: unknown): PackshotError {
  return new PackshotError("deadline_exceeded", "The model did not answer before the edit's deadline.", { cause });
}

/**
 * `details.refused` tells the worker to requeue the job: the server is busy, stopping or out of reach, and the request
 * cost nothing. A model that does not exist fails the edit instead.
 */
export function toPackshotError(status: StatusName, message: string, model: string, cause: unknown): PackshotError {
  switch (status) {
    case "UNAVAILABLE":
    case "RESOURCE_EXHAUSTED":
    case "CANCELLED":
    // The settings are at fault, not the photo.
    case "UNAUTHENTICATED":
    case "PERMISSION_DENIED":
      return unavailable(`The model server accepts no request for ${model} now.`, cause);
    case "NOT_FOUND":
      return new PackshotError("model_unavailable", `The model ${model} is not loaded.`, { cause });
    case "DEADLINE_EXCEEDED":
      return deadlineExceeded(cause);
    default:
      return new PackshotError("internal_error", `The model server failed on ${model}: ${message}`, { cause });
  }
}
