/** Which model server gets the next request, and which ones get none for a while. Decisions over plain data. */

export interface ServerLoad {
  /** Requests that this client has sent to it and that have no answer yet. */
  readonly inFlight: number;
  /** When it was chosen last, as a number that grows with each choice; 0: never. */
  readonly chosenAt: number;
  readonly isEjected: boolean;
}

/**
 * The one with the fewest requests in flight. Among equals it is the one that was chosen longest ago, so that requests
 * that come one at a time go round. Where all are ejected, none is: one that may fail is better than none.
 */
export function leastOutstanding<T extends ServerLoad>(servers: readonly T[]): T | undefined {
  const trusted = servers.filter(({ isEjected }) => !isEjected);
  const candidates = trusted.length > 0 ? trusted : servers;
  return candidates.reduce<T | undefined>((best, each) => {
    if (best === undefined || each.inFlight < best.inFlight) return each;
    return each.inFlight === best.inFlight && each.chosenAt < best.chosenAt ? each : best;
  }, undefined);
}

/** A server's failures, of which a server that fails quickly would otherwise attract ever more. */
export interface FailureRecord {
  readonly failuresInRow: number;
  /** Without a success in between. */
  readonly ejections: number;
  readonly ejectedUntilMs: number;
}

export const noFailures: FailureRecord = { failuresInRow: 0, ejections: 0, ejectedUntilMs: 0 };

const failuresInRowMax = 5;
const ejectionMs = 5_000;
const ejectionMsMax = 60_000;

/**
 * The fifth failure in a row ejects the server for five seconds. When these are over it gets requests again, and its next
 * failure ejects it for twice as long, up to a minute. A success clears the record.
 */
export function afterFailure(record: FailureRecord, nowMs: number): FailureRecord {
  const failuresInRow = record.failuresInRow + 1;
  // Requests that were sent before the ejection fail during it; they say nothing new.
  if (failuresInRow < failuresInRowMax || nowMs < record.ejectedUntilMs) return { ...record, failuresInRow };
  const lastsMs = Math.min(ejectionMsMax, ejectionMs * 2 ** record.ejections);
  return { failuresInRow, ejections: record.ejections + 1, ejectedUntilMs: nowMs + lastsMs };
}
