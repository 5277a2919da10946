/** A failure with the gRPC status that a caller should see. */
export type StatusName =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "PERMISSION_DENIED"
  | "UNAVAILABLE"
  | "DEADLINE_EXCEEDED"
  | "CANCELLED"
  | "UNIMPLEMENTED"
  | "RESOURCE_EXHAUSTED"
  /** The graphs of an image model answered what is no number. */
  | "DATA_LOSS"
  | "INTERNAL";

export class InferError extends Error {
  readonly status: StatusName;

  constructor(status: StatusName, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "InferError";
    this.status = status;
  }
}
