import type { Write } from "@packshot/domain/write.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogConflict, LogOutcomeUnknown, LogRefused } from "../nats/errors.ts";
import { batchMessagesMax } from "./atomic-batch.ts";
import { type Commit, createGroupCommit } from "./group-commit.ts";

interface Stored {
  readonly member: number;
  readonly index: number;
}

/** What becomes of the answer to a batch: it comes, or it is lost before or after the batch is stored. */
type Fate = "answered" | "lost before" | "lost after";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A stream in memory that stores a batch or none of it. Each write's value names its member. */
function simulatedStream(fates: readonly Fate[] = [], latencyTurns: readonly number[] = [1]) {
  const last = new Map<string, number>();
  const messages: Stored[] = [];
  const batches: Stored[][] = [];
  const lost = new Set<number>();
  /** Members that were at fault alone, with the error. */
  const faults = new Map<number, "conflict" | "refused">();
  let inFlight = 0;
  let inFlightMost = 0;

  const commitBatch: Commit = async (transition, writes) => {
    const batch = writes.map(({ value }) => value as Stored);
    const number = batches.push(batch) - 1;
    expect(new Set(writes.map(({ subject }) => subject)).size).toBe(writes.length);
    inFlightMost = Math.max(inFlightMost, ++inFlight);
    const fate = fates[number] ?? "answered";
    const turns = latencyTurns[number % latencyTurns.length]!;
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    inFlight -= 1;
    const members = new Set(batch.map(({ member }) => member));
    if (fate !== "answered") for (const member of members) lost.add(member);
    if (fate === "lost before") throw new LogOutcomeUnknown(transition, "lost before");
    const only = members.size === 1 ? batch[0]!.member : undefined;
    if (writes.some(({ subject }) => subject.startsWith("refused"))) {
      if (only !== undefined) faults.set(only, "refused");
      throw new LogRefused(transition, { err_code: 1, description: "as asked" });
    }
    if (writes.some(({ subject, expected }) => expected !== undefined && expected !== (last.get(subject) ?? 0))) {
      if (only !== undefined) faults.set(only, "conflict");
      throw new LogConflict(transition);
    }
    const firstSequence = messages.length + 1;
    for (const [index, { subject }] of writes.entries()) {
      messages.push(batch[index]!);
      last.set(subject, messages.length);
    }
    if (fate === "lost after") throw new LogOutcomeUnknown(transition, "lost after");
    return { firstSequence };
  };
  return { commitBatch, last, messages, batches, lost, faults, inFlightMost: () => inFlightMost };
}

type Stream = ReturnType<typeof simulatedStream>;

function groupCommitOn({ commitBatch }: Pick<Stream, "commitBatch">, nowMs = Date.now): Commit {
  return createGroupCommit({ commitBatch, streamOf: () => "stream", nowMs });
}

function member(id: number, subjects: readonly string[], expected?: number): Write[] {
  return subjects.map((subject, index) => ({
    subject,
    value: { member: id, index } satisfies Stored,
    ...(expected !== undefined && index === 0 && { expected }),
  }));
}

/** A lone write of a subject of its own. */
function innocent(id: number): Write[] {
  return member(id, [`job.${id}`, `event.${id}`], 0);
}

