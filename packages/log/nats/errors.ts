/** Errors of writes to the log and of reads from its leader, and which of them are worth a retry. */

/** `err_code` of JetStream's API, as nats-server names them in `server/errors.json`. */
export const jetStreamErrorCodes = {
  noMessageFound: 10037,
  messageTooLarge: 10054,
  streamNotFound: 10059,
  wrongLastSequence: 10071,
  /** The same as 10071, without the sequence that the server has. */
  wrongLastSequenceConstant: 10164,
  /** A batch contains a `Nats-Msg-Id` that the stream has already. */
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

/** Another writer was first and nothing was written: read again from the leader and decide anew. */
export class LogConflict extends Error {
  constructor(transition: string) {
    super(`${transition}: another write came first`);
    this.name = "LogConflict";
  }
}

/** The answer was lost, and the batch may be stored: read again from the leader, and look for the batch's own id. */
export class LogOutcomeUnknown extends Error {
  constructor(transition: string, cause: unknown) {
    super(`${transition}: the outcome of the write is unknown`, { cause });
    this.name = "LogOutcomeUnknown";
  }
}

/** The server refused for another reason than a conflict: it has no leader, no space, or accepts no such message. */
export class LogRefused extends Error {
  readonly errCode: number;
  /** `operation`: the transition, or the subject that was written or read. */
  constructor(operation: string, { err_code: errCode, description }: JetStreamError) {
    super(`${operation}: ${description} (${errCode})`);
    this.name = "LogRefused";
    this.errCode = errCode;
  }
}

/** The log has not answered for some time: nothing was sent, and a later call may succeed. */
export class LogUnreachable extends Error {
  constructor(operation: string, reason: string) {
    super(`${operation}: ${reason}`);
    this.name = "LogUnreachable";
  }
}

export function isStreamMissing(error: unknown): boolean {
  return error instanceof LogRefused && error.errCode === jetStreamErrorCodes.streamNotFound;
}

/** Errors of the NATS client while no server answers, or a new leader is being elected. */
const connectionErrors = new Set(["LogUnreachable", "TimeoutError", "RequestError", "ConnectionError"]);

/**
 * True when the same read or write may succeed later: there was a conflict, the answer was lost, the server refused, or no
 * server answered. Before a write is repeated, a read must tell whether it was stored.
 */
export function isRetryableLogError(error: unknown): boolean {
  if (error instanceof LogConflict || error instanceof LogOutcomeUnknown || error instanceof LogRefused) return true;
  return error instanceof Error && connectionErrors.has(error.name);
}
