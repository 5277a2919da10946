import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CheckLine, type CutLine, openJournal } from "./journal.ts";

const run = { layout: "one", fileSystem: "ext4" } as const;
const cut = (seed: number): CutLine => ({
  ...run,
  kind: "cut",
  seed,
  moment: "load",
  machines: [0],
  afterMs: 1,
  acceptedJobs: 1,
  knownFiles: 1,
  violations: [],
});
const check = (seed: number, violations: readonly string[]): CheckLine => ({
  ...run,
  kind: "check",
  seed,
  jobs: 1,
  ledgerEntries: 1,
  knownFiles: 1,
  batchRows: 0,
  counts: {},
  violations,
});

test("a journal counts the cuts of runs that were found whole, goes on where it ended, and names the commit", () => {
  vi.spyOn(console, "info").mockReturnValue();
  const folder = mkdtempSync(join(tmpdir(), "packshot-journal-"));
  onTestFinished(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, "journal.ndjson");
  const first = openJournal(path);
  for (const line of [cut(1), cut(1), check(1, []), cut(2), check(2, ["a job was lost"]), cut(3)]) first.write(line);
  expect(first.cuts("one", "ext4")).toBe(2);
  const next = openJournal(path);
  next.write(check(3, []));
  expect([next.cuts("one", "ext4"), next.cuts("three", "ext4")]).toEqual([3, 0]);
  for (const line of readFileSync(path, "utf8").trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({
      at: expect.any(String),
      commit: expect.stringMatching(/^[0-9a-f]{40}\+?$/),
    });
});
