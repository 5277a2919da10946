/** Runs the walkthrough of README.md as it is there: what a newcomer pastes must work. */

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let stack: LiveStack;
let folder: string;

beforeAll(async () => {
  stack = await startLiveStack();
  // The folder looks like the repository's root with a stack in data/.
  folder = mkdtempSync(join(tmpdir(), "packshot-readme-"));
  symlinkSync(join(root, "cli"), join(folder, "cli"));
  symlinkSync(stack.dataDir, join(folder, "data"));
});

afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the walkthrough of the API does what it says", async () => {
  const block = /```sh walkthrough\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))![1]!;
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", block], {
    cwd: folder,
    env: { ...process.env, PATH: path },
  });
  expect(stdout).toContain(stack.file.accountId);
  expect(stdout).toContain('"code":"invalid_request"');
  const photo = await sharp(join(root, "cli/demo/sample/mug.jpg")).metadata();
  expect(await sharp(join(folder, "cut-out.png")).metadata()).toMatchObject({
    format: "png",
    hasAlpha: true,
    width: photo.width,
  });
  expect(await sharp(join(folder, "scene.jpg")).metadata()).toMatchObject({
    format: "jpeg",
    width: photo.width,
    height: photo.height,
  });
}, 300_000);
