import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const parent = mkdtempSync(join(tmpdir(), "packshot-memory-"));
afterAll(() => rmSync(parent, { recursive: true }));

const module = new URL("memory-folder.ts", import.meta.url).href;
const program = (then: string) => [
  "--input-type=module",
  "--eval",
  `import { folderOfProcess } from ${JSON.stringify(module)};
  console.log(folderOfProcess(${JSON.stringify(parent)}));
  ${then}`,
];

test("the folder goes with its process, and that of a killed one with the next", async () => {
  const killed = spawn(process.execPath, program("setInterval(() => {}, 1000);"));
  const [line] = (await once(killed.stdout, "data")) as [Buffer];
  const left = line.toString().trim();
  mkdirSync(join(left, "data"));
  expect(execFileSync(process.execPath, program(""), { encoding: "utf8" })).toContain(parent);
  // The other one's, which still runs.
  expect(readdirSync(parent).map((name) => join(parent, name))).toEqual([left]);
  killed.kill("SIGKILL");
  await once(killed, "close");
  execFileSync(process.execPath, program(""));
  expect(readdirSync(parent)).toEqual([]);
});
