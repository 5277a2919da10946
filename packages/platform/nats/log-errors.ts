/** What a write to the log, or a read from its leader, can answer other than success, and which of it is tried again. */

/** `err_code` of JetStream's API, as nats-server names them in `server/errors.json`. */
export const jetStreamErrorCodes = {
  noMessageFound: 10037,
  wrongLastSequence: 10071,
  /** The same as 10071, answered where the server does not tell the sequence that it has. */
  wrongLastSequenceConstant: 10164,
  /** A batch with a `Nats-Msg-Id` that the stream has already. */
  duplicateInBatch: 10201,
} as const;

/** How a JetStream answer reports an error. */
export interface JetStreamError {
  readonly err_code: number;
  readonly description: string;
}

export function isWrongLastSequence(errCode: number): boolean {
  return errCode === jetStreamErrorCodes.wrongLastSequence || errCode === jetStreamErrorCodes.wrongLastSequenceConstant;
}

/** Another writer was first; nothing was written. Read again from the leader and decide anew. */
export class LogConflict extends Error {
  constructor(transition: string) {
    super(`${transition}: another write came first`);
    this.name = "LogConflict";
  }
}

/** The answer was lost: the batch may or may not be stored. Read again from the leader; what carries my id is mine. */
export class LogOutcomeUnknown extends Error {
  constructor(transition: string, cause: unknown) {
    super(`${transition}: the outcome of the write is unknown`, { cause });
    this.name = "LogOutcomeUnknown";
  }
}

/** The server refused for another reason than a conflict: it has no leader, no room, or takes no such message. */
export class LogRefused extends Error {
  readonly errCode: number;
  /** `operation`: the transition, or the subject that was written or read. */
  constructor(operation: string, { err_code: errCode, description }: JetStreamError) {
    super(`${operation}: ${description} (${errCode})`);
    this.name = "LogRefused";
    this.errCode = errCode;
  }
}

/** Errors of the NATS client while no server answers, or a new leader is being elected. */
const connectionErrors = new Set(["TimeoutError", "NoRespondersError", "RequestError", "ConnectionError"]);

/**
 * The same read or write may succeed later: it met a conflict, its answer was lost, the server refused it, or no server
 * answered. What follows a write must first find out whether it was stored.
 */
export function isRetryableLogError(error: unknown): boolean {
  if (error instanceof LogConflict || error instanceof LogOutcomeUnknown || error instanceof LogRefused) return true;
  return error instanceof Error && connectionErrors.has(error.name);
}
