import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../testing/cli/run-cli.ts";

test("a restore that fails says so, and not that the backup failed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "packshot-restore-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const restored = await runCli(["restore", join(dataDir, "nowhere"), "--data-dir", dataDir]);
  expect(restored.status).toBe(1);
  expect(restored.stderr).toMatch(/^packshot: the restore failed: .*backup\.json/m);
});
