import { describe, expect, it } from "vitest";
import { createWorkCheck, parseProcessorTime, readWork } from "./nats-server.ts";

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
    const works = createWorkCheck(() => process.pid);
    works();
    const before = readWork(process.pid)!.processorMs;
    while (readWork(process.pid)!.processorMs - before < 100);
    expect(works()).toBe(true);
    expect(createWorkCheck(() => undefined)()).toBe(false);
  });
});
