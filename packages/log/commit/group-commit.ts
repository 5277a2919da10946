/**
 * Group commit: what is committed at the same time goes together in one atomic batch, because a batch costs the server
 * the same writes to disk however much it carries. What arrives while a group is in flight makes the next one: groups
 * grow with the load, no timer holds anything up, and a lone commit goes at once.
 *
 * Each member's outcome is what it would have been alone. The server stores all of a group or nothing, and does not say
 * which member was at fault: a group with a conflict or a refusal is halved until the member at fault stands alone. When
 * the answer is lost, the outcome of every member is unknown.
 */
import type { Write } from "@packshot/domain/write.ts";
import { createContestedKeys } from "@packshot/platform/flow/contested-keys.ts";
import { failSpan, linkBatch, startSpan, type TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import { Counter, Histogram, type Registry } from "prom-client";
import { LogConflict, LogOutcomeUnknown, LogRefused, LogUnreachable } from "../nats/errors.ts";
import { assertBatchSize, batchMessagesMax } from "./atomic-batch.ts";

export type Commit = (transition: string, writes: readonly Write[]) => Promise<{ firstSequence: number }>;

/** `unreachable`: it was not sent. `unknown`: it was sent, and the answer is lost. */
export type CommitOutcome = "stored" | "conflict" | "refused" | "unreachable" | "unknown" | "failed";

export interface CommitObserver {
  /** Called for each batch, whatever became of it. */
  batchAnswered(members: number, durationMs: number): void;
  committed(transition: string, outcome: CommitOutcome): void;
}

export interface GroupCommitDeps {
  /** Stores all `writes` in one stream, or none, and throws what `commitBatch` throws. */
  readonly commitBatch: Commit;
  /** Names the stream that stores the writes of one commit. */
  readonly streamOf: (writes: readonly Write[]) => string;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  readonly observer?: CommitObserver | undefined;
}

interface Member {
  readonly transition: string;
  readonly writes: readonly Write[];
  /** The record by which it is known when others write it again and again: the first that it compares. */
  readonly key: string;
  /** From its arrival to its outcome. */
  readonly span: TraceSpan | undefined;
  readonly resolve: (committed: { firstSequence: number }) => void;
  readonly reject: (error: unknown) => void;
}

/** Two and three at once were no faster, with one server and with three, and their groups were smaller. */
const groupsInFlightMax = 1;
/** So many single messages cost a server without replicas less by plain publishes than in a batch. */
const plainMembersMax = 4;
/** A member with more messages shares no group: a neighbor would save it nothing, and could make it go twice. */
const memberMessagesMax = 100;
/** Large and contested members go alone; so many of them at once. */
const aloneInFlightMax = 4;
/** A group whose answer takes longer holds up no others: it may be lost with a leader that is being replaced. */
const slotMsMax = 500;
const pendingMax = 10_000;

/** Groups are of one stream each, as batches are. */
export function createGroupCommit(deps: GroupCommitDeps): Commit {
  const queues = new Map<string, Commit>();
  return async (transition, writes) => {
    assertBatchSize(transition, writes);
    const stream = deps.streamOf(writes);
    const queue = queues.get(stream) ?? createQueue(deps, stream);
    queues.set(stream, queue);
    return await queue(transition, writes);
  };
}

function createQueue({ commitBatch, nowMs = Date.now, observer }: GroupCommitDeps, stream: string): Commit {
  const pending = new Set<Member>();
  /** Another member with one of these subjects waits: in the same batch or behind it, it would conflict. */
  const subjectsInFlight = new Set<string>();
  const contested = createContestedKeys({ nowMs });
  const inFlight = { groups: 0, alone: 0 };
  let isFlushScheduled = false;

  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    // In the next turn of the event loop: what is committed in one turn goes together.
    setImmediate(() => {
      isFlushScheduled = false;
      flush();
    });
  }

  function flush(): void {
    while (inFlight.alone < aloneInFlightMax) {
      const [member] = dequeue(goesAlone, 1);
      if (member === undefined) break;
      void holdSlot("alone", () => store([member]));
    }
    while (inFlight.groups < groupsInFlightMax) {
      const group = dequeue((member) => !goesAlone(member), batchMessagesMax);
      if (group.length === 0) break;
      const isPlain = group.length <= plainMembersMax && group.every(({ writes }) => writes.length === 1);
      const parts = isPlain ? group.map((member) => [member]) : [group];
      void holdSlot("groups", () => Promise.all(parts.map(store)));
    }
  }

  function goesAlone({ writes, key }: Member): boolean {
    return writes.length > memberMessagesMax || contested.isContested(key);
  }

  /** The oldest members that are wanted, no two of which write the same subject. At least one if there is any. */
  function dequeue(isWanted: (member: Member) => boolean, messagesMax: number): Member[] {
    const group: Member[] = [];
    let messages = 0;
    for (const member of pending) {
      if (!isWanted(member) || member.writes.some(({ subject }) => subjectsInFlight.has(subject))) continue;
      messages += member.writes.length;
      if (group.length > 0 && messages > messagesMax) break;
      for (const { subject } of member.writes) subjectsInFlight.add(subject);
      pending.delete(member);
      group.push(member);
      if (messages >= messagesMax) break;
    }
    return group;
  }

  async function holdSlot(kind: keyof typeof inFlight, act: () => Promise<unknown>): Promise<void> {
    let isHeld = true;
    const release = () => {
      if (isHeld) inFlight[kind] -= 1;
      isHeld = false;
      scheduleFlush();
    };
    inFlight[kind] += 1;
    const timer = setTimeout(release, slotMsMax);
    await act();
    clearTimeout(timer);
    release();
  }

  async function store(members: readonly Member[]): Promise<void> {
    const name = [...new Set(members.map(({ transition }) => transition))].join(", ");
    const writes = members.flatMap((member) => member.writes);
    linkBatch(members.flatMap(({ span }) => span ?? []));
    try {
      let { firstSequence: sequence } = await timed(members.length, () => commitBatch(name, writes));
      for (const member of members) {
        const firstSequence = sequence;
        end(member, "stored", () => member.resolve({ firstSequence }));
        sequence += member.writes.length;
      }
    } catch (error) {
      const isStoredNowhere = error instanceof LogConflict || error instanceof LogRefused;
      if (members.length > 1 && isStoredNowhere) return await storeHalves(members);
      for (const member of members) {
        if (error instanceof LogConflict) contested.recordConflict(member.key);
        if (member.span !== undefined) failSpan(member.span, error);
        end(member, outcomeOf(error), () => member.reject(errorOf(member, error)));
      }
    }
  }

  /** One after the other, because a server that is short of room has less for two. */
  async function storeHalves(members: readonly Member[]): Promise<void> {
    const half = Math.ceil(members.length / 2);
    await store(members.slice(0, half));
    await store(members.slice(half));
  }

  async function timed<T>(members: number, act: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    return await act().finally(() => observer?.batchAnswered(members, performance.now() - startedAtMs));
  }

  function end({ writes, transition, span }: Member, outcome: CommitOutcome, answer: () => void): void {
    for (const { subject } of writes) subjectsInFlight.delete(subject);
    span?.end();
    observer?.committed(transition, outcome);
    answer();
  }

  return (transition, writes) =>
    new Promise((resolve, reject) => {
      if (pending.size >= pendingMax) {
        reject(new LogUnreachable(transition, `${pending.size} commits wait already`));
        return;
      }
      const { subject: key } = writes.find(({ expected }) => expected !== undefined) ?? writes[0]!;
      pending.add({ transition, writes, key, span: startCommitSpan(stream, transition, writes), resolve, reject });
      scheduleFlush();
    });
}

