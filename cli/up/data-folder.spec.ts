import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDataFolder } from "./data-folder.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("only its owner can read a data folder that is made, and one that is there keeps its mode", () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = join(folder, "shop", "data");
  openDataFolder(made).release();
  expect(modeOf(made)).toBe("700");
  const shared = join(folder, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o750);
  openDataFolder(shared).release();
  expect(modeOf(shared)).toBe("750");
});
