/**
 * Each command's help fits a screen, and shells complete what it names.
 * @module-tag long
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../testing/cli/run-cli.ts";

const execute = promisify(execFile);
let folder: string;
let commands: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-completion-"));
  for (const shell of ["bash", "zsh", "fish"])
    await writeFile(join(folder, shell), (await runCli(["completion", shell])).stdout);
  commands = [...(await runCli(["--help"])).stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name!);
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

test("every help fits a screen of 80 columns and 24 lines, with the prompt below it", async () => {
  expect(commands).toEqual(expect.arrayContaining(["edit", "jobs", "status", "webhooks", "up", "completion"]));
  const texts = await Promise.all([[], ...commands.map((name) => [name])].map((args) => runCli([...args, "--help"])));
  const offenders = texts.flatMap(({ stdout }, index) => {
    const lines = stdout.trimEnd().split("\n");
    const wide = lines.filter((line) => [...line].length > 80).map((line) => `${[...line].length}: ${line}`);
    const name = index === 0 ? "packshot" : commands[index - 1];
    return [...wide, ...(lines.length > 23 ? [`${lines.length} lines`] : [])].map((fault) => `${name} ${fault}`);
  });
  expect(offenders).toEqual([]);
});

/** What a shell offers for the last of these words. */
type Complete = (...words: string[]) => Promise<string[]>;

const completeIn: Record<string, Complete> = {
  async bash(...words) {
    const line = `source '${folder}/bash'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}; _packshot; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await execute("bash", ["--norc", "-c", line])).stdout.split("\n").filter(Boolean);
  },
  async zsh(...words) {
    // Outside of the line editor there are no completions to add to: these print them.
    const line = `compdef() { }; compadd() { shift; print -l -- "$@" }; _files() { }
_describe() { print -l -- \${\${(P)2}%%:*} }; source '${folder}/zsh'
words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}; _packshot`;
    const offered = (await execute("zsh", ["-f", "-c", line])).stdout.split("\n").filter(Boolean);
    return offered.filter((word) => word.startsWith(words.at(-1)!));
  },
  async fish(...words) {
    const line = `source '${folder}/fish'; complete -C '${words.join(" ")}'`;
    // No configuration of whoever runs this.
    const { stdout } = await execute("fish", ["-c", line], { env: { ...process.env, HOME: folder } });
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((offer) => offer.split("\t")[0]!);
  },
};

for (const [shell, complete] of Object.entries(completeIn)) {
  const tags = shell === "bash" ? [] : [shell];
  test(`${shell} completes commands, subcommands, flags and their words`, { tags }, async () => {
    expect((await complete("packshot", "e")).sort()).toEqual(["edit"]);
    expect(await complete("packshot", "jobs", "ca")).toEqual(["cancel"]);
    expect(await complete("packshot", "edit", "--pre")).toEqual(["--preset"]);
    expect((await complete("packshot", "edit", "--tool", "ai-")).sort()).toEqual(["ai-bg", "ai-shadows"]);
    expect(await complete("packshot", "models", "")).toEqual(expect.arrayContaining(["list", "pull", "verify"]));
  });
}

test("a shell that it does not know is refused", async () => {
  expect(await runCli(["completion", "csh"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("bash, zsh, fish"),
  });
});
