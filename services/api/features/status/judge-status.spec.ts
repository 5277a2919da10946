import { describe, expect, it } from "vitest";
import {
  incidentDays,
  incidentMinMs,
  incidentsMax,
  judgeStatus,
  lateAfterSeconds,
  noteStatuses,
  overall,
  type PartStatuses,
  type Readings,
} from "./judge-status.ts";

const well: PartStatuses = { api: "healthy", edits: "healthy", webhooks: "healthy", storage: "healthy" };
const process = (service: string, hasProblem = false) => ({ service, hasProblem });
const readings: Readings = {
  ownProblems: [],
  processes: [process("api"), process("worker"), process("worker"), process("webhooks")],
  refusal: undefined,
  isStorageFull: false,
  oldestWaitSeconds: 0.4,
};

describe("a service", () => {
  it("is healthy when every process is", () => {
    expect(judgeStatus(readings)).toEqual(well);
    expect(overall(well)).toBe("healthy");
  });

  it.each<[string, Partial<Readings>, Partial<PartStatuses>, string]>([
    ["has no worker", { processes: [process("api"), process("webhooks")] }, { edits: "down" }, "down"],
    [
      "has a worker of two with a problem",
      { processes: [process("api"), process("worker"), process("worker", true), process("webhooks")] },
      { edits: "degraded" },
      "degraded",
    ],
    ["begins edits late", { oldestWaitSeconds: lateAfterSeconds + 1 }, { edits: "degraded" }, "degraded"],
    ["takes no edits", { refusal: "the log is behind" }, { edits: "degraded" }, "degraded"],
    [
      "delivers no webhooks",
      { processes: [process("api"), process("worker")] },
      { webhooks: "down" },
      // Edits still run.
      "degraded",
    ],
    ["has a full storage", { isStorageFull: true }, { storage: "degraded" }, "degraded"],
    ["does not reach its storage", { ownProblems: ["storage"] }, { api: "down", storage: "down" }, "down"],
    [
      "has another API process with a problem",
      { processes: [...readings.processes, process("api", true)] },
      { api: "degraded" },
      "degraded",
    ],
  ])("that %s", (_what, change, parts, all) => {
    const judged = judgeStatus({ ...readings, ...change });
    expect(judged).toEqual({ ...well, ...parts });
    expect(overall(judged)).toBe(all);
  });
});

describe("incidents", () => {
  const away: PartStatuses = { ...well, webhooks: "down" };

  it("begin, keep the worst, and end", () => {
    const begun = noteStatuses([], { ...well, webhooks: "degraded" }, 1_000);
    expect(begun).toEqual([{ part: "webhooks", status: "degraded", fromMs: 1_000, untilMs: undefined }]);
    const worse = noteStatuses(begun, away, 2_000);
    expect(worse).toEqual([{ part: "webhooks", status: "down", fromMs: 1_000, untilMs: undefined }]);
    const over = noteStatuses(worse, well, 1_000 + incidentMinMs);
    expect(over).toEqual([{ part: "webhooks", status: "down", fromMs: 1_000, untilMs: 1_000 + incidentMinMs }]);
    expect(noteStatuses(over, well, 99_000)).toEqual(over);
  });

  it("that were short leave nothing behind", () => {
    expect(noteStatuses(noteStatuses([], away, 0), well, incidentMinMs - 1)).toEqual([]);
  });

  it("of one part are apart from those of another, and the newest come first", () => {
    const both = noteStatuses(noteStatuses([], away, 0), { ...away, edits: "down" }, 5_000);
    expect(both.map(({ part, fromMs }) => [part, fromMs])).toEqual([
      ["edits", 5_000],
      ["webhooks", 0],
    ]);
  });

  it("are forgotten after some days, and beyond a number", () => {
    const day = 86_400_000;
    const over = noteStatuses(noteStatuses([], away, 0), well, incidentMinMs);
    expect(noteStatuses(over, well, incidentMinMs + incidentDays * day)).toEqual(over);
    expect(noteStatuses(over, well, incidentMinMs + incidentDays * day + 1)).toEqual([]);
    let many = noteStatuses([], well, 0);
    for (let i = 0; i < 2 * incidentsMax; i++) {
      many = noteStatuses(many, away, i * 60_000);
      many = noteStatuses(many, well, i * 60_000 + 30_000);
    }
    expect(many).toHaveLength(incidentsMax);
    expect(many[0]!.fromMs).toBe((2 * incidentsMax - 1) * 60_000);
  });
});
