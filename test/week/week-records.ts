/**
 * What the check at the end of a week must know and the log no longer has then: events live for three days, and the copy of all
 * versions, which only the check needs, would be the one thing that grows. Both are read from time to time and kept here.
 */
import { jetstreamManager } from "@nats-io/jetstream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { defaultQueueDeadlines, type Job } from "@packshot/domain/jobs/job.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { type Evidence, gatherEvidence, historyStream } from "../failures/check-log.ts";
import { readAllOf, readWhole, type Stored } from "../failures/read-streams.ts";
import { sweepOrphanFiles } from "../failures/settle-down.ts";

export interface WeekRecords {
  /** Reads what is new. Calls must not overlap. */
  keep(): Promise<void>;
  /** For an idle log, after the last `keep`. Waits until nothing is kept any more of its jobs, so long at most. */
  evidence(storage: Storage, accepted: readonly string[], timeoutMs: number): Promise<Evidence>;
}

/** In the order in which they came. A message is known by its subject and its place in its state stream. */
function createKept<T>() {
  const kept = new Map<string, Stored<T>>();
  return {
    add(found: readonly Stored<T>[]): void {
      for (const stored of found) {
        const name = `${stored.subject} ${stored.sequence}`;
        if (!kept.has(name)) kept.set(name, stored);
      }
    },
    all: () => [...kept.values()],
  };
}

export function createWeekRecords(log: Log): WeekRecords {
  const { connection, stateStreams } = log;
  const history = createKept<Job | Account>();
  const events = createKept<PackshotEvent>();

  async function keep(): Promise<void> {
    events.add(await readAllOf<PackshotEvent>(connection, stateStreams, (stream) => stream.events));
    const { streams } = await jetstreamManager(connection);
    const { state } = await streams.info(historyStream);
    history.add(await readWhole<Job | Account>(connection, historyStream));
    // The last message stays: by it nats-server knows how far it has copied.
    if (state.last_seq > 1) await streams.purge(historyStream, { seq: state.last_seq });
  }

  return {
    keep,
    async evidence(storage, accepted, timeoutMs) {
      // A session that is open when files are swept may have ended when they are listed.
      const open = await Array.fromAsync(listRecordSubjects(log, subjects.upload("*", "*")));
      const sessions = new Set(open.map((subject) => subjectTokens(subject).ids[0]));
      await sweepOrphanFiles(log, storage, timeoutMs);
      const found = await gatherEvidence({ log, storage, accepted, queueDeadlines: defaultQueueDeadlines });
      // Upload sessions live shorter here; the slices of time by which an account counts them have their four hours.
      const indexes = found.indexes.filter(({ subject }) => subjectTokens(subject).ids[0] !== "uploads");
      const leftFiles = found.leftFiles.filter((key) => !sessions.has(key.split("/")[3]));
      return { ...found, history: history.all(), events: events.all(), uploads: [], indexes, leftFiles };
    },
  };
}