function outcomeOf(error: unknown): CommitOutcome {
  if (error instanceof LogConflict) return "conflict";
  if (error instanceof LogRefused) return "refused";
  if (error instanceof LogUnreachable) return "unreachable";
  return error instanceof LogOutcomeUnknown ? "unknown" : "failed";
}

function errorOf({ transition }: Member, error: unknown): unknown {
  return error instanceof LogOutcomeUnknown ? new LogOutcomeUnknown(transition, error.cause) : error;
}

function startCommitSpan(stream: string, transition: string, { length }: readonly Write[]): TraceSpan | undefined {
  const span = startSpan(`commit ${stream}`, { kind: "producer" });
  return span?.setAttributes({
    "messaging.system.name": "nats",
    "messaging.operation.name": "commit",
    "messaging.operation.type": "send",
    "messaging.destination.name": stream,
    "messaging.batch.message_count": length,
    "packshot.transition": transition,
  });
}

/** Counts a process's commits. The code names a few dozen transitions, so the label stays small. */
export function createLogMetrics(registry: Registry): CommitObserver {
  const registers = [registry];
  const commits = new Counter({
    name: "packshot_log_commits_total",
    help: "Attempts to commit to the log, by transition and outcome.",
    labelNames: ["transition", "outcome"],
    registers,
  });
  const groupSizes = new Histogram({
    name: "packshot_log_commit_group_size",
    help: "Commits that went to the log as one batch.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const durations = new Histogram({
    name: "packshot_log_commit_duration_seconds",
    help: "Time from sending a batch to the log to its answer.",
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 5],
    registers,
  });
  return {
    batchAnswered(members, durationMs) {
      groupSizes.observe(members);
      durations.observe(durationMs / 1000);
    },
    committed: (transition, outcome) => commits.inc({ transition, outcome }),
  };
}
