/**
 * On a terminal: a line that moves, and colors where they are wanted. `script` gives the command a terminal.
 * @module-tag long
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";

const program = join(import.meta.dirname, "../packshot.ts");
/** What the terminal is told, by names that an expression can have. */
const controls = {
  clear: "\u001b[K",
  return: "\r",
  red: "\u001b[31m",
  "/red": "\u001b[39m",
  bold: "\u001b[1m",
};
const execute = promisify(execFile);

describe("on a terminal", { tags: ["script"] }, () => {
  const stack = jointStack();
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), "packshot-terminal-"));
    await writeFile(join(cwd, "mug.jpg"), await drawnMug("#204060"));
    await writeFile(join(cwd, "broken.jpg"), "not a photo");
  });
  afterAll(async () => await rm(cwd, { recursive: true, force: true }));

  async function onTerminal(more: Record<string, string>): Promise<string> {
    // A machine that checks submissions says so by `CI`, and Node then leaves colors out, too.
    const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...others } = process.env;
    const env = { ...others, PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey, TERM: "xterm", ...more };
    const command = `stty cols 100; '${process.execPath}' '${program}' edit mug.jpg broken.jpg --force --set output.width=64`;
    // Its status is that of the command: 3, since a photo fails.
    const run = execute("script", ["-qec", command, "/dev/null"], { cwd, env });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    return Object.entries(controls).reduce((text, [name, control]) => text.replaceAll(control, `<${name}>`), stdout);
  }

  test("the progress moves on one line, and faults are red", async () => {
    const shown = await onTerminal({});
    expect(shown).toContain("Editing 2 photos, 2 at a time");
    expect(shown).toMatch(/<return><clear>\[█{20}\] 2 of 2 · 1 failed · [\d.]+ a (second|minute) · 0 s left/);
    expect(shown).toMatch(/<red>failed<\/red> broken\.jpg: /);
    expect(shown).toMatch(/<bold>1 edited, 1 failed in /);
  });

  test("NO_COLOR leaves the colors out", async () => {
    const shown = await onTerminal({ NO_COLOR: "1" });
    expect(shown).toMatch(/1 edited, 1 failed in /);
    expect(shown).not.toMatch(/<(red|\/red|bold)>/);
  });
});
