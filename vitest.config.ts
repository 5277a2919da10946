import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/**/*.spec.ts",
      "services/**/*.spec.ts",
      "cli/**/*.spec.ts",
      "console/**/*.spec.ts",
      "test/**/*.spec.ts",
      "testing/**/*.spec.ts",
      "training/**/*.spec.ts",
      "bench/**/*.spec.ts",
    ],
    exclude: ["**/node_modules/**"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Patience, not a promise: what is awaited ends it, and a busy machine is not a fault.
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
