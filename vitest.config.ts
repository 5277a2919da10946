import { defineConfig } from "vitest/config";
import { missingPrograms, type ProgramName, programs } from "./testing/programs.ts";

/** `make test-all` and CI: a test whose program is missing runs, and fails. */
const skipsNothing = process.env.PACKSHOT_TEST_ALL === "1";
const isSkipped = (name: ProgramName) => !skipsNothing && missingPrograms.includes(name);

export default defineConfig({
  test: {
    include: ["{packages,services,cli,console,test,testing,training,bench}/**/*.spec.ts"],
    exclude: ["**/node_modules/**"],
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
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
  },
});
