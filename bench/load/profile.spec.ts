import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { dearestLines } from "./profile.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-profile-"));
afterAll(() => rmSync(folder, { recursive: true }));
const root = new URL("../..", import.meta.url).href;

const frame = (functionName: string, url = "", lineNumber = -1) => ({ functionName, url, lineNumber });

/** A thread that does for so many microseconds, one after the other, what `work` says. */
function writeProfile(
  name: string,
  frames: readonly object[],
  work: readonly (readonly [frame: number, us: number])[],
) {
  const profile = {
    nodes: frames.map((callFrame, id) => ({ id, callFrame })),
    startTime: 1_000,
    samples: work.map(([id]) => id),
    timeDeltas: [0, ...work.map(([, us]) => us)],
  };
  writeFileSync(join(folder, `CPU.20261122.120000.${name}.cpuprofile`), JSON.stringify(profile));
}

const encode = frame("encode", `${root}services/inference/imaging/png.ts`, 9);
const main = frame("", `${root}services/inference/worker-main.ts`, 0);
const garbage = frame("(garbage collector)");

test("the time in each function is added up over a process' threads, within the span and while they are not idle", () => {
  // 1,000 µs before the span, and then 100 of idling.
  const before = [main, 1_000] as const;
  writeProfile(
    "77.0.001",
    [main, frame("(idle)"), encode, garbage],
    [
      [0, before[1]],
      [1, 100],
      [2, 300],
      [3, 200],
    ],
  );
  writeProfile(
    "77.1.002",
    [encode, frame("(program)")],
    [
      [1, 1_500],
      [0, 500],
    ],
  );
  writeProfile(
    "78.0.001",
    [frame("", `${root}services/api/api-main.ts`, 4)],
    [
      [0, 1_000],
      [0, 9],
    ],
  );
  const span = { fromUs: 2_000, toUs: 1_000_000 };
  expect(dearestLines(folder, ["worker"], span, 3)).toEqual([
    { process: "worker", function: "encode", place: "services/inference/imaging/png.ts:10", selfMs: 0.8, share: 0.8 },
    { process: "worker", function: "(garbage collector)", place: "", selfMs: 0.2, share: 0.2 },
  ]);
  expect(dearestLines(folder, ["worker", "api"], span, 1).map(({ process, place }) => [process, place])).toEqual([
    ["worker", "services/inference/imaging/png.ts:10"],
    ["api", "services/api/api-main.ts:5"],
  ]);
});

test("a deployment that runs elsewhere cannot be profiled", () => {
  const run = fileURLToPath(new URL("run.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [run, "--profile", "--target", "http://127.0.0.1:1"], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, "--profile is for a stack of its own, not for --target\n"]);
});
