import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { descendants } from "../../bench/measuring/processor-time.ts";
import { rssBytes } from "../../bench/measuring/server-usage.ts";
import { sampleProcesses } from "./sample-processes.ts";

const child = `console.log("up"); process.stdin.resume();`;
const parent = `
  require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: ["pipe", "inherit", "inherit"] });
  process.stdin.resume();
`;

test("a process is sampled with the memory of what it has started, and one that has ended is not", async () => {
  const started = spawn(process.execPath, ["-e", parent], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void started.kill());
  await once(started.stdout, "data");
  const pid = started.pid!;
  const children = descendants(pid);
  expect(children).toHaveLength(1);
  const [sampled] = sampleProcesses([{ kind: "worker", pid }]);
  expect(sampled).toMatchObject({ kind: "worker", pid });
  expect(sampled!.megabytes).toBeGreaterThan((rssBytes(pid) + 0.5 * rssBytes(children[0]!)) / 1e6);
  started.kill();
  await once(started, "exit");
  expect(sampleProcesses([{ kind: "worker", pid }])).toEqual([]);
});
