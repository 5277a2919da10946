/**
 * Infrastructure faults: errors of the machine and not of a photo or a request. They are temporary in the eyes of a
 * client, and a job that meets one is requeued.
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { isRetryableLogError } from "@packshot/log/nats/errors.ts";
import { StorageFault, StorageTimeout } from "@packshot/platform/storage/storage-fault.ts";

export interface InfrastructureFault {
  readonly part: "storage" | "log" | "memory" | "decoder";
  /** False where one job alone may be the reason: a file that cannot be read, a photo that is too large for the machine. */
  readonly isCertain: boolean;
}

/** No space, a file system that became read-only, no file descriptors: every job would fail. */
const certainCodes = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "ENODEV", "ENOTCONN"]);
/** The file system's fault, but perhaps with one file only. */
const uncertainCodes = new Set(["EIO", "ESTALE", "EACCES", "EPERM", "ENXIO"]);
const memoryCodes = new Set(["ENOMEM", "ERR_WORKER_INIT_FAILED", "ERR_WORKER_OUT_OF_MEMORY"]);
/** The codes of errors by which the worker says that it has no process to decode with, and that one was lost meanwhile. */
export const decoderFaultCodes = { start: "ERR_DECODER_START", lost: "ERR_DECODER_LOST" } as const;
/** A process without these fails at a source's connection, too, so they count below an error that blames the source. */
const processLimitCodes = new Set(["EMFILE", "ENFILE", "ENOMEM"]);
const causesMax = 4;

/** undefined: no fault of the infrastructure. */
export function toInfrastructureFault(error: unknown): InfrastructureFault | undefined {
  let isBlamed = false;
  for (let cause = error, depth = 0; cause instanceof Error && depth < causesMax; cause = cause.cause, depth++) {
    if (cause instanceof PackshotError) {
      if (cause.code === "unavailable") return { part: faultyPart(cause.cause), isCertain: true };
      isBlamed = true;
    }
    const { code } = cause as NodeJS.ErrnoException;
    const fault = isBlamed && !processLimitCodes.has(code ?? "") ? undefined : classify(cause, code ?? "");
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** `unavailable` is what the log and storage throw when they have tried for long enough, or refuse. */
function faultyPart(cause: unknown): InfrastructureFault["part"] {
  return toInfrastructureFault(cause)?.part ?? "log";
}

function classify(error: Error, code: string): InfrastructureFault | undefined {
  // Before the codes: a fault of object storage has codes of its own, and those of the network among them.
  if (error instanceof StorageFault) return { part: "storage", isCertain: error.isCertain };
  if (certainCodes.has(code)) return { part: "storage", isCertain: true };
  if (uncertainCodes.has(code) || error instanceof StorageTimeout) return { part: "storage", isCertain: false };
  if (memoryCodes.has(code)) return { part: "memory", isCertain: code !== "ERR_WORKER_OUT_OF_MEMORY" };
  if (code === decoderFaultCodes.start) return { part: "decoder", isCertain: true };
  if (code === decoderFaultCodes.lost) return { part: "decoder", isCertain: false };
  if (isAllocationFailure(error)) return { part: "memory", isCertain: false };
  return isRetryableLogError(error) ? { part: "log", isCertain: true } : undefined;
}

/** V8 gives a failed allocation no code, and neither does libvips: their words are all there is. */
function isAllocationFailure({ name, message }: Error): boolean {
  return (name === "RangeError" && message === "Array buffer allocation failed") || /\bout of memory\b/i.test(message);
}
