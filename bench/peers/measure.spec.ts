import { expect, test } from "vitest";
import { measureAlternately } from "./measure.ts";
import type { System } from "./system.ts";

/** A system of no process, which notes what happens to it. */
function notingSystem(name: string, notes: string[]): System {
  return {
    name,
    pids: () => [process.pid],
    partOf: () => "this process",
    cutOut: async () => async () => {
      notes.push(`${name} cuts out`);
      return Buffer.alloc(0);
    },
    suspend: () => void notes.push(`${name} is suspended`),
    resume: () => void notes.push(`${name} resumes`),
    stop: async () => {},
  };
}

test("systems take turns in each round, and none works in another's turn", async () => {
  const notes: string[] = [];
  const measured = await measureAlternately({
    systems: [notingSystem("a", notes), notingSystem("b", notes)],
    photos: [Buffer.alloc(0)],
    clients: 2,
    windowMs: 0,
    rounds: 2,
    warmUps: 1,
    signal: new AbortController().signal,
  });
  const turns = notes.filter((note, n) => note !== notes[n - 1]);
  const turn = (name: string) => [`${name} resumes`, `${name} cuts out`, `${name} is suspended`];
  expect(turns).toEqual([...turn("a"), ...turn("b"), ...turn("a"), ...turn("b")]);
  // Two clients with a photo each in both rounds; the first photo of a turn is not measured.
  expect(measured.get("a")).toMatchObject({ photos: 4 });
  const { parts, cpuMsEach, peakBytes } = measured.get("a")!;
  expect([...parts]).toEqual([["this process", { cpuMsEach, peakBytes }]]);
  expect(peakBytes).toBeGreaterThan(0);
  expect(notes.filter((note) => note === "b cuts out")).toHaveLength(6);
});

test("a run that is stopped begins no further turn", async () => {
  const notes: string[] = [];
  const stopped = measureAlternately({
    systems: [notingSystem("a", notes)],
    photos: [Buffer.alloc(0)],
    clients: 1,
    windowMs: 0,
    rounds: 1,
    warmUps: 1,
    signal: AbortSignal.abort(new Error("stopped")),
  });
  await expect(stopped).rejects.toThrow("stopped");
  expect(notes).toEqual([]);
});