describe("each member's outcome is what it would have been alone", () => {
  const plan = fc.record({
    fates: fc.array(fc.constantFrom<Fate>("answered", "answered", "answered", "lost before", "lost after"), {
      maxLength: 12,
    }),
    latencyTurns: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 }),
    members: fc.array(
      fc.record({
        turn: fc.nat({ max: 12 }),
        subjects: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "refused.h"), {
          minLength: 1,
          maxLength: 3,
        }),
        own: fc.nat({ max: 130 }),
        compares: fc.constantFrom<"nothing" | "last" | "stale">("nothing", "last", "stale"),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  });

  it("whatever conflicts, refusals and losses its neighbors meet", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ fates, latencyTurns, members }) => {
        const stream = simulatedStream(fates, latencyTurns);
        const commit = groupCommitOn(stream);
        const outcomes = members.map(async ({ turn, subjects, own, compares }, id) => {
          for (let passed = 0; passed < turn; passed++) await nextTurn();
          const last = stream.last.get(subjects[0]!) ?? 0;
          const expected = { nothing: undefined, last, stale: last + 1_000_000 }[compares];
          const names = [...subjects, ...Array.from({ length: own }, (_, n) => `own.${id}.${n}`)];
          const writes = member(id, names, expected);
          return { writes, outcome: await commit(`t${id}`, writes).catch((error: unknown) => error) };
        });
        for (const [id, { writes, outcome }] of (await Promise.all(outcomes)).entries()) {
          expectLoneOutcome(stream, { id, writes, outcome });
        }
        for (const batch of stream.batches) expect(batch.length).toBeLessThanOrEqual(batchMessagesMax);
      }),
      { numRuns: 300 },
    );
  });

  function expectLoneOutcome(
    stream: Stream,
    { id, writes, outcome }: { id: number; writes: readonly Write[]; outcome: unknown },
  ): void {
    const at = stream.messages.flatMap((stored, index) => (stored.member === id ? [index + 1] : []));
    const whole = writes.map((_, index) => at[0]! + index);
    const fault = stream.faults.get(id);
    if (outcome instanceof Error) expect(outcome.message).toMatch(new RegExp(`^t${id}: `));
    if (outcome instanceof LogOutcomeUnknown) {
      expect(stream.lost).toContain(id);
      if (at.length > 0) expect(at).toEqual(whole);
    } else if (outcome instanceof LogConflict || outcome instanceof LogRefused) {
      expect(fault).toBe(outcome instanceof LogConflict ? "conflict" : "refused");
      expect(at).toEqual([]);
    } else {
      expect(outcome).toEqual({ firstSequence: at[0] });
      expect(at).toEqual(whole);
    }
  }
});

it("sends a lone commit at once, and what arrives meanwhile as one group", async () => {
  const stream = simulatedStream([], [20]);
  const commit = groupCommitOn(stream);
  const commits = [commit("first", innocent(0))];
  while (stream.batches.length === 0) await nextTurn();
  for (let id = 1; id <= 30; id++) commits.push(commit("later", innocent(id)));
  await Promise.all(commits);
  expect(stream.batches.map(({ length }) => length)).toEqual([2, 60]);
  expect(stream.inFlightMost()).toBe(1);
});

it("makes groups of one stream each, and none waits for another's", async () => {
  const stream = simulatedStream([], [20]);
  const streamOf = ([first]: readonly Write[]) => first!.subject.slice(0, "job.0".length);
  const commit = createGroupCommit({ commitBatch: stream.commitBatch, streamOf });
  await Promise.all([0, 1, 10, 11, 12].map((id) => commit("t", innocent(id))));
  expect(stream.batches.map((batch) => batch.map((stored) => stored.member))).toEqual([
    [0, 0],
    [1, 1, 10, 10, 11, 11, 12, 12],
  ]);
  expect(stream.inFlightMost()).toBe(2);
});

it("sends a few single messages each by itself, and many as one group", async () => {
  const stream = simulatedStream();
  const commit = groupCommitOn(stream);
  const commitSingles = (count: number, from: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => commit("claim", member(from + i, [`job.${from + i}`], 0))));
  await commitSingles(4, 0);
  await commitSingles(5, 4);
  expect(stream.batches.map(({ length }) => length)).toEqual([1, 1, 1, 1, 5]);
});

