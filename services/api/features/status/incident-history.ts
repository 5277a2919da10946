/**
 * The incidents, as all API processes tell them: one record in the log, which the process that holds a lease writes when it changes.
 * The others read it. Where the log is away each notes what it sees itself, and who holds the lease afterwards writes what it saw.
 */
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { type Incident, noteStatuses, type PartStatuses } from "./judge-status.ts";

interface HistoryRecord {
  readonly v: 1;
  /** When the first process began to watch. */
  readonly sinceMs: number;
  /** The newest first. JSON leaves out an `untilMs` that is undefined. */
  readonly incidents: readonly Incident[];
}

export interface IncidentHistoryDeps {
  readonly log: Pick<Log, "read" | "commit">;
  readonly nowMs: () => number;
}

export interface IncidentHistory {
  known(): Pick<HistoryRecord, "sinceMs" | "incidents">;
  /** Takes what is recorded; where that cannot be read, notes what this process sees. */
  follow(parts: PartStatuses): Promise<void>;
  /** Notes what this process sees, and records it: for the holder of the lease. Throws when the log takes nothing. */
  record(parts: PartStatuses): Promise<void>;
}

export function createIncidentHistory({ log, nowMs }: IncidentHistoryDeps): IncidentHistory {
  const subject = subjects.incidents;
  let history: HistoryRecord = { v: 1, sinceMs: nowMs(), incidents: [] };
  /** Sequence of the record that `history` goes on from; 0: there was none. */
  let sequence = 0;
  /** The log was away, and `history` has what this process noted meanwhile. */
  let isAhead = false;

  async function take(): Promise<void> {
    const found = await log.read<HistoryRecord>(subject);
    // What was noted while the log was away counts, unless another process has recorded since.
    if (found.value === undefined || (isAhead && found.sequence === sequence)) return;
    history = found.value;
    sequence = found.sequence;
    isAhead = false;
  }

  const noted = (parts: PartStatuses): HistoryRecord => ({
    ...history,
    incidents: noteStatuses(history.incidents, parts, nowMs()),
  });

  return {
    known: () => history,
    async follow(parts) {
      await take().catch(() => {
        isAhead = true;
      });
      // What this process has noted ends as it sees it, too.
      if (isAhead) history = noted(parts);
    },
    async record(parts) {
      await take();
      const next = noted(parts);
      const isRecorded = sequence > 0 && !isAhead;
      if (isRecorded && JSON.stringify(next) === JSON.stringify(history)) return;
      const { firstSequence } = await log.commit("incidents", [{ subject, value: next, expected: sequence }]);
      history = next;
      sequence = firstSequence;
      isAhead = false;
    },
  };
}
