import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { expect, test } from "vitest";
import { createIncidentHistory } from "./incident-history.ts";
import type { PartStatuses } from "./judge-status.ts";

const well: PartStatuses = { api: "healthy", edits: "healthy", webhooks: "healthy", storage: "healthy" };
const noEdits: PartStatuses = { ...well, edits: "down" };

/** One record, as the log keeps it: as JSON, with a sequence that a write expects. */
function createRecord() {
  let json: string | undefined;
  let sequence = 0;
  const record = { isAway: false, writes: 0 };
  const assertReachable = () => {
    if (record.isAway) throw new Error("the log is away");
  };
  const log = {
    async read<T>(subject: string) {
      assertReachable();
      return { subject, value: json === undefined ? undefined : (JSON.parse(json) as T), sequence };
    },
    async commit(_transition: string, [write]: readonly Write[]) {
      assertReachable();
      expect(write!.subject).toBe(subjects.incidents);
      if (write!.expected !== sequence) throw new Error("another process has written it");
      json = JSON.stringify(write!.value);
      record.writes += 1;
      sequence += 10;
      return { firstSequence: sequence };
    },
  };
  return { record, log };
}

function start() {
  const { record, log } = createRecord();
  const clock = { nowMs: 1_000_000 };
  const process = () => createIncidentHistory({ log, nowMs: () => clock.nowMs });
  const after = (seconds: number) => {
    clock.nowMs += seconds * 1_000;
  };
  return { record, process, after };
}

test("what one process records all tell, also one that starts later, and it is written only when it changes", async () => {
  const { record, process, after } = start();
  const holder = process();
  const other = process();
  await holder.record(well);
  after(5);
  await holder.record(noEdits);
  after(20);
  await holder.record(noEdits);
  // The other one sees no worker either, but it only reads.
  await other.follow(well);
  expect(other.known()).toEqual(holder.known());
  expect(record.writes).toBe(2);
  after(5);
  await holder.record(well);
  const late = process();
  await late.follow(well);
  expect(late.known()).toEqual({
    v: 1,
    sinceMs: 1_000_000,
    incidents: [{ part: "edits", status: "down", fromMs: 1_005_000, untilMs: 1_030_000 }],
  });
});

test("the next holder goes on from the record, and two at once lose nothing", async () => {
  const { process, after } = start();
  const first = process();
  const second = process();
  await first.record(noEdits);
  after(30);
  await second.record({ ...noEdits, storage: "degraded" });
  expect(second.known().incidents.map(({ part }) => part)).toEqual(["storage", "edits"]);
  const both = await Promise.allSettled([first.record(well), second.record(well)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await first.follow(well);
  expect(first.known().incidents).toEqual([{ part: "edits", status: "down", fromMs: 1_000_000, untilMs: 1_030_000 }]);
});

test("while the log is away a process tells what it sees, and records it afterwards", async () => {
  const { record, process, after } = start();
  const holder = process();
  await holder.record(well);
  record.isAway = true;
  const apiDown: PartStatuses = { ...well, api: "down" };
  await holder.follow(apiDown);
  await expect(holder.record(apiDown)).rejects.toThrow("away");
  after(60);
  await holder.follow(apiDown);
  expect(holder.known().incidents).toMatchObject([{ part: "api", status: "down", fromMs: 1_000_000 }]);
  record.isAway = false;
  await holder.follow(well);
  await holder.record(well);
  const other = process();
  await other.follow(well);
  expect(other.known().incidents).toEqual([{ part: "api", status: "down", fromMs: 1_000_000, untilMs: 1_060_000 }]);
});

test("what a process noted by itself ends when the log is back, though nobody has recorded since", async () => {
  const { record, process, after } = start();
  const holder = process();
  await holder.record(well);
  const other = process();
  await other.follow(well);
  record.isAway = true;
  await other.follow({ ...well, api: "down" });
  after(30);
  record.isAway = false;
  await other.follow(well);
  after(60);
  await other.follow(well);
  expect(other.known().incidents).toEqual([{ part: "api", status: "down", fromMs: 1_000_000, untilMs: 1_030_000 }]);
});