it("keeps members that write the same subject apart, in their order", async () => {
  const stream = simulatedStream();
  const commit = groupCommitOn(stream);
  await Promise.all([0, 1, 2].map((id) => commit("t", member(id, ["same", `own.${id}`]))));
  expect(stream.batches.map((batch) => batch.map((stored) => stored.member))).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

it("lets a large member go alone, beside the groups", async () => {
  const stream = simulatedStream([], [20]);
  const commit = groupCommitOn(stream);
  const large = Array.from({ length: 200 }, (_, n) => `large.${n}`);
  await Promise.all([commit("t", innocent(0)), commit("t", member(1, large)), commit("t", innocent(2))]);
  expect(stream.batches.map(({ length }) => length).sort((a, b) => a - b)).toEqual([4, 200]);
  expect(stream.inFlightMost()).toBe(2);
});

it("halves a group until the member at fault stands alone", async () => {
  const stream = simulatedStream();
  const commit = groupCommitOn(stream);
  const outcomes = await Promise.allSettled([
    ...[0, 1, 2, 3, 4, 5, 6].map((id) => commit("t", innocent(id))),
    commit("t", member(7, ["job.7", "event.7"], 99)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([...Array<string>(7).fill("fulfilled"), "rejected"]);
  expect(stream.batches.map(({ length }) => length)).toEqual([16, 8, 8, 4, 4, 2, 2]);
});

it("commits a member apart whose record others write again and again, until they cease", async () => {
  let now = 0;
  const stream = simulatedStream();
  const commit = groupCommitOn(stream, () => now);
  const round = async (expected: number) => {
    const before = stream.batches.length;
    const contested = commit("settle", member(100, ["account", "usage"], expected)).catch(() => {});
    await Promise.all([contested, ...[0, 1, 2, 3].map((n) => commit("t", member(n, [`job.${n}`, `event.${n}`])))]);
    return stream.batches.slice(before).map(({ length }) => length);
  };
  for (let conflicts = 0; conflicts < 3; conflicts++) expect((await round(99)).length).toBeGreaterThan(2);
  expect(await round(99)).toEqual([2, 8]);
  now += 60_000;
  expect(await round(0)).toEqual([10]);
});

it("puts no more messages into a group than a batch may have", async () => {
  const stream = simulatedStream();
  const commit = groupCommitOn(stream);
  await Promise.all(Array.from({ length: 600 }, (_, id) => commit("t", innocent(id))));
  expect(stream.batches.map(({ length }) => length)).toEqual([1_000, 200]);
});

it("refuses more members than may wait", async () => {
  const hanging = Promise.withResolvers<{ firstSequence: number }>();
  const commit = groupCommitOn({ commitBatch: () => hanging.promise });
  const outcomes = Array.from({ length: 10_001 }, (_, id) => commit("t", innocent(id)));
  await expect(outcomes.at(-1)).rejects.toMatchObject({ name: "LogUnreachable" });
  hanging.resolve({ firstSequence: 1 });
  await Promise.all(outcomes.slice(0, -1));
});

it("goes on with the next group when an answer is overdue", async () => {
  const answers: (() => void)[] = [];
  const commit = groupCommitOn({
    commitBatch: () => new Promise((resolve) => answers.push(() => resolve({ firstSequence: 1 }))),
  });
  const first = commit("t", innocent(0));
  await expect.poll(() => answers.length).toBe(1);
  const second = commit("t", innocent(1));
  await expect.poll(() => answers.length).toBe(2);
  for (const answer of answers) answer();
  await Promise.all([first, second]);
});

it("tells an observer what became of each member, and how large the batches were", async () => {
  const stream = simulatedStream();
  const seen: string[] = [];
  const sizes: number[] = [];
  const commit = createGroupCommit({
    commitBatch: stream.commitBatch,
    streamOf: () => "stream",
    observer: {
      batchAnswered: (members) => sizes.push(members),
      committed: (transition, outcome) => seen.push(`${transition} ${outcome}`),
    },
  });
  const conflicting = commit("claim", member(1, ["job.1", "event.1"], 7));
  const others = [commit("settle", innocent(2)), commit("settle", innocent(3)), commit("settle", innocent(4))];
  await expect(conflicting).rejects.toThrow(LogConflict);
  await Promise.all(others);
  expect(seen.sort()).toEqual(["claim conflict", "settle stored", "settle stored", "settle stored"]);
  expect(sizes[0]).toBe(4);
});
