import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { descendants } from "../../bench/measuring/processor-time.ts";
import { rssBytes } from "../../bench/measuring/server-usage.ts";
import { sampleProcesses } from "./sample-processes.ts";

function heapsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "packshot-heaps-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const child = `console.log("up"); process.stdin.resume();`;
const parent = `
  require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: ["pipe", "inherit", "inherit"] });
  process.stdin.resume();
`;

test("a process is sampled with the memory of what it has started, and one that has ended is not", async () => {
  const folder = heapsFolder();
  const started = spawn(process.execPath, ["-e", parent], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void started.kill());
  await once(started.stdout, "data");
  const pid = started.pid!;
  const children = descendants(pid);
  expect(children).toHaveLength(1);
  const [sampled] = sampleProcesses([{ kind: "worker", pid }], folder);
  expect(sampled).toMatchObject({ kind: "worker", pid });
  expect(sampled!.megabytes).toBeGreaterThan((rssBytes(pid) + 0.5 * rssBytes(children[0]!)) / 1e6);
  started.kill();
  await once(started, "exit");
  expect(sampleProcesses([{ kind: "worker", pid }], folder)).toEqual([]);
});

/** Leaks 3 KB an edit on each "edit", beside garbage of 30 KB, and says when it has. */
const leaking = `
  const kept = [];
  process.on("message", (edits) => {
    for (let n = 0; n < edits; n++) {
      kept.push(new Array(375).fill(n + 0.5));
      new Array(3750).fill(n + 0.5);
    }
    process.send("edited");
  });
`;

test("a leak of 3 KB an edit shows in what heaps hold, beside garbage and whatever the allocator keeps", async () => {
  const folder = heapsFolder();
  const collector = new URL("../../bench/load/collect-garbage.ts", import.meta.url).href;
  const process_ = spawn(process.execPath, [`--import=${collector}`, "-e", leaking], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, HEAPS_FOLDER: folder, COLLECT_EVERY_MS: "20" },
  });
  onTestFinished(() => void process_.kill());
  const held = () => sampleProcesses([{ kind: "api", pid: process_.pid! }], folder)[0]?.heldMegabytes ?? 0;
  // The main thread's, which is whole at any time.
  const writtenAt = () => statSync(join(folder, `${process_.pid}.0`), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const heldAfter = async (edits: number) => {
    process_.send(edits);
    await once(process_, "message");
    const edited = Date.now();
    await expect.poll(writtenAt, { timeout: 30_000 }).toBeGreaterThan(edited);
    return held();
  };
  const before = await heldAfter(100);
  const after = await heldAfter(300);
  expect(after - before).toBeGreaterThan(0.7);
  expect(after - before).toBeLessThan(1.1);
});
