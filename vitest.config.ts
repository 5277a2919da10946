import { defineConfig } from "vitest/config";
import { silenceRuntime } from "./packages/platform/config/silence-runtime.ts";
import { LongestFirst } from "./scripts/longest-first.ts";
import { memoryFolder } from "./testing/memory-folder.ts";
import { compileCacheFolder } from "./testing/process-environment.ts";
import { findMissingPrograms, obstacles, type ProgramName, programs } from "./testing/programs.ts";

/** `make test-all` and CI: a test whose program is missing runs, and fails. */
const skipsNothing = process.env.TEST_ALL === "1";
const missingPrograms = findMissingPrograms();
const isSkipped = (name: ProgramName) => obstacles.has(name) || (!skipsNothing && missingPrograms.includes(name));

// For the workers, and for the processes that tests start with their own environment.
process.env.NODE_COMPILE_CACHE = compileCacheFolder;
silenceRuntime();
// For the workers, and for what they start.
if (process.env.TMPDIR === undefined) {
  const folder = memoryFolder();
  if (folder !== undefined) process.env.TMPDIR = folder;
}

const all = ["{packages,services,cli,console,test,testing,training,bench}/**/*.spec.ts"];
const pure = [
  "{packages/domain,packages/models,packages/platform/flow,console}/**/*.spec.ts",
  "{services/inference/imaging,testing/imaging-oracles}/**/*.spec.ts",
  "test/house-rules/*.spec.ts",
];

export default defineConfig({
  test: {
    // Pure code leaves nothing behind: its many small specs share a worker, since a start takes longer than most of them.
    projects: [
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      { extends: true, test: { name: "apart", include: all, exclude: ["**/node_modules/**", ...pure] } },
    ],
    tags: [
      { name: "long", description: "Only make test-all runs it." },
      ...(Object.keys(programs) as ProgramName[]).map((name) => ({
        name,
        description: programs[name].tests,
        skip: isSkipped(name),
      })),
    ],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Patience, not a promise: what is awaited ends it, and a busy machine is not a fault.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // For two cores: specs wait for starts, expiries and elections more than half of their time.
    maxWorkers: 3,
  },
});
