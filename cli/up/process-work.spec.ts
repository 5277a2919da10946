import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { createStarvationCheck, createWorkCheck, parseProcessorTime, readWork } from "./process-work.ts";

describe("parseProcessorTime", () => {
  it.each([
    ["0:00.01", 10],
    ["12:34.56", 754_560],
    ["00:00:07", 7_000],
    ["1-02:03:04", 93_784_000],
  ])("reads %s as ps prints it", (text, ms) => {
    expect(parseProcessorTime(text)).toBe(ms);
  });
});

describe("a work check", () => {
  it("sees that a process works, and that none does", () => {
    const works = createWorkCheck();
    works(process.pid);
    const before = readWork(process.pid)!.processorMs;
    while (readWork(process.pid)!.processorMs - before < 100);
    expect(works(process.pid)).toBe(true);
    expect(createWorkCheck()(undefined)).toBe(false);
  });
});

/** The first one on which this process may run. */
function firstProcessor(): number {
  return Number(readFileSync("/proc/self/status", "utf8").match(/^Cpus_allowed_list:\s*(\d+)/m)![1]);
}

/** On one processor, so that each waits for the other. */
async function startPinned(...command: readonly string[]): Promise<number> {
  const child: ChildProcess = spawn("taskset", ["-c", String(firstProcessor()), ...command], { stdio: "ignore" });
  onTestFinished(async () => {
    if (child.kill("SIGKILL")) await once(child, "exit");
  });
  await once(child, "spawn");
  return child.pid!;
}

const busy = ["sh", "-c", "while :; do :; done"] as const;
const neighborMs = 400;

describe.runIf(process.platform === "linux")("a process that a busy machine keeps from work", () => {
  it("is neither idle nor stalled, and one that waits for something else is not kept from work", async () => {
    const neighbor = await startPinned(...busy);
    const starved = await startPinned("nice", "-n", "19", ...busy);
    const idle = await startPinned("sleep", "600");
    const isStarved = createStarvationCheck();
    const works = createWorkCheck();
    const isIdleStarved = createStarvationCheck();
    await expect.poll(() => readWork(neighbor)!.processorMs).toBeGreaterThan(0);
    isStarved(starved);
    works(starved);
    isIdleStarved(idle);
    const before = readWork(neighbor)!.processorMs;
    await expect.poll(() => readWork(neighbor)!.processorMs - before, { timeout: 60_000 }).toBeGreaterThan(neighborMs);
    // Linux counts how long a process was queued when its turn comes.
    const queuedBefore = readWork(starved)!.queuedMs;
    await expect.poll(() => readWork(starved)!.queuedMs, { timeout: 60_000 }).toBeGreaterThan(queuedBefore);
    expect([isStarved(starved), works(starved), isIdleStarved(idle)]).toEqual([true, true, false]);
  }, 150_000);
});
